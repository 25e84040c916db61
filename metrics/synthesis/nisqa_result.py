"""What NISQA says of a clip; to be read without the networks that say it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class NaturalnessResult:
    """Output of the naturalness model: 1 (robotic) to 5 (natural)."""

    naturalness: float


@dataclass(frozen=True, kw_only=True)
class QualityResult:
    """Outputs of the quality model, 1 to 5; higher is better in each (5 = not noisy, right level ...)."""

    mos: float
    noisiness: float
    discontinuity: float
    coloration: float
    loudness: float


NisqaResult = NaturalnessResult | QualityResult
