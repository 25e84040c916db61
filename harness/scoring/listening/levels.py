"""Every sound of a page at one active speech level (ITU-T P.56), and nothing compressed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import gcd

import numpy as np
from numpy.typing import NDArray
from scipy.signal import resample_poly

from harness.errors import UserError
from metrics.listening.speech_level import active_speech_level

Samples = NDArray[np.float32]

RATE_HZ = 48_000
LEVEL_DBOV = -26.0
"""Of speech material, ITU-T P.56 and P.830; see :func:`at_one_level` for when it is less."""
PEAK = 0.98
GAP_S = 0.4
"""Between the pieces of a sound."""


def at_one_level(sounds: Sequence[Sequence[Samples]]) -> tuple[list[Samples], float]:
    """Sounds of one or several pieces at 48 kHz, each piece at the same speech level, joined.

    Returns:
        The sounds, and their level in dBov: -26, or as far below as the loudest peak of all asks for.

    Raises:
        UserError: A piece has no speech level.
    """
    aligned, loudest = [], 0.0
    for pieces in sounds:
        alike = []
        for piece in pieces:
            level = active_speech_level(piece, RATE_HZ)
            if level is None:
                raise UserError("a sound of the page is silent, and cannot be brought to the others' level")
            alike.append(piece.astype(np.float64) * 10.0 ** ((LEVEL_DBOV - level) / 20.0))
            loudest = max(loudest, float(np.max(np.abs(alike[-1]))))
        aligned.append(alike)
    less = min(1.0, PEAK / loudest) if loudest else 1.0
    gap = np.zeros(round(GAP_S * RATE_HZ))
    joined = []
    for alike in aligned:
        parts = [part for piece in alike for part in (piece, gap)][:-1]
        joined.append((np.concatenate(parts) * less).astype(np.float32))
    return joined, LEVEL_DBOV + 20.0 * math.log10(less)


def at_page_rate(samples: Samples, sample_rate_hz: int) -> Samples:
    """The same at 48 kHz."""
    divisor = gcd(sample_rate_hz, RATE_HZ)
    return np.asarray(
        resample_poly(samples.astype(np.float64), RATE_HZ // divisor, sample_rate_hz // divisor),
        dtype=np.float32,
    )
