"""Speech by construction: harmonics through formants that go from sound to sound."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

RATE = 16_000
SOUND_S = 0.09
Samples = NDArray[np.float32]


def sounds(text: str) -> list[tuple[float, float, float]]:
    """Three formants for each letter, always the same; a blank is none."""
    drawn = [np.random.default_rng(ord(letter)) for letter in text]
    return [
        (float(one.uniform(250, 900)), float(one.uniform(1000, 2000)), float(one.uniform(2100, 3200)))
        for one in drawn
    ]


def spoken(
    parts: Sequence[tuple[str, float]], *, pitch_hz: float = 120.0, slope: float = 0.0, rate_hz: int = RATE
) -> Samples:
    """Parts joined, each letter :data:`SOUND_S` times its part's slowness; ``_`` is 0.3 s of silence.

    Args:
        pitch_hz, slope: Of the first sample, and octaves that it rises by until the last.
    """
    letters = [(letter, slow) for text, slow in parts for letter in text]
    lengths = [0.3 if letter == "_" else SOUND_S * slow for letter, slow in letters]
    ends = np.cumsum(lengths)
    middles = ends - np.array(lengths) / 2
    t = np.arange(round(ends[-1] * rate_hz)) / rate_hz
    voiced = np.array([0.0 if letter == "_" else 1.0 for letter, _ in letters])
    level = voiced[np.minimum(np.searchsorted(ends, t, side="right"), len(letters) - 1)]
    level = np.convolve(level, np.ones(rate_hz // 100) / (rate_hz // 100), mode="same")
    formants = np.array(sounds("".join(letter for letter, _ in letters)))
    tracks = [np.interp(t, middles, formants[:, number]) for number in range(3)]
    pitch = pitch_hz * 2 ** (slope * t / t[-1])
    phase = 2 * np.pi * np.cumsum(pitch) / rate_hz
    sound = np.zeros(len(t))
    for harmonic in range(1, int(3400 / pitch_hz)):
        at = harmonic * pitch
        gain = sum(1 / (1 + ((at - track) / 90) ** 2) for track in tracks)
        sound += gain * np.sin(harmonic * phase) / harmonic**0.5
    sound *= level
    return np.asarray(0.1 * sound / np.sqrt(np.mean(sound[level > 0.5] ** 2)), np.float32)


def span_of(parts: Sequence[tuple[str, float]], number: int) -> tuple[float, float]:
    """Where a part of :func:`spoken` begins and ends, in seconds."""
    lengths = [sum(0.3 if letter == "_" else SOUND_S * slow for letter in text) for text, slow in parts]
    return sum(lengths[:number]), sum(lengths[: number + 1])
