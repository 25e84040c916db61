"""Figures of components and their differences: what both tables are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

import numpy as np
from pydantic import BaseModel, ConfigDict

from harness.analysis.components.kept import Result
from metrics.comparison.paired import compare, holm
from metrics.comparison.weighted import Sums
from metrics.intervals import BY_CALL, bootstrap_mean_by_call, bootstrap_ratio_by_call, wilson
from metrics.recognition.error_rate import TextTooLong, Unit, edits
from metrics.score import Score, Status, not_measured

SEED = 16
BY_GROUP = "bootstrap by group"
"""``Score.interval_method`` where nothing makes the interval doubtful."""
MOST_FAILED = 0.05
"""A system that gave nothing for a larger share of items gets no figure: which it left out is no chance."""

Counts = dict[str, tuple[float, float]]
"""Numerator and denominator of each item."""


class SystemRow(BaseModel):
    """One system in one language.

    Attributes:
        items, failed: How many there were, and for how many of them the system gave nothing.
        why_failed: The first reason.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    system: str
    identity: str
    language: str
    items: int
    failed: int
    why_failed: str = ""
    scores: dict[str, Score]


class SystemDifference(BaseModel):
    """Two systems on the items that both did: the second minus the first.

    Attributes:
        low, high: 90 %, so that each end is a bound that holds in 95 of 100.
        p: Two-sided, by swaps within pairs; ``p_adjusted``: by Holm over all lines of the table.
        pairs: Independent groups that were compared.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    metric: str
    language: str
    baseline: str
    candidate: str
    estimate: float
    low: float | None
    high: float | None
    p: float
    p_adjusted: float
    pairs: int


class ComponentTable(BaseModel):
    """What a try of several systems found, as ``--json`` prints it.

    Attributes:
        kind: ``asr`` or ``tts``.
        complete: False where it was cut off: figures are of what was done.
        notes: What qualifies the figures.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str
    folder: str
    complete: bool
    rows: tuple[SystemRow, ...]
    differences: tuple[SystemDifference, ...]
    notes: tuple[str, ...] = ()


def counts_of(
    pairs: Mapping[str, tuple[str, str]], written: Callable[[str], str], unit: Unit
) -> tuple[Counts, list[str]]:
    """Edits and reference length of each item after a way of writing; and items too long to align."""
    counts: Counts = {}
    too_long = []
    for item, (reference, hypothesis) in pairs.items():
        try:
            rate = edits(written(reference), written(hypothesis), unit=unit)
        except TextTooLong:
            too_long.append(item)
            continue
        counts[item] = (float(rate.errors), float(rate.reference_length))
    return counts, too_long


def ratio(
    metric: str, counts: Counts, groups: Mapping[str, str], *, version: str = "1", share: bool = False
) -> Score:
    """A pooled rate with its interval by group.

    Args:
        share: It is so many of the items, so that no value is beyond 1.
    """
    total = sum(below for _, below in counts.values())
    if not total:
        return not_measured(metric, "ratio", "no reference to compare with", version=version)
    by_group: dict[str, list[tuple[float, float]]] = {}
    for item, pair in counts.items():
        by_group.setdefault(groups[item], []).append(pair)
    interval = bootstrap_ratio_by_call(by_group, seed=SEED)
    value = sum(above for above, _ in counts.values()) / total
    if share and value == 1.0:
        # All resamples are 1, which would claim certainty.
        interval = wilson(round(total), round(total))
    return Score(
        metric=metric,
        unit="ratio",
        value=value,
        status=Status.MEASURED,
        n=round(total),
        ci_low=interval.low,
        ci_high=interval.high,
        interval_method=_by_group(interval.method),
        version=version,
    )


