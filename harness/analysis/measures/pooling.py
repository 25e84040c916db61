"""From what calls hold to one figure with its interval: the ready ways, for measures to choose from.

The statistics are :mod:`metrics.stats`; this file gives them the shape of a score. Observations come by call
id, because intervals resample whole calls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from harness.analysis.measures.base import MetricEntry, ScoredCall
from harness.analysis.measures.units import RATIO
from harness.records.scores import WordCounts
from metrics.intervals import bootstrap_mean_by_call, none_in
from metrics.score import PercentileName, Score, Status, not_measured
from metrics.stats import (
    Interval,
    bootstrap_ratio_by_call,
    minimum_n,
    summarize_distribution,
    wilson,
)
from metrics.survival import CensoredPercentile, Waited, summarize_censored

SEED = 20_260_101
"""Of the bootstrap, fixed so that the same calls always give the same interval."""

NOT_MEASURED = "not measured: "
"""How the reason of a figure begins that has no value."""


def missing(
    entry: MetricEntry, reasons: Sequence[str] = (), *, status: Status = Status.NOT_APPLICABLE
) -> Score:
    """The score of a metric without a value; without ``reasons`` the entry's own is given."""
    reason = "; ".join(reasons) or entry.when_absent
    return not_measured(entry.name, entry.unit.name, NOT_MEASURED + reason, status=status)


def observations(name: str, calls: Sequence[ScoredCall]) -> dict[str, list[float]]:
    """A metric's observations by call, where each is a piece of evidence with its value.

    Raises:
        ValueError: A call's score keeps evidence of a part of its observations only.
    """
    by_call: dict[str, list[float]] = {}
    for call in calls:
        for score in call.scores.scores:
            if score.metric == name and score.status is Status.MEASURED:
                values = [one.value for one in score.evidence if one.value is not None]
                if len(values) != score.n:
                    raise ValueError(
                        f"{name} of {call.scores.call_id}: {len(values)} of {score.n} observations are kept"
                    )
                by_call[call.scores.call_id] = values
    return by_call


