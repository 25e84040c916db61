"""Other sampling rates, most often 16 kHz, at which speech recognisers and trained detectors listen."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.signal import firwin, resample_poly

from metrics.filtering.polyphase import filtered

SPEECH_RATE_HZ = 16_000

_STOPBAND_DB = 80.0
_TRANSITION = 0.1
"""Width of the filter's slope, as a share of the lower of both Nyquist frequencies."""
_LARGEST_FACTOR = 2_000
"""Rates whose ratio takes larger factors (47,999 to 16,000 Hz) would need a filter of millions of taps."""
_DENSE = 24
"""Times the wanted rate at which samples lie so densely that a line between two of them is near enough."""
_STRETCH = 8_192
"""Samples that are interpolated at once."""


def to_speech_rate(audio: NDArray[np.float32], sample_rate_hz: int) -> NDArray[np.float32]:
    """Mono audio at 16 kHz, without delay: sample k of the result is at k / 16000 s.

    Decimation folds whatever lies above 8 kHz back onto the speech band, so a linear-phase low-pass comes
    first: flat to 7.2 kHz, at least 80 dB down from 8 kHz on (for 48 kHz; other rates in proportion).

    Raises:
        ValueError: ``audio`` is not one-dimensional, or the rate is not between 8 and 192 kHz.
    """
    if audio.ndim != 1:
        raise ValueError(f"resampling takes mono audio, not an array of shape {audio.shape}")
    if not 8_000 <= sample_rate_hz <= 192_000:
        raise ValueError(f"a sampling rate of {sample_rate_hz} Hz is not speech audio (8000 to 192000)")
    return resampled(audio, sample_rate_hz, SPEECH_RATE_HZ)


def resampled(audio: NDArray[np.float32], from_hz: int, to_hz: int) -> NDArray[np.float32]:
    """Mono audio at another rate, without delay: sample k of the result is at k / ``to_hz`` seconds.

    The same low-pass keeps what the lower of both rates cannot hold from being folded into the result. Where
    the rates have next to no common divisor the result is interpolated from a much higher one: its places are
    as exact, and at 3 kHz it is 65 dB from true.
    """
    if from_hz == to_hz:
        return np.asarray(audio, dtype=np.float32)
    divisor = math.gcd(from_hz, to_hz)
    up, down = to_hz // divisor, from_hz // divisor
    if max(up, down) > _LARGEST_FACTOR:
        return _interpolated(audio, from_hz, to_hz)
    return filtered(np.asarray(audio, dtype=np.float32), up, down, _low_pass(1.0 / max(up, down)))


def _interpolated(audio: NDArray[np.float32], from_hz: int, to_hz: int) -> NDArray[np.float32]:
    """Stretch by stretch: the samples in between of a whole minute would take half a gigabyte."""
    up = max(2, math.ceil(_DENSE * to_hz / from_hz))
    low_pass = _low_pass(min(from_hz, to_hz) / (from_hz * up))
    margin = len(low_pass) // 2 // up + 1
    result = np.empty(-(-len(audio) * to_hz // from_hz), dtype=np.float32)
    for first in range(0, len(audio), _STRETCH):
        start = max(0, first - margin)
        dense = resample_poly(audio[start : first + _STRETCH + margin], up, 1, window=low_pass)
        begin, end = (-(-place * to_hz // from_hz) for place in (first, min(first + _STRETCH, len(audio))))
        wanted = np.arange(begin, end) * (from_hz * up / to_hz) - start * up
        result[begin:end] = np.interp(wanted, np.arange(len(dense)), dense)
    return result


@lru_cache(maxsize=8)
def _low_pass(nyquist: float) -> NDArray[np.float64]:
    """Kaiser-windowed low-pass whose stopband starts at the lower Nyquist frequency, given as a share of that
    of the rate in between."""
    # Kaiser's formula for the length: (A - 7.95) / (2.285 * width in radians per sample).
    half = math.ceil((_STOPBAND_DB - 7.95) / (2.285 * math.pi * _TRANSITION * nyquist) / 2)
    beta = 0.1102 * (_STOPBAND_DB - 8.7)
    taps: NDArray[np.float64] = firwin(2 * half + 1, nyquist * (1 - _TRANSITION / 2), window=("kaiser", beta))
    return taps
