"""Many observations in a few figures: percentiles, how sure they are, and when there are too few to say.

Intervals themselves are made in :mod:`metrics.intervals`; its names can be had from here too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from metrics.intervals import (
    BY_CALL,
    DEFAULT_RESAMPLES,
    Interval,
    Values,
    bootstrap_all_by_call,
    bootstrap_by_call,
    bootstrap_ratio_by_call,
    finite_values,
    wilson,
)
from metrics.score import Evidence, Score, Status, not_measured

__all__ = [
    "Distribution",
    "Estimate",
    "Interval",
    "bootstrap_by_call",
    "bootstrap_ratio_by_call",
    "distribution_score",
    "minimum_n",
    "minimum_n_for_bound",
    "percentile",
    "summarize_distribution",
    "wilson",
]


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A figure with its interval."""

    value: float
    interval: Interval


@dataclass(frozen=True, kw_only=True)
class Distribution:
    """What :func:`summarize_distribution` says about many observations. The headline is ``p50``.

    Latencies are skewed: one stalled turn moves the mean of a call but not what its user mostly met,
    hence the median as headline, and p90 and p95 for the tail.
    """

    n: int
    calls: int
    mean: float
    minimum: float
    maximum: float
    p50: Estimate
    p90: Estimate
    p95: Estimate

    @property
    def value(self) -> float:
        """The headline: the median."""
        return self.p50.value

    def to_score(
        self,
        *,
        metric: str,
        unit: str,
        evidence: Sequence[Evidence] = (),
        resolution: float | None = None,
        version: str = "1",
    ) -> Score:
        """The distribution as a :class:`Score`; its ``reason`` says what makes the intervals doubtful."""
        caveats = []
        if self.p50.interval.method != BY_CALL:
            caveats.append(f"interval of the median: {self.p50.interval.method}")
        if not self.p95.interval.bounded:
            caveats.append(f"p95: {_shortage(95.0, self.n, self.p95.interval.confidence)}")
        return Score(
            metric=metric,
            unit=unit,
            value=self.value,
            status=Status.MEASURED,
            reason="; ".join(caveats),
            n=self.n,
            ci_low=self.p50.interval.low,
            ci_high=self.p50.interval.high,
            p50=self.p50.value,
            p90=self.p90.value,
            p95=self.p95.value,
            resolution=resolution,
            evidence=tuple(evidence),
            version=version,
        )


def percentile(values: Sequence[float] | Values, q: float) -> float:
    """The ``q``-th percentile (0-100), linear between order statistics.

    With the n values sorted x[0]..x[n-1] and h = (n - 1) q / 100, it is x[floor h] + (h - floor h)
    (x[floor h + 1] - x[floor h]): type 7 of Hyndman & Fan (1996), the default of numpy, R and Excel.

    Raises:
        ValueError: No values, a value that is not finite, or ``q`` outside 0-100.
    """
    if not 0.0 <= q <= 100.0:
        raise ValueError(f"a percentile lies between 0 and 100, not at {q}")
    return float(np.percentile(finite_values(values), q, method="linear"))


def minimum_n(q: float) -> int:
    """Fewest observations with which the ``q``-th percentile is more than the largest (or smallest) value.

    That is 1 / min(p, 1 - p): 2 for the median, 10 for p90, 20 for p95, 100 for p99. With fewer, less
    than one observation is expected beyond the percentile.
    """
    return math.ceil(round(100.0 / min(q, 100.0 - q), 6))


def minimum_n_for_bound(q: float, *, confidence: float = 0.95) -> int:
    """Fewest independent observations that bound the ``q``-th percentile on both sides.

    All n observations lie below the percentile with probability p^n, and then nothing bounds it from
    above; so p^n (for q > 50; (1 - p)^n below) must not exceed (1 - confidence) / 2. For 95 %: 6 for the
    median, 36 for p90, 72 for p95 (David & Nagaraja, *Order Statistics*, 2003, section 7.1).
    """
    p = max(q, 100.0 - q) / 100.0
    return math.ceil(math.log((1.0 - confidence) / 2.0) / math.log(p))


def summarize_distribution(
    values_by_call: Mapping[str, Sequence[float]],
    *,
    confidence: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int,
) -> Distribution:
    """Median, p90 and p95 of all observations, each with its interval by call.

    An end that so many observations cannot bound is None: both with fewer than :func:`minimum_n`, the
    upper one with fewer than :func:`minimum_n_for_bound` (the lower one too, for the median). So p95 has
    no interval below 20 observations, only a lower bound from 20 to 71, and both from 72.

    Raises:
        ValueError: No observations at all, or one that is not finite.
    """
    everything = finite_values([value for call in sorted(values_by_call) for value in values_by_call[call]])
    levels = (50.0, 90.0, 95.0)
    intervals = bootstrap_all_by_call(
        values_by_call,
        lambda drawn: np.percentile(drawn, levels, axis=-1).T,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        by_row=True,
    )
    p50, p90, p95 = (
        Estimate(value=percentile(everything, q), interval=without_ends_that_few_cannot_give(q, interval))
        for q, interval in zip(levels, intervals, strict=True)
    )
    return Distribution(
        n=len(everything),
        calls=sum(1 for values in values_by_call.values() if len(values)),
        mean=float(everything.mean()),
        minimum=float(everything.min()),
        maximum=float(everything.max()),
        p50=p50,
        p90=p90,
        p95=p95,
    )


def distribution_score(
    values_by_call: Mapping[str, Sequence[float]],
    *,
    metric: str,
    unit: str,
    seed: int,
    reason_when_empty: str,
    evidence: Sequence[Evidence] = (),
    resolution: float | None = None,
    version: str = "1",
) -> Score:
    """:func:`summarize_distribution` as a score; not applicable, with the reason, where there is nothing."""
    if not any(len(values) for values in values_by_call.values()):
        return not_measured(metric, unit, reason_when_empty, version=version)
    return summarize_distribution(values_by_call, seed=seed).to_score(
        metric=metric, unit=unit, evidence=evidence, resolution=resolution, version=version
    )


def without_ends_that_few_cannot_give(q: float, interval: Interval) -> Interval:
    """The interval of the ``q``-th percentile without the ends that so few observations cannot bound.

    Both below :func:`minimum_n`; the upper one below :func:`minimum_n_for_bound` (the lower too, for the
    median).
    """
    shortage = _shortage(q, interval.n, interval.confidence)
    if not shortage:
        return interval
    if q == 50.0 or interval.n < minimum_n(q):
        return replace(interval, low=None, high=None, method=shortage)
    return replace(interval, high=None, method=f"{interval.method}; {shortage}")


def _shortage(q: float, n: int, confidence: float) -> str:
    """What ``n`` observations cannot say of a percentile; empty where they are enough."""
    needed = minimum_n_for_bound(q, confidence=confidence)
    if n >= needed:
        return ""
    if q == 50.0 or n < minimum_n(q):
        fewest = needed if q == 50.0 else minimum_n(q)
        return f"unbounded, for an interval needs {fewest} observations and has {n}"
    return f"unbounded above, for an upper bound needs {needed} observations and has {n}"
