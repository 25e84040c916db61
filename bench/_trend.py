"""Whether something grows: the slope of samples over time by least squares, with its 95 % interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

MIN_POINTS = 6
"""Fewer say nothing about a slope."""


@dataclass(frozen=True, kw_only=True)
class Trend:
    """A straight line through samples.

    Attributes:
        per_minute: Its slope, in the samples' unit per minute.
        low: Lower end of the slope's 95 % interval.
        high: Upper end.
        grown: The slope over the whole stretch, in the samples' unit.
        points: How many samples.
    """

    per_minute: float
    low: float
    high: float
    grown: float
    points: int

    def grows_by(self, least: float) -> bool:
        """Whether it surely grows, and by this much at least over the stretch: chance alone moves a count
        of sockets by some."""
        return self.low > 0 and self.grown >= least


def trend(at_s: Sequence[float], values: Sequence[float]) -> Trend | None:
    """The trend of ``values`` at the times ``at_s`` (seconds); None for fewer than :data:`MIN_POINTS`.

    Neighbouring samples resemble each other, so the interval counts only as many as are independent:
    n (1 - r) / (1 + r), with r the correlation of neighbouring residuals (Bayley and Hammersley 1946).
    """
    if len(values) < MIN_POINTS:
        return None
    minutes = np.asarray(at_s, np.float64) / 60
    line = stats.linregress(minutes, np.asarray(values, np.float64))
    residuals = np.asarray(values) - (line.intercept + line.slope * minutes)
    spread = float(residuals @ residuals)
    if spread <= 1e-18 * float(np.dot(values, values)):
        spread = 0.0  # rounding, no noise
    alike = max(0.0, float(residuals[:-1] @ residuals[1:]) / spread) if spread else 0.0
    independent = max(3.0, len(values) * (1 - alike) / (1 + alike))
    error = float(line.stderr) * np.sqrt((len(values) - 2) / (independent - 2)) if spread else 0.0
    half = float(stats.t.ppf(0.975, independent - 2)) * error
    return Trend(
        per_minute=float(line.slope),
        low=float(line.slope - half),
        high=float(line.slope + half),
        grown=float(line.slope * (minutes[-1] - minutes[0])),
        points=len(values),
    )
