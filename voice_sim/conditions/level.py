"""How loud speech is, and how high its peaks are.

0 dBFS is an RMS of 1.0 throughout (a full-scale sine reads -3.01 dBFS).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.signal import resample_poly

FloatArray = NDArray[np.floating[Any]]

FRAME_MS = 10

ACTIVITY_MARGIN_DB = 15.9
"""A frame is active when it is no more than this below the active level itself: the margin of ITU-T P.56."""

TRUE_PEAK_OVERSAMPLING = 4
"""As in ITU-R BS.1770 annex 2 for 48 kHz."""


def amplitude(level_dbfs: float) -> float:
    """The linear amplitude of a level: 1.0 for 0 dBFS."""
    return float(10.0 ** (level_dbfs / 20.0))


def rms_dbfs(samples: FloatArray) -> float:
    """RMS of all samples in dBFS; minus infinity for digital silence."""
    power = float(np.mean(np.square(samples, dtype=np.float64))) if samples.size else 0.0
    return 10.0 * math.log10(power) if power > 0.0 else -math.inf


def active_level_dbfs(samples: FloatArray, *, sample_rate_hz: int) -> float:
    """RMS over the active 10 ms frames, in dBFS: the level of the speech, whatever pauses are in it.

    Active are the frames whose RMS is no more than 15.9 dB below the result (the margin of ITU-T P.56, here
    without its 200 ms hang time: short pauses between words do not count either). Scaling the samples by a
    gain moves the result by exactly that gain. Minus infinity for digital silence.
    """
    frame = sample_rate_hz * FRAME_MS // 1000
    count = samples.size // frame
    if count == 0:
        return rms_dbfs(samples)
    framed = samples[: count * frame].reshape(count, frame).astype(np.float64)
    power = np.mean(np.square(framed), axis=1)
    if not np.any(power > 0.0):
        return -math.inf
    margin = 10.0 ** (-ACTIVITY_MARGIN_DB / 10.0)
    active = power
    # Dropping quiet frames only raises the mean, so the set shrinks until it is stable.
    while True:
        louder = active[active >= active.mean() * margin]
        if louder.size == active.size:
            return 10.0 * math.log10(float(active.mean()))
        active = louder


def true_peak(samples: FloatArray) -> float:
    """Largest magnitude between the samples too, by four-fold oversampling; 0.0 for no samples."""
    if samples.size == 0:
        return 0.0
    oversampled = resample_poly(samples.astype(np.float64), TRUE_PEAK_OVERSAMPLING, 1)
    return float(max(np.max(np.abs(oversampled)), np.max(np.abs(samples))))
