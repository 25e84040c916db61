"""Clips made by formula, so that values of other implementations can be pinned without shipping audio."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def voice_like(duration_s: float, rate_hz: int) -> NDArray[np.float32]:
    """A gliding buzz in syllables, with a resonance that moves and a hiss between: no voice, but lively.

    It holds every harmonic below half the rate, so that its band is as wide as the rate allows.
    """
    t = np.arange(int(duration_s * rate_hz)) / rate_hz
    pitch_hz = 120.0 + 30.0 * np.sin(2 * np.pi * 0.7 * t)
    phase = 2 * np.pi * np.cumsum(pitch_hz) / rate_hz
    resonance_hz = 900.0 + 600.0 * np.sin(2 * np.pi * 1.3 * t)
    buzz = np.zeros_like(t)
    for harmonic in range(1, int(0.49 * rate_hz / 150.0) + 1):
        frequency_hz = harmonic * pitch_hz
        weight = 1.0 / (1.0 + ((frequency_hz - resonance_hz) / 400.0) ** 2) + 0.02 / harmonic
        buzz += weight * np.sin(harmonic * phase)
    syllables = np.maximum(0.0, np.sin(2 * np.pi * 3.1 * t)) ** 0.5
    hiss = np.modf(np.sin(np.arange(t.size) * 12.9898) * 43758.5453)[0]
    clip: NDArray[np.float32] = (0.1 * buzz * syllables + 0.005 * hiss).astype(np.float32)
    return clip
