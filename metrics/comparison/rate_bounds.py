"""The interval of the difference of two paired rates whose coverage holds whatever the rates are.

Newcombe's and the plain score interval are right on average: with 30 pairs an end that should miss the truth
in 5 of 100 misses it in up to 7, depending on the rates and on how the sides go together. Here each end is
the exact unconditional one: the score test (Tango, *Statistics in Medicine* 17, 1998, pp. 891-908) of "the
candidate's rate is at most so much higher" orders the tables, and the chance of a table as extreme is the
largest over all shares of pairs that could differ (Suissa and Shuster, *Biometrics* 47, 1991, pp. 361-372;
for margins Hsueh, Liu and Chen, *Biometrics* 57, 2001, pp. 478-483). The end is where that chance is 5 %.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc, gammaln, xlog1py, xlogy

from metrics.comparison.paired import LEVEL

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

_FEWEST_PLACES, _MOST_PLACES, _WORK = 64, 256, 20_000
"""How many shares of lost pairs are tried, towards both ends closer together: with few pairs the largest
chance is a narrow peak, with many it hardly varies (and each costs more)."""
_ROUNDS = 18
"""Halvings: an end is right to 2 / 2^18."""
_TIE = 1e-9


def exact_ends(n: int, baseline_only: int, candidate_only: int) -> tuple[float, float]:
    """Ends of the difference of the rates, candidate minus baseline: each misses in at most 5 of 100.

    Args:
        n: Pairs, of which ``baseline_only`` succeeded on the baseline's side alone, ``candidate_only`` on the
            candidate's.

    Raises:
        ValueError: No pair, or more that differ than there are.
    """
    if n < 1 or min(baseline_only, candidate_only) < 0 or baseline_only + candidate_only > n:
        raise ValueError(f"{baseline_only} and {candidate_only} of {n} pairs cannot differ")
    return _low(n, baseline_only, candidate_only), -_low(n, candidate_only, baseline_only)


@lru_cache(maxsize=4096)
def _low(n: int, lost: int, won: int) -> float:
    below, above = -1.0, (won - lost) / n
    for _ in range(_ROUNDS):
        middle = (below + above) / 2
        if _chance(n, lost, won, middle) <= LEVEL:
            below = middle
        else:
            above = middle
    return below


def _chance(n: int, lost: int, won: int, change: float) -> float:
    """The largest chance of a table as far above ``change`` as this one, over the share of pairs lost."""
    needed = _needed(n, float(_scores(n, np.array([lost]), np.array([won]), change)[0]), change)
    every = np.arange(n + 1)
    # From as few as a change of this size allows to as many, close together at the ends.
    fewest, most = max(0.0, -change), (1.0 - change) / 2
    places = min(_MOST_PLACES, max(_FEWEST_PLACES, _WORK // n))
    turn = (1.0 - np.cos(np.linspace(0.0, math.pi, places + 2)[1:-1])) / 2
    shares = (fewest + (most - fewest) * turn)[:, None]
    wins = shares + change
    log_ways = gammaln(n + 1) - gammaln(every + 1) - gammaln(n - every + 1)
    rest = n - every
    chances = np.exp(log_ways + xlogy(every, shares) + xlog1py(rest, -shares))
    # Of the pairs that were not lost, so many are won: a binomial tail.
    won_of_rest = np.clip(wins / np.maximum(1.0 - shares, _TIE), 0.0, 1.0)
    tails = np.where(needed <= 0, 1.0, bdtrc(np.clip(needed - 1, 0, rest), rest, won_of_rest))
    return float((chances * np.where(needed > rest, 0.0, tails)).sum(axis=1).max())


def _needed(n: int, score: float, change: float) -> Counts:
    """For each number of pairs lost, the fewest won that score as much (more than there are: none do)."""
    lost = np.arange(n + 1)
    low, high = np.full(n + 1, -1), n - lost + 1
    while np.any(high - low > 1):
        middle = (low + high) // 2
        enough = _scores(n, lost, np.maximum(middle, 0), change) >= score - _TIE
        tried = high - low > 1
        high = np.where(tried & enough, middle, high)
        low = np.where(tried & ~enough, middle, low)
    return high.astype(np.int64)


def _scores(n: int, lost: Counts, won: Counts, change: float) -> Floats:
    """Tango's statistic: how far the tables lie above ``change``, in standard errors under it."""
    linear = -won - lost + (2 * n - won + lost) * change
    constant = -lost * change * (1.0 - change)
    share = (np.sqrt(np.maximum(linear**2 - 8.0 * n * constant, 0.0)) - linear) / (4.0 * n)
    variance = n * (2.0 * share + change * (1.0 - change))
    above = won - lost - n * change
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = above / np.sqrt(np.maximum(variance, 0.0))
    # Where nothing could vary, what is not the expected table is as far away as can be.
    certain = np.where(np.abs(above) < _TIE, 0.0, np.copysign(np.inf, above))
    return np.where(variance > _TIE, scores, certain)
