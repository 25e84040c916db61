"""The run's figures as the page shows them: cards, tables and what was not measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.analysis.error_bar import bar_standing
from harness.analysis.measures.base import MetricEntry
from harness.analysis.measures.conversation.interruptions import OUTCOME_WORDS
from harness.analysis.measures.table import catalogue
from harness.analysis.measures.units import Unit, unit_named
from harness.records.scores import InterruptionOutcome, Summary
from harness.reports.parts.formats import count, interval, not_reached, number, with_unit
from metrics.score import PercentileName, Score, Status, not_measured

STATUS_WORDS = {
    Status.NOT_APPLICABLE: "not measured",
    Status.INDETERMINATE: "indeterminate",
    Status.FAILED: "measurement failed",
}


@dataclass(frozen=True, kw_only=True)
class Percentile:
    name: str
    shown: str
    interval: str


@dataclass(frozen=True, kw_only=True)
class Share:
    """A part of a stacked bar, in percent of its width."""

    label: str
    n: int
    x: float
    width: float
    tone: str


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One metric, ready to be printed.

    Attributes:
        value: The exact figure of ``summary.json``; None where there is none, and then ``shown`` is empty.
        absent: In words, where there is no value: "not measured", "not reached (> 8,000 ms)" or
            the like.
        error_bar: The widest of any observation's: the instrument's own part, as calibrated or else as
            assumed, and what packets leave open.
        counted: What the figure is made of, for instance "41 turns".
        reason: What qualifies the value, or why there is none.
        card: Its place among the figures shown first; None: it stands in the table below.
    """

    name: str
    label: str
    definition: str
    value: float | None
    shown: str
    unit: str
    absent: str
    interval: str
    interval_method: str
    error_bar: str
    counted: str
    percentiles: tuple[Percentile, ...]
    reason: str
    version: str
    card: int | None


@dataclass(frozen=True, kw_only=True)
class Unmeasured:
    """Metrics that lack a value for the same reason."""

    reason: str
    metrics: tuple[str, ...]


def figures(summary: Summary) -> list[Figure]:
    """Every metric of the catalogue, then those that only this summary knows."""
    known = catalogue()
    unknown = [score for name, score in summary.metrics.items() if name not in known]
    entries = [*known.values(), *map(_unknown_entry, unknown)]
    return [
        _figure(
            entry,
            summary.metrics.get(entry.name),
            standing=bar_standing(entry.name, summary.calibrations),
        )
        for entry in entries
    ]


def cards(shown: Sequence[Figure]) -> list[Figure]:
    """The figures that the page shows first, measured or not."""
    return sorted((one for one in shown if one.card is not None), key=lambda one: one.card or 0)


def unmeasured(shown: Sequence[Figure]) -> list[Unmeasured]:
    """What has no value, grouped by reason, the particular reasons before the common one."""
    by_reason: dict[str, list[str]] = {}
    for figure in shown:
        if figure.value is None:
            by_reason.setdefault(figure.reason, []).append(figure.label)
    groups = [Unmeasured(reason=reason, metrics=tuple(names)) for reason, names in by_reason.items()]
    return sorted(groups, key=lambda group: len(group.metrics))


def outcome_shares(outcomes: dict[InterruptionOutcome, int]) -> list[Share]:
    """The stacked bar of what became of the interruptions; empty where there were none."""
    total = sum(outcomes.values())
    tones = {"stopped": "good", "not_stopped": "bad", "ended_by_itself": "idle", "indeterminate": "open"}
    shares: list[Share] = []
    reached = 0.0
    for outcome, words in OUTCOME_WORDS.items():
        n = outcomes.get(outcome, 0)
        if n:
            width = 100 * n / total
            shares.append(
                Share(label=words, n=n, x=round(reached, 3), width=round(width, 3), tone=tones[outcome])
            )
            reached += width
    return shares


def _figure(entry: MetricEntry, metric: Score | None, *, standing: str) -> Figure:
    if metric is None:
        metric = not_measured(entry.name, entry.unit.name, "not in summary.json")
    # A file of another version may have the metric in another unit.
    unit = entry.unit if metric.unit == entry.unit.name else unit_named(metric.unit)
    value = metric.value
    return Figure(
        name=entry.name,
        label=entry.label,
        definition=entry.explanation,
        value=value,
        shown="" if value is None else number(value, unit),
        unit=unit.suffix,
        absent="" if value is not None else _absent(metric, unit),
        interval=interval(metric.ci_low, metric.ci_high, unit),
        interval_method=metric.interval_method,
        error_bar=_error_bar(metric, standing),
        counted=_counted(entry, metric),
        percentiles=_percentiles(metric, unit),
        reason=metric.reason.removeprefix("not measured: "),
        version=metric.version,
        card=entry.card,
    )


def _absent(metric: Score, unit: Unit) -> str:
    beyond = metric.not_reached.get("p50")
    if beyond is not None:
        return not_reached(beyond, unit)
    return STATUS_WORDS.get(metric.status, str(metric.status))


def _error_bar(metric: Score, standing: str) -> str:
    if metric.resolution is None:
        return ""
    return f"±{metric.resolution:.1f}\u202f{metric.unit}{f', {standing}' if standing else ''}"


def _counted(entry: MetricEntry, metric: Score) -> str:
    if metric.value is None:
        return ""
    if entry.share:
        return f"{round(metric.value * metric.n)} of {count(metric.n, entry.counted)}"
    return count(metric.n, entry.counted)


def _percentiles(metric: Score, unit: Unit) -> tuple[Percentile, ...]:
    names: tuple[PercentileName, ...] = ("p50", "p90", "p95")
    percentiles = []
    for name in names:
        value, beyond = getattr(metric, name), metric.not_reached.get(name)
        if value is not None or beyond is not None:
            low, high = metric.percentile_intervals.get(name, (None, None))
            shown = with_unit(value, unit) if beyond is None else not_reached(beyond, unit)
            percentiles.append(Percentile(name=name, shown=shown, interval=interval(low, high, unit)))
    return tuple(percentiles)


def _unknown_entry(score: Score) -> MetricEntry:
    return MetricEntry(
        name=score.metric,
        label=score.metric.replace("_", " "),
        unit=unit_named(score.unit),
        better=None,
        definition="Not in this version's catalogue of metrics.",
    )
