"""Percentiles of a time that some never came to: Kaplan and Meier's estimate, with intervals by call.

An agent that leaves a question unanswered has no latency there, but it is known that the latency was longer
than the time waited. Such an observation is *censored* (on the right). The product-limit estimate uses what
is known of it (Kaplan & Meier, "Nonparametric Estimation from Incomplete Observations", *Journal of the
American Statistical Association* 53, 1958): with d of the n that were still waited for at time t seen at t,
the share beyond t is multiplied by (n - d) / n. What is censored at t was still waited for at t.

The q-th percentile is the first time at which no more than 1 - q of all are beyond. Where more than that
share is beyond the longest time known of, the percentile is **not reached**: no number, only a lower bound.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.intervals import DEFAULT_RESAMPLES, Interval, Values, bootstrap_all_by_call
from metrics.stats import without_ends_that_few_cannot_give

LEVELS = (50.0, 90.0, 95.0)
_NEVER = 1e15
"""Stands for "beyond every time" while resamples are compared; never leaves this file."""
_ROUNDING = 1e-9
"""A share that ought to be exactly 1 - q may come out this much higher: it is a product of many quotients."""


@dataclass(frozen=True, kw_only=True)
class Waited:
    """One observation.

    Attributes:
        time: When it came; or, where it did not, how long it is known not to have come. May be negative.
            ``math.inf``: it never came, and never could have.
        came: False for a censored one.
    """

    time: float
    came: bool = True

    def __post_init__(self) -> None:
        if math.isnan(self.time) or self.time == -math.inf or (self.came and math.isinf(self.time)):
            raise ValueError(f"a time that something came at is a finite number, not {self.time}")


@dataclass(frozen=True, kw_only=True)
class Curve:
    """The share that is beyond each of some times.

    Attributes:
        times: At which something came, ascending, each once.
        beyond: The share that comes later than that, as estimated.
        known_to: The longest finite time of any observation, censored or not.
    """

    times: tuple[float, ...]
    beyond: tuple[float, ...]
    known_to: float

    def percentile(self, q: float) -> float | None:
        """The first time by which ``q`` percent have come; None: not reached.

        Raises:
            ValueError: ``q`` outside 0-100.
        """
        if not 0.0 <= q <= 100.0:
            raise ValueError(f"a percentile lies between 0 and 100, not at {q}")
        allowed = 1.0 - q / 100.0 + _ROUNDING
        return next(
            (time for time, left in zip(self.times, self.beyond, strict=True) if left <= allowed), None
        )


@dataclass(frozen=True, kw_only=True)
class CensoredPercentile:
    """One percentile: its value, or where there is none the time that it lies beyond, and its interval."""

    value: float | None
    not_before: float | None
    interval: Interval


@dataclass(frozen=True, kw_only=True)
class CensoredDistribution:
    """What :func:`summarize_censored` says: ``n`` observations, ``censored`` of them, by percentile."""

    n: int
    censored: int
    p50: CensoredPercentile
    p90: CensoredPercentile
    p95: CensoredPercentile


def kaplan_meier(observations: Sequence[Waited]) -> Curve:
    """The product-limit estimate.

    Raises:
        ValueError: No observations at all.
    """
    if not observations:
        raise ValueError("a curve needs at least one observation")
    times, came = _arrays(observations)
    beyond = _beyond(came.astype(np.float64), np.ones(len(times)))
    # Of several that came at one time the last has all of them multiplied in.
    last = np.flatnonzero(came & np.append((times[1:] != times[:-1]) | ~came[1:], True))
    finite = times[np.isfinite(times)]
    return Curve(
        times=tuple(times[last].tolist()),
        beyond=tuple(beyond[last].tolist()),
        known_to=float(finite[-1]) if len(finite) else 0.0,
    )


def summarize_censored(
    by_call: Mapping[str, Sequence[Waited]],
    *,
    confidence: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int,
) -> CensoredDistribution:
    """Median, p90 and p95, each with its interval from resampling whole calls.

    Resamples in which a percentile is not reached count as beyond every time: an end of the interval that
    falls there is None. Ends that so few observations cannot bound are None as in
    :func:`metrics.stats.summarize_distribution`.

    Raises:
        ValueError: No observations at all.
    """
    everything = [one for call in sorted(by_call) for one in by_call[call]]
    curve = kaplan_meier(everything)
    order = _order(everything)
    times, came = _arrays(everything)
    # The bootstrap draws numbers: here the place of each observation in the order of time.
    place = np.empty(len(everything))
    place[order] = np.arange(len(everything))
    places: dict[str, list[float]] = {}
    start = 0
    for call in sorted(by_call):
        places[call] = place[start : start + len(by_call[call])].tolist()
        start += len(by_call[call])

    def percentiles(drawn: Values) -> Values:
        rows = np.atleast_2d(drawn).astype(np.int64)
        shape = len(rows), len(times)
        own_places = rows + np.arange(shape[0])[:, None] * shape[1]
        counted = np.bincount(own_places.ravel(), minlength=math.prod(shape))
        weights = counted.reshape(shape).astype(np.float64)
        beyond = _beyond(weights * came, weights)
        found = []
        for q in LEVELS:
            # The share falls only where something that was drawn came: the first place is such a one.
            reached = beyond <= 1.0 - q / 100.0 + _ROUNDING
            found.append(np.where(reached.any(axis=1), times[reached.argmax(axis=1)], _NEVER))
        return np.stack(found, axis=-1).reshape(*drawn.shape[:-1], len(LEVELS))

    intervals = bootstrap_all_by_call(
        places, percentiles, confidence=confidence, resamples=resamples, seed=seed, by_row=True
    )
    p50, p90, p95 = (
        _percentile(curve, q, without_ends_that_few_cannot_give(q, interval))
        for q, interval in zip(LEVELS, intervals, strict=True)
    )
    censored = sum(not one.came for one in everything)
    return CensoredDistribution(n=len(everything), censored=censored, p50=p50, p90=p90, p95=p95)


def _percentile(curve: Curve, q: float, interval: Interval) -> CensoredPercentile:
    value = curve.percentile(q)
    low, high = (
        None if end is None or end > curve.known_to else end for end in (interval.low, interval.high)
    )
    if low is None and interval.low is not None:
        # Nearly every resample is beyond what is known: so is the lower end.
        low = curve.known_to
    return CensoredPercentile(
        value=value,
        not_before=None if value is not None else curve.known_to,
        interval=replace(interval, low=low, high=high),
    )


def _order(observations: Sequence[Waited]) -> NDArray[np.int64]:
    """By time; what came before what is censored at the same time."""
    times = np.array([one.time for one in observations])
    censored = np.array([not one.came for one in observations])
    return np.asarray(np.lexsort((censored, times)), dtype=np.int64)


def _arrays(observations: Sequence[Waited]) -> tuple[Values, NDArray[np.bool_]]:
    """Times and whether something came, in :func:`_order`."""
    order = _order(observations)
    times = np.array([one.time for one in observations], dtype=np.float64)
    came = np.array([one.came for one in observations])
    return times[order], came[order]


def _beyond(came: Values, weights: Values) -> Values:
    """The share beyond each observation, in order of time; of several resamples a row each.

    Observations of one time are taken one after the other: (n - 1) / n · (n - 2) / (n - 1) is (n - 2) / n,
    so the last of them has the value of all.

    Args:
        came: How many of each came.
        weights: How many of each there are.
    """
    waited_for = np.cumsum(weights[..., ::-1], axis=-1)[..., ::-1]
    left = np.divide(waited_for - came, waited_for, out=np.ones_like(waited_for), where=waited_for > 0)
    return np.asarray(np.cumprod(left, axis=-1), dtype=np.float64)
