"""How a reading differs from a neutral one of the same words: pitch, its range, loudness, rate.

These are proxies. They say that a voice did something else for sad news than for the time of day, not that it
sounded sad: ``emotion_match`` needs people or an audio model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.synthesis.prosody.alignment import align
from metrics.synthesis.prosody.frames import Frames, frames_of
from metrics.synthesis.prosody.pitch import pitch_of
from metrics.synthesis.prosody.rate import FARTHEST, NotComparableError

VERSION = "1"
LEAST_SHARED_S = 0.8
ACTIVE_BELOW_LOUD_DB = 20.0
_BLOCK_S = 0.02

Samples = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class ProsodyShift:
    """Of what both readings share, the reading against the neutral one.

    Attributes:
        f0_semitones: Median pitch; None with ``f0_range_semitones`` where too little is voiced.
        f0_range_semitones: How much wider its range is.
        level_db: How much louder its loud parts are.
        rate_ratio: Articulation rate over the neutral one's: above 1 is faster.
    """

    f0_semitones: float | None
    f0_range_semitones: float | None
    level_db: float
    rate_ratio: float


def prosody_shift(reading: Samples, neutral: Samples, sample_rate_hz: int) -> ProsodyShift:
    """Compares two readings of the same carrier; what stands before it may differ.

    Raises:
        NotComparableError: They share too little.
        UnreadableError: One of them is silent, too short or too long.
    """
    one, other = frames_of(reading, sample_rate_hz), frames_of(neutral, sample_rate_hz)
    try:
        shared = align(one.features, other.features)
    except ValueError as error:
        raise NotComparableError(str(error)) from error
    first, last = shared.path[0], shared.path[-1]
    lengths = last - first + 1
    if shared.distance > FARTHEST or min(lengths) * 0.01 < LEAST_SHARED_S:
        raise NotComparableError("the readings share too little to be of the same words")
    here = _between(reading, sample_rate_hz, one, int(first[0]), int(last[0]))
    there = _between(neutral, sample_rate_hz, other, int(first[1]), int(last[1]))
    pitches = pitch_of(here, sample_rate_hz), pitch_of(there, sample_rate_hz)
    f0 = f0_range = None
    if pitches[0] is not None and pitches[1] is not None:
        f0 = float(12 * np.log2(pitches[0].median_hz / pitches[1].median_hz))
        f0_range = pitches[0].range_semitones - pitches[1].range_semitones
    return ProsodyShift(
        f0_semitones=f0,
        f0_range_semitones=f0_range,
        level_db=loud_level_dbfs(here, sample_rate_hz) - loud_level_dbfs(there, sample_rate_hz),
        rate_ratio=float(lengths[1] / lengths[0]),
    )


def loud_level_dbfs(audio: Samples, sample_rate_hz: int) -> float:
    """Mean power of the blocks of 20 ms that lie less than 20 dB below the loudest, in dBFS.

    -100: silence.
    """
    size = round(_BLOCK_S * sample_rate_hz)
    count = len(audio) // size
    blocks = audio[: count * size].astype(np.float64).reshape(count, size)
    power = np.mean(blocks**2, axis=1)
    if not len(power) or power.max() <= 1e-10:
        return -100.0
    active = power[power > power.max() * 10 ** (-ACTIVE_BELOW_LOUD_DB / 10)]
    return float(10 * np.log10(np.mean(active)))


def _between(audio: Samples, sample_rate_hz: int, frames: Frames, first: int, last: int) -> Samples:
    start, end = frames.times_s[first], frames.times_s[last]
    return audio[round(start * sample_rate_hz) : round((end + 0.01) * sample_rate_hz)]
