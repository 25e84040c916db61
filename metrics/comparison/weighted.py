"""Figures of two sides under many weightings of their groups at once: resamples and swaps are weights.

A mean, a share and an error rate are sums over sums; a percentile comes from the sorted observations, with
those that never came censored (Kaplan and Meier, as in :mod:`metrics.survival`). Both sides, and every
weighting of them, take one definition: a step of that curve is not the percentile between two observations,
and the difference of the two would be none of the agent's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from metrics.survival import Waited

Floats = NDArray[np.float64]
NEVER = 1e15
"""Stands for "not reached" while weightings are compared."""
_AT_ONCE = 2_000_000
"""Weights that are held in memory together."""
_ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True)
class Weights:
    """A row a weighting, a column a group.

    Attributes:
        own: How often a side counts a group's own observations.
        other: How often it counts those of the group's other side.
    """

    own: Floats
    other: Floats

    @classmethod
    def of(cls, own: Floats) -> Weights:
        """Each side counts its own."""
        return cls(own=own, other=np.zeros_like(own))

    @classmethod
    def swapped(cls, swapped: Floats) -> Weights:
        """1 where the sides of a group change places."""
        return cls(own=1.0 - swapped, other=swapped)

    def rows(self, at_once: int) -> Iterator[Weights]:
        for begin in range(0, len(self.own), at_once):
            yield Weights(own=self.own[begin : begin + at_once], other=self.other[begin : begin + at_once])


class Observed(Protocol):
    """The observations of both sides, by group."""

    @property
    def groups(self) -> int: ...

    def figures(self, weights: Weights) -> tuple[Floats, Floats]:
        """The figure of the baseline and of the candidate under each weighting; NaN without observations."""
        ...


@dataclass(frozen=True, kw_only=True)
class Sums:
    """Figures that are a sum over a sum; arrays of (numerator, denominator) by group."""

    baseline: Floats
    candidate: Floats

    @classmethod
    def of(
        cls,
        baseline: Sequence[Sequence[tuple[float, float]]],
        candidate: Sequence[Sequence[tuple[float, float]]],
    ) -> Sums:
        """From each group's observations of (numerator, denominator)."""
        return cls(baseline=_summed(baseline), candidate=_summed(candidate))

    @property
    def groups(self) -> int:
        return len(self.baseline)

    def figures(self, weights: Weights) -> tuple[Floats, Floats]:
        sides = []
        for own, other in ((self.baseline, self.candidate), (self.candidate, self.baseline)):
            sums = weights.own @ own + weights.other @ other
            with np.errstate(invalid="ignore", divide="ignore"):
                sides.append(np.where(sums[:, 1] > 0, sums[:, 0] / sums[:, 1], np.nan))
        return sides[0], sides[1]


class Percentile:
    """A percentile of all observations of a side: by Kaplan and Meier on both sides where anything on either
    is censored, else between the two nearest observations.

    Args:
        q: From 0 to 100.
        baseline, candidate: Each group's observations.
    """

    def __init__(
        self, q: float, baseline: Sequence[Sequence[Waited]], candidate: Sequence[Sequence[Waited]]
    ) -> None:
        if len(baseline) != len(candidate):
            raise ValueError("both sides have the same groups")
        self._share = q / 100.0
        self._groups = len(baseline)
        flat = [
            (one.time, not one.came, group, side)
            for side, groups in enumerate((baseline, candidate))
            for group, waited in enumerate(groups)
            for one in waited
        ]
        flat.sort()
        times = np.array([min(one[0], NEVER) for one in flat], dtype=np.float64)
        self._times = times
        self._came = np.array([not one[1] for one in flat], dtype=bool)
        self._nothing_censored = bool(self._came.all())
        self._group = np.array([one[2] for one in flat], dtype=np.int64)
        self._candidate = np.array([one[3] == 1 for one in flat], dtype=bool)

    @property
    def groups(self) -> int:
        return self._groups

    def figures(self, weights: Weights) -> tuple[Floats, Floats]:
        found: tuple[list[Floats], list[Floats]] = ([], [])
        for some in weights.rows(max(1, _AT_ONCE // max(1, len(self._times)))):
            alone = not some.other.any()
            for side, mine in enumerate((~self._candidate, self._candidate)):
                own = some.own[:, self._group[mine]]
                if alone:
                    found[side].append(self._percentiles(own, self._times[mine], self._came[mine]))
                    continue
                both = np.empty((len(own), len(self._times)))
                both[:, mine] = own
                both[:, ~mine] = some.other[:, self._group[~mine]]
                found[side].append(self._percentiles(both, self._times, self._came))
        return np.concatenate(found[0]), np.concatenate(found[1])

    def _percentiles(self, weights: Floats, times: Floats, came: NDArray[np.bool_]) -> Floats:
        if not len(times):
            return np.full(len(weights), np.nan)
        reached = np.cumsum(weights, axis=1)
        total = reached[:, -1]
        if self._nothing_censored:
            found = self._plain(times, reached, total)
        else:
            found = self._censored(times, came, weights, reached, total)
        return np.where(total > 0, found, np.nan)

    def _plain(self, times: Floats, reached: Floats, total: Floats) -> Floats:
        """Between the two nearest observations, as numpy's default."""
        place = self._share * (total - 1.0)
        below = np.floor(place + _ROUNDING)
        above = below + 1.0
        last = len(times) - 1
        low = np.minimum((reached <= below[:, None] + _ROUNDING).sum(axis=1), last)
        high = np.minimum((reached <= above[:, None] + _ROUNDING).sum(axis=1), last)
        return np.asarray(times[low] + (place - below) * (times[high] - times[low]))

    def _censored(
        self, times: Floats, came: NDArray[np.bool_], weights: Floats, reached: Floats, total: Floats
    ) -> Floats:
        waiting = total[:, None] - reached + weights
        with np.errstate(invalid="ignore", divide="ignore"):
            stay = np.where(came & (weights > 0), 1.0 - weights / waiting, 1.0)
        beyond = np.cumprod(np.maximum(stay, 0.0), axis=1)
        enough = (beyond <= 1.0 - self._share + _ROUNDING) & came
        first = enough.argmax(axis=1)
        return np.where(enough.any(axis=1), times[first], NEVER)


def _summed(groups: Sequence[Sequence[tuple[float, float]]]) -> Floats:
    return np.array(
        [[sum(one[0] for one in group), sum(one[1] for one in group)] for group in groups], dtype=np.float64
    ).reshape(len(groups), 2)
