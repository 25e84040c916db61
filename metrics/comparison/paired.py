"""Whether a figure changed between two runs of the same calls, by how much, and what could have been seen.

Calls are paired, and pairs are put into groups of calls that share something (a scenario): groups are alike
inside, so whole groups are resampled, both sides of a group together.

- **p** is exact at any number of groups. Were both runs of one kind, it would be chance which side of a group
  was the baseline: sides are swapped at random, group by group, and p is the share of swaps that differ as
  much (Good, *Permutation, Parametric and Bootstrap Tests of Hypotheses*, 2005, chapter 3). It is one-sided,
  for each side.
- The **interval** is a percentile bootstrap of the difference by group, its ends moved out for few groups as
  in :mod:`metrics.intervals`. It has 90 %, so that each of its ends is a bound that holds in 95 of 100.
- The **minimum detectable effect** is what would be found with 80 % probability at 5 % on that side:
  (t_0.95 + t_0.8) times the standard deviation of the resamples, with Student's t for so many groups.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtrit

from metrics.comparison.weighted import NEVER, Observed, Weights

Floats = NDArray[np.float64]

CONFIDENCE = 0.90
LEVEL = 0.05
"""Of a one-sided test."""
POWER = 0.8
FEWEST_GROUPS = 10
"""From so many groups on a resampling by group says something."""
_BEYOND = 1e14
"""A percentile that is not reached stands for more than this."""
_SAME = 1e-9


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How many random swaps and resamples a comparison takes."""

    swaps: int = 3999
    resamples: int = 2000


THOROUGH = Effort()


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Candidate minus baseline.

    Attributes:
        baseline, candidate: The figure of each side; None where it is not reached.
        estimate: Their difference; infinite where only one side is reached, NaN where neither is.
        low, high: 90 % interval; None where the data do not bound it. A resample in which neither side is
            reached could differ by anything, and counts against both ends.
        p_higher, p_lower: One-sided: how often chance alone makes the candidate so much higher, or lower.
        detectable: The smallest difference that would have been found in 80 of 100 such comparisons; None
            where it cannot be told.
        groups: How many were resampled.
        method: In words.
    """

    baseline: float | None
    candidate: float | None
    estimate: float
    low: float | None
    high: float | None
    p_higher: float
    p_lower: float
    detectable: float | None
    groups: int
    method: str

    @property
    def p(self) -> float:
        """Two-sided."""
        return min(1.0, 2.0 * min(self.p_higher, self.p_lower))


def compare(observed: Observed, *, seed: int, effort: Effort = THOROUGH) -> Difference:
    """The difference of a figure between two sides.

    Args:
        observed: The observations of both sides, by group; at least two groups.
        seed: Same seed and data, same result.

    Raises:
        ValueError: Fewer than two groups, or a side without observations.
    """
    groups = observed.groups
    if groups < 2:
        raise ValueError("a comparison needs two groups at least")
    rng = np.random.default_rng(seed)
    one = np.ones((1, groups))
    baseline, candidate = (float(side[0]) for side in observed.figures(Weights.of(one)))
    if math.isnan(baseline) or math.isnan(candidate):
        raise ValueError("a side has no observation")
    estimate = float(_difference(np.array([baseline]), np.array([candidate]), neither=0.0)[0])
    p_higher, p_lower, how = _by_swaps(observed, estimate, rng, effort.swaps)
    if min(baseline, candidate) > _BEYOND:
        estimate = math.nan
    drawn = rng.multinomial(groups, np.full(groups, 1.0 / groups), size=effort.resamples).astype(np.float64)
    sides = observed.figures(Weights.of(drawn))
    lows, highs = (_difference(*sides, neither=end) for end in (-NEVER, NEVER))
    lows, highs = lows[~np.isnan(lows)], highs[~np.isnan(highs)]
    low, high = _ends(lows, groups)[0], _ends(highs, groups)[1]
    return Difference(
        baseline=_reached(baseline),
        candidate=_reached(candidate),
        estimate=math.copysign(math.inf, estimate) if abs(estimate) > _BEYOND else estimate,
        low=_reached(low),
        high=_reached(high),
        p_higher=p_higher,
        p_lower=p_lower,
        detectable=_detectable(highs, groups),
        groups=groups,
        method=f"{how}; paired bootstrap of {groups} groups",
    )


def detectable_factor(groups: int) -> float:
    """(t_0.95 + t_0.8) for so many groups: standard errors that are found with 80 % probability."""
    freedom = max(1, groups - 1)
    return float(stdtrit(freedom, 0.5 + CONFIDENCE / 2) + stdtrit(freedom, POWER))


def _by_swaps(
    observed: Observed, estimate: float, rng: np.random.Generator, swaps: int
) -> tuple[float, float, str]:
    groups = observed.groups
    exact = 2**groups <= swaps
    if exact:
        numbers = np.arange(2**groups)[:, None]
        swapped = ((numbers >> np.arange(groups)) & 1).astype(np.float64)
    else:
        swapped = rng.integers(0, 2, size=(swaps, groups)).astype(np.float64)
    # A swap that reaches neither side counts as such data do, so that the test stays one of chance alone.
    found = _difference(*observed.figures(Weights.swapped(swapped)), neither=0.0)
    found = np.where(np.isnan(found), 0.0, found)
    tolerance = _SAME * max(1.0, abs(estimate))
    higher, lower = np.sum(found >= estimate - tolerance), np.sum(found <= estimate + tolerance)
    if exact:
        return float(higher / len(found)), float(lower / len(found)), f"exact: all {len(found)} swaps"
    return float((higher + 1) / (swaps + 1)), float((lower + 1) / (swaps + 1)), f"{swaps} random swaps"


def _difference(baseline: Floats, candidate: Floats, *, neither: float) -> Floats:
    """``neither`` stands where both figures are beyond reach: nobody knows by how much they differ."""
    both = (baseline > _BEYOND) & (candidate > _BEYOND)
    return np.where(both, neither, candidate - baseline)


def _ends(differences: Floats, groups: int) -> tuple[float, float]:
    wide = math.sqrt(groups / (groups - 1)) * float(stdtrit(groups - 1, 0.5 + CONFIDENCE / 2))
    tail = float(ndtr(-wide))
    low, high = np.quantile(differences, [tail, 1.0 - tail], method="inverted_cdf")
    return float(low), float(high)


def _detectable(differences: Floats, groups: int) -> float | None:
    if np.any(np.abs(differences) > _BEYOND):
        return None
    spread = float(np.std(differences)) * math.sqrt(groups / (groups - 1))
    return detectable_factor(groups) * spread if spread > 0 else None


def _reached(value: float) -> float | None:
    return None if abs(value) > _BEYOND else value


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for several questions at once (Holm, *Scand. Journal of Statistics* 6, 1979)."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, (len(p_values) - rank) * p_values[place])
        adjusted[place] = min(1.0, highest)
    return adjusted