def mean(metric: str, unit: str, values: Mapping[str, float], groups: Mapping[str, str], why: str) -> Score:
    """A mean over items with its interval by group; with the median, p90 and p95 of the items."""
    if not values:
        return not_measured(metric, unit, why)
    by_group: dict[str, list[float]] = {}
    for item, value in values.items():
        by_group.setdefault(groups[item], []).append(value)
    interval = bootstrap_mean_by_call(by_group, seed=SEED)
    p50, p90, p95 = (float(one) for one in np.percentile(list(values.values()), (50, 90, 95)))
    return Score(
        metric=metric,
        unit=unit,
        value=float(np.mean(list(values.values()))),
        status=Status.MEASURED,
        n=len(values),
        ci_low=interval.low,
        ci_high=interval.high,
        p50=p50,
        p90=p90,
        p95=p95,
        interval_method=_by_group(interval.method),
    )


def _by_group(method: str) -> str:
    return BY_GROUP if method == BY_CALL else method.replace("call", "group")


def speed(
    took_s: Mapping[str, float], audio_s: Mapping[str, float], groups: Mapping[str, str]
) -> list[Score]:
    """``latency_s`` (of a whole clip) and ``real_time_factor`` (processing over sound)."""
    rtf = ratio("real_time_factor", {item: (took_s[item], audio_s[item]) for item in took_s}, groups)
    rtf = rtf.model_copy(update={"n": len(took_s)})
    return [mean("latency_s", "s", took_s, groups, "nothing was done"), rtf]


def notes_on_speed(found: Mapping[str, Mapping[str, Result]]) -> list[str]:
    """What there is to say where the systems were not all tried in one go.

    Args:
        found: By system and item.
    """
    times = {name: {one.measured_at for one in results.values()} for name, results in found.items()}
    every = sorted(set().union(*times.values()))
    if len(every) < 2:
        return []
    told = [f"{name} {' and '.join(at or 'earlier' for at in sorted(times[name]))}" for name in times]
    return [
        f"latency_s and real_time_factor are of {len(every)} tries of the command ({', '.join(told)}): the "
        "machine may have been busier in one; a new folder (--out) has all systems tried in one go"
    ]


def unless_failed(scores: Sequence[Score], *, failed: int, items: int) -> dict[str, Score]:
    """The scores by name; without values where the system gave nothing for too many items."""
    if items and failed / items > MOST_FAILED:
        why = f"gave nothing for {failed} of {items} items, and which those are is not chance"
        scores = [
            not_measured(one.metric, one.unit, why, status=Status.INDETERMINATE, version=one.version)
            for one in scores
        ]
    return {one.metric: one for one in scores}


def differences(
    figures: Mapping[tuple[str, str], Mapping[str, Counts]], groups: Mapping[str, str]
) -> list[SystemDifference]:
    """Each pair of systems, metric and language: paired by item, resampled and swapped by group.

    Args:
        figures: By system and language, then by metric: numerator and denominator of each item.
    """
    found = []
    for (one, language), (other, second) in combinations(figures, 2):
        if language != second:
            continue
        for metric in figures[one, language]:
            first, then = figures[one, language][metric], figures[other, second].get(metric, {})
            both: dict[str, list[str]] = {}
            for item in first.keys() & then.keys():
                both.setdefault(groups[item], []).append(item)
            if len(both) < 2:
                continue
            sums = Sums.of(
                [[first[item] for item in sorted(both[group])] for group in sorted(both)],
                [[then[item] for item in sorted(both[group])] for group in sorted(both)],
            )
            try:
                difference = compare(sums, seed=SEED)
            except ValueError:  # nothing but empty references
                continue
            found.append((metric, language, one, other, difference, len(both)))
    adjusted = holm([difference.p for *_, difference, _ in found])
    return [
        SystemDifference(
            metric=metric,
            language=language,
            baseline=one,
            candidate=other,
            estimate=difference.estimate,
            low=difference.low,
            high=difference.high,
            p=difference.p,
            p_adjusted=p,
            pairs=pairs,
        )
        for (metric, language, one, other, difference, pairs), p in zip(found, adjusted, strict=True)
    ]
