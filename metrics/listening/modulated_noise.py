"""The modulated noise reference unit of ITU-T P.810: degradation of a known strength.

Noise that follows the speech, ``Q`` dB below it at every moment. The unit's own band filters are those of
narrowband telephony; wideband sound goes without them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def with_modulated_noise(audio: NDArray[np.float32], q_db: float, *, seed: int) -> NDArray[np.float32]:
    """``audio`` with multiplicative Gaussian noise ``q_db`` below it. The result may exceed ±1.

    The same seed gives the same samples.
    """
    noise = np.random.default_rng(seed).standard_normal(len(audio))
    return np.asarray(audio * (1.0 + 10.0 ** (-q_db / 20.0) * noise), dtype=np.float32)
