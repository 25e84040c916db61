"""A hearing test that loudspeakers fail: three tones, one softer, another in antiphase.

Woods, Siegel, Traer and McDermott, "Headphone screening to facilitate web-based auditory experiments",
*Attention, Perception & Psychophysics* 79 (2017): 200 Hz, 1 s each; one is 6 dB softer, another has its
right channel inverted. Over headphones the softer one is the softest; over loudspeakers the inverted one
cancels in the room. At chance, five of six are right with a probability of 1.8 %.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FREQUENCY_HZ = 200.0
TONE_S, RAMP_S, GAP_S = 1.0, 0.1, 0.4
SOFTER_DB = 6.0
TONES = 3
TRIALS, RIGHT = 6, 5
"""So many times it is asked, and so many answers have to be right."""


def headphone_trial(
    *, softer: int, inverted: int, level: float = 0.2, sample_rate_hz: int = 8_000
) -> NDArray[np.float32]:
    """Three tones one after the other.

    Args:
        softer, inverted: Which, 1 to 3; not the same.
        level: Peak of the others, full scale at 1.

    Returns:
        (samples, 2).

    Raises:
        ValueError: They are the same, or none of the three.
    """
    if softer == inverted or not {softer, inverted} <= set(range(1, TONES + 1)):
        raise ValueError(f"softer {softer}, inverted {inverted}: two of the tones 1 to {TONES}")
    at_s = np.arange(round(TONE_S * sample_rate_hz)) / sample_rate_hz
    ramp = np.clip(np.minimum(at_s, at_s[::-1]) / RAMP_S, 0.0, 1.0)
    tone = level * np.sin(0.5 * np.pi * ramp) ** 2 * np.sin(2.0 * np.pi * FREQUENCY_HZ * at_s)
    gap = np.zeros((round(GAP_S * sample_rate_hz), 2))
    parts = []
    for number in range(1, TONES + 1):
        loud = tone * (10.0 ** (-SOFTER_DB / 20.0) if number == softer else 1.0)
        parts += [np.stack([loud, -loud if number == inverted else loud], axis=1), gap]
    return np.concatenate(parts[:-1]).astype(np.float32)
