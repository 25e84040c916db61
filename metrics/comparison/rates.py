"""Rates of paired calls, one verdict a call and side: exact tests, and what so many pairs can see.

A pair says something only where its sides differ: b pairs where the baseline alone succeeded, c where the
candidate alone did. Were nothing changed, b would be binomial with b + c trials and one half (McNemar,
*Psychometrika* 12, 1947, in its exact form). The interval of the difference is the exact one
(:mod:`metrics.comparison.rate_bounds`); that of shares that are not paired is Newcombe's, his method 10
(*Statistics in Medicine* 17, 1998, pp. 873-890).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from metrics.comparison.paired import CONFIDENCE, LEVEL, POWER, Difference
from metrics.comparison.rate_bounds import exact_ends
from metrics.intervals import wilson

MOST_PAIRS = 5000
"""Of what is enumerated for the power of a test."""


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """How many pairs of calls succeeded on both sides, on one, on none."""

    both: int
    baseline_only: int
    candidate_only: int
    neither: int

    @property
    def n(self) -> int:
        return self.both + self.baseline_only + self.candidate_only + self.neither


def compare_rates(pairs: Pairs, *, lower_is_better: bool = False) -> Difference:
    """The difference of the rates, candidate minus baseline.

    Args:
        lower_is_better: What could have been seen is then a rise.

    Raises:
        ValueError: No pair.
    """
    n = pairs.n
    if n == 0:
        raise ValueError("no pairs")
    b, c = pairs.baseline_only, pairs.candidate_only
    baseline, candidate = (pairs.both + b) / n, (pairs.both + c) / n
    low, high = exact_ends(n, b, c)
    return Difference(
        baseline=baseline,
        candidate=candidate,
        estimate=candidate - baseline,
        low=low,
        high=high,
        p_higher=_tail(c, b + c),
        p_lower=_tail(b, b + c),
        detectable=detectable_change(n, baseline, worse=not lower_is_better),
        groups=n,
        method=f"McNemar's exact test and exact interval of {n} pairs",
    )


@lru_cache(maxsize=4096)
def detectable_change(n: int, baseline: float, *, worse: bool = True) -> float | None:
    """The smallest fall (where not ``worse``: rise) of a rate that n pairs find with 80 % probability at 5 %
    on that side.

    As though the sides of a pair had nothing to do with each other, so that it is rather too large than too
    small. None where no change is large enough to be found.
    """
    rate, most = _rate_and_most(n, baseline, worse)
    if _power(n, rate, most, worse) < POWER:
        return None
    low, high = 0.0, most
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (low, middle) if _power(n, rate, middle, worse) >= POWER else (middle, high)
    return high


@lru_cache(maxsize=4096)
def pairs_needed(change: float, baseline: float, *, worse: bool = True) -> int | None:
    """How many pairs find such a change of a rate with 80 % probability; None: more than anybody places."""
    change = abs(change)
    if change <= 0:
        return None
    high = 10
    while not _finds(high, baseline, change, worse):
        high *= 2
        if high > MOST_PAIRS:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _finds(middle, baseline, change, worse) else (middle, high)
    return high


def _finds(n: int, baseline: float, change: float, worse: bool) -> bool:
    """Whether so many pairs find a change with 80 % probability: :func:`detectable_change` is no larger."""
    rate, most = _rate_and_most(n, baseline, worse)
    return _power(n, rate, min(change, most), worse) >= POWER


def _rate_and_most(n: int, baseline: float, worse: bool) -> tuple[float, float]:
    """The rate that n pairs leave possible, and by how much it can change.

    What was never seen to fail may fail all the same: the rate is not taken to be nearer to the end.
    """
    rate = min(max(baseline, 0.5 / n), 1.0 - 0.5 / n)
    return rate, rate if worse else 1.0 - rate


def _power(n: int, rate: float, change: float, worse: bool) -> float:
    """Of the exact one-sided test, sides independent."""
    other = rate - change if worse else rate + change
    lost, won = rate * (1 - other), other * (1 - rate)
    if not worse:
        lost, won = won, lost
    discordant = lost + won
    if discordant <= 0:
        return 0.0
    from scipy.stats import binom  # a second of import, for who compares rates

    counts = np.arange(n + 1)
    needed = _needed(n)
    reached = binom.sf(needed - 1, counts, lost / discordant)
    return float(np.sum(binom.pmf(counts, n, discordant) * np.where(needed <= counts, reached, 0.0)))


@lru_cache(maxsize=64)
def _needed(n: int) -> NDArray[np.int64]:
    """For each number of discordant pairs, how many on one side are significant (one more than there are:
    none is enough)."""
    from scipy.stats import binom

    counts = np.arange(n + 1)
    needed = binom.isf(LEVEL, counts, 0.5).astype(np.int64) + 1
    needed[0] = 1
    return np.asarray(needed)


def _tail(k: int, n: int) -> float:
    """The chance of k or more of n; of none or more it is 1."""
    from scipy.special import bdtrc

    return float(bdtrc(k - 1, n, 0.5))


def newcombe_of_two(baseline: float, candidate: float, n: int) -> tuple[float, float]:
    """Interval of the difference of two independent shares of n each (Newcombe's method 10 for those)."""
    both = round(baseline * n), round(candidate * n)
    one, two = (wilson(successes, n, confidence=CONFIDENCE) for successes in both)
    assert one.low is not None
    assert one.high is not None
    assert two.low is not None
    assert two.high is not None
    change = candidate - baseline
    down = math.hypot(candidate - two.low, one.high - baseline)
    up = math.hypot(two.high - candidate, baseline - one.low)
    return change - down, change + up
