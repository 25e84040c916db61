"""From values of many calls to one entry of ``summary.json``, with its interval.

The statistics are :mod:`metrics.stats`; this file only gives them the shape of the file. Every function takes
its observations by call id, because intervals resample whole calls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from harness.records.metric_catalogue import BY_NAME
from harness.records.scores import WordCounts
from metrics.intervals import bootstrap_mean_by_call
from metrics.score import Score, Status, not_measured
from metrics.stats import (
    Interval,
    bootstrap_ratio_by_call,
    minimum_n,
    summarize_distribution,
    wilson,
)

SEED = 20_260_101
"""Of the bootstrap, fixed so that the same calls always give the same interval."""


def missing(name: str, reasons: Sequence[str], *, status: Status = Status.NOT_APPLICABLE) -> Score:
    """The entry of a metric without a value; without ``reasons`` the catalogue's own is given."""
    entry = BY_NAME[name]
    reason = "; ".join(reasons) or entry.when_absent
    return not_measured(name, entry.unit, f"not measured: {reason}", status=status)


def distribution(
    name: str,
    by_call: Mapping[str, Sequence[float]],
    *,
    notes: Sequence[str] = (),
    resolution: float | None = None,
    version: str = "1",
) -> Score:
    """Median (the headline), p90 and p95 over all calls; ``by_call`` must hold at least one value."""
    found = summarize_distribution(by_call, seed=SEED)
    qualified = list(notes)
    if found.n < minimum_n(95):
        qualified.append(f"p95 of {found.n} observations is close to the largest of them")
    return _measured(
        name,
        found.value,
        found.n,
        found.p50.interval,
        notes=qualified,
        version=version,
        p50=found.p50.value,
        p90=found.p90.value,
        p95=found.p95.value,
        percentile_intervals={
            "p50": (found.p50.interval.low, found.p50.interval.high),
            "p90": (found.p90.interval.low, found.p90.interval.high),
            "p95": (found.p95.interval.low, found.p95.interval.high),
        },
        resolution=resolution,
    )


def mean(
    name: str, by_call: Mapping[str, Sequence[float]], *, notes: Sequence[str] = (), version: str = "1"
) -> Score:
    """The mean over all observations; ``by_call`` must hold at least one value."""
    values = [value for call_values in by_call.values() for value in call_values]
    interval = bootstrap_mean_by_call(by_call, seed=SEED)
    return _measured(name, float(np.mean(values)), len(values), interval, notes=notes, version=version)


def error_rate(
    name: str, counts: Mapping[str, WordCounts], *, notes: Sequence[str] = (), version: str = "1"
) -> Score:
    """Errors over reference length, each summed over the calls; some reference must not be empty.

    A call in which nothing was said but words were heard adds its insertions to the errors. ``n`` is the
    summed reference length.
    """
    errors = sum(count.errors for count in counts.values())
    reference = sum(count.reference for count in counts.values())
    interval = bootstrap_ratio_by_call(
        {call: [(count.errors, count.reference)] for call, count in counts.items()}, seed=SEED
    )
    if len(counts) == 1 and not interval.bounded:
        # Its counts are kept by call, so there is nothing smaller to resample.
        interval = replace(interval, method="no interval: one call only")
    return _measured(name, errors / reference, reference, interval, notes=notes, version=version)


def proportion(name: str, successes: int, n: int, *, notes: Sequence[str] = (), version: str = "1") -> Score:
    """``successes`` out of ``n`` > 0 with Wilson's interval."""
    return _measured(name, successes / n, n, wilson(successes, n), notes=notes, version=version)


def _measured(
    name: str,
    value: float,
    n: int,
    interval: Interval,
    *,
    notes: Sequence[str],
    version: str,
    **percentiles: object,
) -> Score:
    return Score.model_validate(
        {
            "metric": name,
            "value": value,
            "unit": BY_NAME[name].unit,
            "n": n,
            "status": Status.MEASURED,
            "reason": "; ".join(notes),
            "ci_low": interval.low,
            "ci_high": interval.high,
            "interval_method": interval.method.replace("unbounded, for an interval", "no interval: it"),
            "version": version,
            **percentiles,
        }
    )