def distribution(
    entry: MetricEntry,
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
    score = _measured(entry, found.value, found.n, found.p50.interval, notes=qualified, version=version)
    return score.model_copy(
        update={
            "p50": found.p50.value,
            "p90": found.p90.value,
            "p95": found.p95.value,
            "percentile_intervals": {
                "p50": (found.p50.interval.low, found.p50.interval.high),
                "p90": (found.p90.interval.low, found.p90.interval.high),
                "p95": (found.p95.interval.low, found.p95.interval.high),
            },
            "resolution": resolution,
        }
    )


def censored_distribution(
    entry: MetricEntry,
    by_call: Mapping[str, Sequence[Waited]],
    *,
    notes: Sequence[str] = (),
    resolution: float | None = None,
    version: str = "1",
) -> Score:
    """As :func:`distribution`, where some never came: percentiles by Kaplan and Meier.

    A percentile that is not reached has no value, and stands in ``not_reached``; where that is the median,
    there is no figure. Without anything censored it is the plain distribution. ``n`` counts censored ones
    too; ``by_call`` must hold at least one observation.
    """
    if all(one.came for call in by_call.values() for one in call):
        came = {call: [one.time for one in waited] for call, waited in by_call.items()}
        return distribution(entry, came, notes=notes, resolution=resolution, version=version)
    found = summarize_censored(by_call, seed=SEED)
    percentiles: dict[PercentileName, CensoredPercentile] = {
        "p50": found.p50,
        "p90": found.p90,
        "p95": found.p95,
    }
    beyond = {name: one.not_before for name, one in percentiles.items() if one.not_before is not None}
    told = [f"{' and '.join(beyond)} not reached"] if beyond else []
    update: dict[str, object] = {
        **{str(name): one.value for name, one in percentiles.items()},
        "not_reached": beyond,
        "percentile_intervals": {
            name: (one.interval.low, one.interval.high) for name, one in percentiles.items()
        },
        "n": found.n,
    }
    if found.p50.value is None:
        why = f"the median is not reached: {found.censored} of {found.n} are not known to have come"
        score = missing(entry, [why, *notes], status=Status.INDETERMINATE)
        return score.model_copy(update={**update, "version": version})
    qualified = [*notes, *told]
    score = _measured(entry, found.p50.value, found.n, found.p50.interval, notes=qualified, version=version)
    return score.model_copy(update={**update, "resolution": resolution})


def mean(
    entry: MetricEntry,
    by_call: Mapping[str, Sequence[float]],
    *,
    notes: Sequence[str] = (),
    version: str = "1",
) -> Score:
    """The mean over all observations; ``by_call`` must hold at least one value."""
    values = [value for call_values in by_call.values() for value in call_values]
    interval = bootstrap_mean_by_call(by_call, seed=SEED)
    return _measured(entry, float(np.mean(values)), len(values), interval, notes=notes, version=version)


def weighted_mean(
    entry: MetricEntry,
    by_call: Mapping[str, Sequence[tuple[float, float]]],
    *,
    notes: Sequence[str] = (),
    version: str = "1",
) -> Score:
    """The mean over observations of (value, weight), both at least 0; some weight must not be 0.

    ``n`` counts the observations. Where a share is 0 in all of them, or 1, every resample is the same and
    would claim certainty: the interval then is Wilson's for so many observations, whatever each weighs.
    """
    everything = [one for call in by_call.values() for one in call]
    total = sum(weight for _, weight in everything)
    value = sum(value * weight for value, weight in everything) / total
    parts = {call: [(value * weight, weight) for value, weight in one] for call, one in by_call.items()}
    interval = bootstrap_ratio_by_call(parts, seed=SEED)
    n = len(everything)
    if entry.unit is RATIO and value in (0.0, 1.0):
        interval = wilson(round(value) * n, n)
    return _measured(entry, value, n, interval, notes=notes, version=version)


def per_minute(
    entry: MetricEntry,
    by_call: Mapping[str, Sequence[tuple[float, float]]],
    *,
    notes: Sequence[str] = (),
    version: str = "1",
) -> Score:
    """Events in a minute over observations of (events a minute, seconds); some must last. ``n`` counts them.

    Where nothing was counted the interval is Poisson's for none in so many minutes.
    """
    found = weighted_mean(entry, by_call, notes=notes, version=version)
    if found.value:
        return found
    minutes = sum(seconds for call in by_call.values() for _, seconds in call) / 60
    return _measured(entry, 0.0, found.n, none_in(minutes, n=found.n), notes=notes, version=version)


def error_rate(
    entry: MetricEntry,
    counts: Mapping[str, WordCounts],
    *,
    notes: Sequence[str] = (),
    version: str = "1",
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
    if not interval.bounded:
        # Counts are kept by call, so that one call has nothing smaller to resample.
        interval = replace(interval, method="no interval: one call only")
    return _measured(entry, errors / reference, reference, interval, notes=notes, version=version)


def proportion(
    entry: MetricEntry, successes: int, n: int, *, notes: Sequence[str] = (), version: str = "1"
) -> Score:
    """``successes`` out of ``n`` > 0 with Wilson's interval."""
    return _measured(entry, successes / n, n, wilson(successes, n), notes=notes, version=version)


def _measured(
    entry: MetricEntry, value: float, n: int, interval: Interval, *, notes: Sequence[str], version: str
) -> Score:
    return Score(
        metric=entry.name,
        value=value,
        unit=entry.unit.name,
        n=n,
        status=Status.MEASURED,
        reason="; ".join(notes),
        ci_low=interval.low,
        ci_high=interval.high,
        interval_method=interval.method.replace("unbounded, for an interval", "no interval: it"),
        version=version,
    )
