"""How loud speech is, block by block, and how loud its loud part."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BLOCK_S = 0.0025
SILENCE_DBFS = -50.0
"""What lies below is no speech, whoever speaks."""
LOUD_QUANTILE = 0.7

Samples = NDArray[np.float32]
Levels = NDArray[np.float64]


def block_levels(audio: Samples, sample_rate_hz: int) -> Levels:
    """Level of each block of :data:`BLOCK_S`, in dBFS; at least -100."""
    size = round(BLOCK_S * sample_rate_hz)
    count = len(audio) // size
    blocks = audio[: count * size].astype(np.float64).reshape(count, size)
    return np.asarray(10 * np.log10(np.mean(blocks**2, axis=1) + 1e-10))


def loud_part(levels: Levels) -> float | None:
    """The level of the loud part of a stretch of speech, in dBFS; None: none of it is speech."""
    heard = levels[levels > SILENCE_DBFS]
    return float(np.quantile(heard, LOUD_QUANTILE)) if len(heard) else None
