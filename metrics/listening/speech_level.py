"""Active speech level by ITU-T P.56 (12/2011), method B: how loud speech is while somebody speaks.

The envelope is two exponential averages of 0.03 s one after the other; a sample is active where it reaches a
threshold, and for 0.2 s after. The level is that of the threshold which lies 15.9 dB below it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.signal import lfilter

TIME_CONSTANT_S = 0.03
HANGOVER_S = 0.2
MARGIN_DB = 15.9
THRESHOLDS = 2.0 ** -np.arange(15, 0, -1)
"""From 2^-15 to half of full scale, a factor of two apart."""


def active_speech_level(audio: NDArray[np.float32], sample_rate_hz: int) -> float | None:
    """The level while speech is active, in dBov (0 is a square wave of full scale).

    Args:
        audio: Mono, full scale at ±1.

    Returns:
        None where there is no sound, or it is too soft or too short to have a level.
    """
    samples = np.asarray(audio, dtype=np.float64)
    energy = float(samples @ samples)
    if energy == 0.0:
        return None
    keep = math.exp(-1.0 / (sample_rate_hz * TIME_CONSTANT_S))
    once = lfilter([1.0 - keep], [1.0, -keep], np.abs(samples))
    envelope = lfilter([1.0 - keep], [1.0, -keep], once)
    hangover = math.ceil(HANGOVER_S * sample_rate_hz)
    places = np.arange(len(samples))
    before: tuple[float, float] | None = None
    for threshold in THRESHOLDS:
        reached = np.maximum.accumulate(np.where(envelope >= threshold, places, -hangover - 1))
        active = int(np.count_nonzero(places - reached <= hangover))
        if not active:
            return None
        level = 10.0 * math.log10(energy / active)
        above = level - 20.0 * math.log10(threshold)
        if above <= MARGIN_DB:
            if before is None:
                return None  # softer than the lowest threshold can tell
            before_level, before_above = before
            share = (before_above - MARGIN_DB) / (before_above - above)
            return before_level + share * (level - before_level)
        before = (level, above)
    return None
