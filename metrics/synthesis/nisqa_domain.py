"""Is a clip of the kind that NISQA was made for? A score of another kind still comes out, and means little.

The model was trained on utterances of several seconds. On clips with under about a second of speech its
values scatter. On telephone-band audio (nothing above 4 kHz) they measure the line more than the voice, and
must never be compared with values of wideband audio. A silent clip has no quality: it is refused, not scored.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.synthesis.mel import mono_float32

SILENCE_DBFS = -70.0
"""A clip whose loudest 20 ms stay below this is silent. Idle A-law, the loudest silence, is at -72."""
MIN_SPEECH_S = 1.0
ACTIVE_RANGE_DB = 35.0
"""Frames within this range of the loudest one count as speech."""
NARROWBAND_HZ = 4_250.0
"""Telephone band ends at 4 kHz; the rest is the skirt of a filter that brought it to a higher rate."""
BANDWIDTH_RANGE_DB = 40.0
"""A frequency belongs to the signal while its level is within this range of the strongest frequency's.

Wide enough for the sibilants of half a second of speech (they reach -35 dB), narrow enough for the skirts
of a resampler's filter. What it cannot see is a resampler that has no filter: images of the band below then
pass for wideband."""

_BAND_HZ = 125.0
_FRAME_S = 0.02
_SPECTRUM_S = 0.032
_MAX_SPECTRA = 4_000
"""Of a longer clip, this many frames spread over the whole of it are looked at: 128 s without a gap."""


class DomainWarning(StrEnum):
    """What makes a clip a poor subject; the value is the words that a report prints."""

    SHORT = "under 1 s of speech"
    NARROWBAND = "narrowband (nothing above 4 kHz)"
    SILENT = "silent"


def domain_warnings(audio: NDArray[Any], rate_hz: int) -> tuple[str, ...]:
    """Every :class:`DomainWarning` of a clip, worst first; empty for a clip that the model was made for.

    Args:
        audio: ``(samples,)`` or ``(samples, channels)``; see :func:`metrics.synthesis.mel.mono_float32`.
        rate_hz: Sample rate.

    Raises:
        ValueError: ``audio`` is not audio of that shape, or the rate is none.
    """
    if rate_hz < 1:
        raise ValueError(f"{rate_hz} Hz is no sample rate")
    samples = mono_float32(audio)
    if is_silent(samples, rate_hz):
        return (DomainWarning.SILENT,)
    found: list[str] = []
    if active_speech_s(samples, rate_hz) < MIN_SPEECH_S:
        found.append(DomainWarning.SHORT)
    if effective_bandwidth_hz(samples, rate_hz) <= NARROWBAND_HZ:
        found.append(DomainWarning.NARROWBAND)
    return tuple(found)


def is_silent(samples: NDArray[np.float32], rate_hz: int) -> bool:
    """Whether nothing in a clip rises above :data:`SILENCE_DBFS`; a constant offset is no sound."""
    levels_db = _frame_levels_db(samples, rate_hz)
    return levels_db.size == 0 or float(levels_db.max()) < SILENCE_DBFS


def active_speech_s(samples: NDArray[np.float32], rate_hz: int) -> float:
    """Seconds in which the level is within :data:`ACTIVE_RANGE_DB` of the clip's loudest 20 ms.

    An upper bound of the speech in it, since noise counts where it is loud: enough to tell a word from a
    sentence, no voice activity detector.
    """
    levels_db = _frame_levels_db(samples, rate_hz)
    if levels_db.size == 0:
        return 0.0
    threshold_db = max(SILENCE_DBFS, float(levels_db.max()) - ACTIVE_RANGE_DB)
    share = float(np.mean(levels_db >= threshold_db))
    return share * samples.size / rate_hz


def effective_bandwidth_hz(samples: NDArray[np.float32], rate_hz: int) -> float:
    """Upper end of what a clip's spectrum really holds, whatever its sample rate promises, in 125 Hz steps.

    The level of each frequency is the one that it reaches in the strongest 5 % of the frames, so that a few
    sibilants in a long sentence are enough to show that the band is there. 0 for a silent clip.
    """
    length = max(64, 2 ** round(np.log2(rate_hz * _SPECTRUM_S)))
    padded = np.pad(samples, (0, max(0, length - samples.size)))
    frames = np.lib.stride_tricks.sliding_window_view(padded, length)[:: length // 2]
    frames = frames[:: max(1, -(-len(frames) // _MAX_SPECTRA))]
    power = np.abs(np.fft.rfft((frames * np.blackman(length)).astype(np.float32))) ** 2
    reached = np.percentile(power, 95.0, axis=0)
    # Bin 0 and its neighbours hold an offset, if there is one.
    first = max(3, round(50.0 * length / rate_hz))
    reached = reached[first:]
    if not reached.size or float(reached.max()) <= 0.0:
        return 0.0
    bins_hz = (np.arange(reached.size) + first) * (rate_hz / length)
    bands = np.floor(bins_hz / _BAND_HZ).astype(np.int64)
    count = np.bincount(bands)
    level_db = 10 * np.log10(np.bincount(bands, weights=reached) / np.maximum(count, 1) + 1e-20)
    held = np.flatnonzero(level_db >= level_db.max() - BANDWIDTH_RANGE_DB)
    return min(float(held[-1] + 1) * _BAND_HZ, rate_hz / 2)


def _frame_levels_db(samples: NDArray[np.float32], rate_hz: int) -> NDArray[np.float64]:
    """RMS level in dBFS of each 20 ms; the last, shorter piece counts as one too."""
    if samples.size == 0:
        return np.empty(0)
    frame = max(1, round(rate_hz * _FRAME_S))
    centred = samples.astype(np.float64)
    centred -= centred.mean()
    energy = np.add.reduceat(centred**2, np.arange(0, centred.size, frame))
    lengths = np.full(energy.size, float(frame))
    lengths[-1] = centred.size - frame * (energy.size - 1)
    levels: NDArray[np.float64] = 10 * np.log10(energy / lengths + 1e-20)
    return levels
