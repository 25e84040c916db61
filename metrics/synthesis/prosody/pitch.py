"""Fundamental frequency by autocorrelation, and what of it is told about a reading.

After Boersma (1993): the autocorrelation of a windowed frame over that of its window; its highest peak
between 75 and 500 Hz is the period, where it is high enough. A higher pitch is preferred by a little, so
that a peak at twice the period does not win. Valid at 8 kHz: what is looked at is the period, not the
fundamental itself, which a telephone line takes away.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.resample import SPEECH_RATE_HZ, to_speech_rate

VERSION = "1"
LOWEST_HZ, HIGHEST_HZ = 75.0, 500.0
HOP_S, WINDOW_S = 0.01, 0.04
VOICED_FROM = 0.5
OCTAVE_COST = 0.03
"""Of correlation, an octave."""
QUIET_BELOW_LOUD_DB = 30.0
LEAP_SEMITONES = 7.0
"""A frame so far off the median of those around it is an error of an octave, and counted as unvoiced."""
AROUND_FRAMES = 10
LEAST_VOICED_S = 0.3
_BLOCK = 512

Samples = NDArray[np.float32]
Track = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Pitch:
    """Of a reading.

    Attributes:
        median_hz: Median of its voiced frames.
        range_semitones: From the 5th percentile to the 95th.
        voiced_s: How much of it is voiced.
    """

    median_hz: float
    range_semitones: float
    voiced_s: float


def pitch_of(audio: Samples, sample_rate_hz: int) -> Pitch | None:
    """Median and range; None where less than 0.3 s are voiced.

    Args:
        audio: Mono, full scale 1.0.
    """
    track = pitch_track(audio, sample_rate_hz)
    voiced = track[~np.isnan(track)]
    if len(voiced) * HOP_S < LEAST_VOICED_S:
        return None
    low, high = np.quantile(voiced, [0.05, 0.95])
    return Pitch(
        median_hz=float(np.median(voiced)),
        range_semitones=float(12 * np.log2(high / low)),
        voiced_s=len(voiced) * HOP_S,
    )


def pitch_track(audio: Samples, sample_rate_hz: int) -> Track:
    """Fundamental frequency in Hz, every 10 ms from 20 ms on; NaN where the sound is not voiced."""
    narrow = to_speech_rate(audio, sample_rate_hz).astype(np.float64)
    size, hop = round(WINDOW_S * SPEECH_RATE_HZ), round(HOP_S * SPEECH_RATE_HZ)
    if len(narrow) < size:
        return np.zeros(0)
    frames = np.lib.stride_tricks.sliding_window_view(narrow, size)[::hop]
    found = np.concatenate([_pitches(frames[at : at + _BLOCK]) for at in range(0, len(frames), _BLOCK)])
    levels = 10 * np.log10(np.mean(frames**2, axis=1) + 1e-12)
    found[levels < np.quantile(levels, 0.95) - QUIET_BELOW_LOUD_DB] = np.nan
    return _without_leaps(found)


def _pitches(frames: Track) -> Track:
    size = frames.shape[1]
    window = np.hanning(size)
    own = _autocorrelated(window[None, :])[0]
    correlation = _autocorrelated((frames - frames.mean(axis=1, keepdims=True)) * window)
    correlation = correlation / np.maximum(correlation[:, :1], 1e-12) / np.maximum(own / own[0], 1e-3)
    shortest, longest = round(SPEECH_RATE_HZ / HIGHEST_HZ), round(SPEECH_RATE_HZ / LOWEST_HZ)
    lags = np.arange(shortest, longest + 1)
    inside = correlation[:, lags]
    peaks = (inside >= correlation[:, lags - 1]) & (inside >= correlation[:, lags + 1])
    worth = np.where(peaks, inside - OCTAVE_COST * np.log2(lags / shortest), -1.0)
    best = np.argmax(worth, axis=1)
    rows = np.arange(len(frames))
    at = lags[best]
    before, here, after = (correlation[rows, at + step] for step in (-1, 0, 1))
    bend = before - 2 * here + after
    shift = np.where(bend < 0, 0.5 * (before - after) / np.where(bend < 0, bend, 1.0), 0.0)
    voiced = (worth[rows, best] > -1.0) & (here >= VOICED_FROM)
    return np.asarray(np.where(voiced, SPEECH_RATE_HZ / (at + shift), np.nan), np.float64)


def _autocorrelated(frames: Track) -> Track:
    spectrum = np.fft.rfft(frames, n=2 * frames.shape[1], axis=1)
    return np.asarray(np.fft.irfft(np.abs(spectrum) ** 2, axis=1)[:, : frames.shape[1]], np.float64)


def _without_leaps(track: Track) -> Track:
    kept = track.copy()
    for at in np.flatnonzero(~np.isnan(track)):
        around = track[max(0, at - AROUND_FRAMES) : at + AROUND_FRAMES + 1]
        off = 12 * abs(np.log2(track[at] / np.nanmedian(around)))
        if off > LEAP_SEMITONES:
            kept[at] = np.nan
    return kept
