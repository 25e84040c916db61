"""The probes of a run, a section a suite, each item with where to listen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from harness.analysis.measures.base import MetricEntry, ScoredCall
from harness.analysis.measures.probes.transcribed import as_in_the_run
from harness.analysis.measures.table import catalogue, measures
from harness.analysis.measures.units import RATIO
from harness.records.scores import ProbeAttention, ProbeHearing, ProbeReading, Summary
from harness.reports.parts.formats import clock
from harness.reports.probed.dialogues import dialogue_told, dialogues_table
from harness.reports.probed.of_suites import metrics_of
from harness.reports.probed.readings import reading_is_wrong, reading_told, readings_table
from harness.reports.probed.tables import ProbeTable, line_told, table_of, went_wrong
from harness.runs.reader import CallFiles
from metrics.score import Status
from spoken_language.plurals import plural


@dataclass(frozen=True, kw_only=True)
class ProbeItem:
    """One place of a call and what a figure says of it."""

    call_id: str
    time: str
    what: str
    did: bool


@dataclass(frozen=True, kw_only=True)
class ProbeFigure:
    """A figure of a suite: in words, what qualifies it, and every item behind it, those that count first.

    A suite that is spoken has its items in the section, because several figures may rest on them.
    """

    label: str
    definition: str
    told: str
    reason: str
    items: tuple[ProbeItem, ...]


@dataclass(frozen=True, kw_only=True)
class ProbeSection:
    """A suite of the run.

    Attributes:
        table: What was made of the lines of a suite that is spoken, counted.
        lines: Each of them, those that went wrong first.
    """

    suite: str
    about: str
    figures: tuple[ProbeFigure, ...]
    table: ProbeTable | None = None
    lines: tuple[ProbeItem, ...] = ()


def probe_sections(calls: Sequence[CallFiles], summary: Summary) -> tuple[ProbeSection, ...]:
    """A section for each suite that the run has calls of.

    Args:
        calls: Without those that are set aside because our own caller was at fault.
    """
    plans = [call.record.plan for call in calls if call.record and call.record.plan.probe]
    probes = [plan.probe for plan in plans if plan.probe]
    suites = list(dict.fromkeys(probe.suite for probe in probes))
    metrics_of_suite = {
        suite: metrics_of([plan for plan in plans if plan.probe and plan.probe.suite == suite])
        for suite in suites
    }
    times = Counter(name for names in metrics_of_suite.values() for name in names)
    shared = {name for name, n in times.items() if n > 1}
    sections = []
    for suite in suites:
        own = [probe for probe in probes if probe.suite == suite]
        planted = [one for probe in own for one in probe.planted]
        versions = ", ".join(sorted({f"{probe.version}, {probe.size}" for probe in own}))
        controls = sum(one.control for one in planted)
        sounds = "sounds planted" if any(one.is_line for one in planted) else "answers with an echo"
        what = f"{len(planted) - controls} {sounds}, {controls} places without"
        if asked := sum(len(probe.asked) for probe in own):
            what = f"{asked} lines said to the agent"
        if attended := [one for probe in own for one in probe.attended]:
            alone = sum(one.control for one in attended)
            what = f"{len(attended) - alone} dialogues with another voice, {alone} without"
        if to_read := sum(len(probe.to_read) for probe in own):
            what = f"{to_read} sentences to be read aloud"
        calls_of_suite = [call for call in calls if _suite_of(call) == suite]
        own_summary = _with_own(summary, calls_of_suite, shared.intersection(metrics_of_suite[suite]))
        heard, dialogues, read = _heard(calls, suite), _dialogues(calls, suite), _read(calls, suite)
        sections.append(
            ProbeSection(
                suite=suite,
                about=f"version {versions}: {len(own)} calls, {what}",
                figures=tuple(
                    figure_of(name, calls_of_suite, own_summary) for name in metrics_of_suite[suite]
                ),
                table=table_of([one for _, one in heard])
                or dialogues_table([one for _, one in dialogues])
                or readings_table([one for _, one in read]),
                lines=_lines(heard) or _told(dialogues) or _readings(read),
            )
        )
    return tuple(sections)


def _suite_of(call: CallFiles) -> str:
    probe = call.record.plan.probe if call.record else None
    return probe.suite if probe else ""


def _with_own(summary: Summary, calls: Sequence[CallFiles], shared: Collection[str]) -> Summary:
    """With the figures of a suite's own calls where several suites of the run have the same figure."""
    scored = [
        ScoredCall(scores=call.scores, plan=call.record.plan)
        for call in calls
        if call.scores and call.record and call.record.status.took_place
    ]
    own = {one.entry.name: one.pool(scored) for one in measures() if one.entry.name in shared}
    return summary.model_copy(update={"metrics": {**summary.metrics, **own}})


def _figure_told(value: float, n: int, entry: MetricEntry) -> str:
    """``1 of 7 turns, 14%``; of what is no count, ``8% over 7 turns``."""
    things = f"{n} {entry.counted if n == 1 else plural(entry.counted)}"
    number = _number_told(value, entry)
    return f"{round(value * n)} of {things}, {number}" if entry.share else f"{number} over {things}"


def _number_told(value: float, entry: MetricEntry) -> str:
    return f"{value:.0%}" if entry.unit is RATIO else f"{entry.unit.number(value)} {entry.unit.suffix}"


def _heard(calls: Sequence[CallFiles], suite: str) -> list[tuple[str, ProbeHearing]]:
    """The lines of a suite, each with its call; without calls that are in no figure."""
    found = [
        (call.call_id, one)
        for call in calls
        if call.scores and call.record and call.record.status.took_place
        for one in call.scores.hearings
        if one.suite == suite
    ]
    known = as_in_the_run([one for _, one in found])
    return [(call_id, one) for (call_id, _), one in zip(found, known, strict=True)]


def _dialogues(calls: Sequence[CallFiles], suite: str) -> list[tuple[str, ProbeAttention]]:
    """The dialogues with another voice of a suite, each with its call."""
    return [
        (call.call_id, one)
        for call in calls
        if call.scores and call.record and call.record.status.took_place
        for one in call.scores.attention
        if one.suite == suite
    ]


def _read(calls: Sequence[CallFiles], suite: str) -> list[tuple[str, ProbeReading]]:
    """The sentences of a suite that is read aloud, each with its call."""
    return [
        (call.call_id, one)
        for call in calls
        if call.scores and call.record and call.record.status.took_place
        for one in call.scores.readings
        if one.suite == suite
    ]


def _readings(read: Sequence[tuple[str, ProbeReading]]) -> tuple[ProbeItem, ...]:
    items = [
        ProbeItem(
            call_id=call_id, time=clock(one.start_s or 0.0), what=reading_told(one), did=reading_is_wrong(one)
        )
        for call_id, one in read
    ]
    return tuple(sorted(items, key=lambda one: not one.did))


def _told(dialogues: Sequence[tuple[str, ProbeAttention]]) -> tuple[ProbeItem, ...]:
    items = [
        ProbeItem(
            call_id=call_id,
            time=clock(one.start_s or 0.0),
            what=dialogue_told(one),
            did=one.success is False,
        )
        for call_id, one in dialogues
    ]
    return tuple(sorted(items, key=lambda one: not one.did))


def _lines(heard: Sequence[tuple[str, ProbeHearing]]) -> tuple[ProbeItem, ...]:
    items = [
        ProbeItem(call_id=call_id, time=clock(one.start_s or 0.0), what=line_told(one), did=went_wrong(one))
        for call_id, one in heard
    ]
    return tuple(sorted(items, key=lambda one: not one.did))


def figure_of(name: str, calls: Sequence[CallFiles], summary: Summary) -> ProbeFigure:
    """A figure whose evidence are places to listen to, those that speak against the agent first.

    Args:
        calls: Without those that are set aside because our own caller was at fault.
    """
    entry = catalogue()[name]
    score = summary.metrics.get(name)
    told = "not measured"
    if score is not None and score.status is Status.MEASURED and score.value is not None:
        told = _figure_told(score.value, score.n, entry)
        if score.ci_low is not None and score.ci_high is not None:
            low, high = (_number_told(bound, entry) for bound in (score.ci_low, score.ci_high))
            told += f" (95 % interval {low} to {high})"
    items = [
        ProbeItem(
            call_id=call.call_id,
            time=clock(one.start_s or 0.0),
            what=one.text,
            did=bool(one.value),
        )
        for call in calls
        if call.scores and call.record and call.record.status.took_place
        for found in call.scores.scores
        if found.metric == name
        for one in found.evidence
    ]
    return ProbeFigure(
        label=entry.label,
        definition=entry.explanation,
        told=told,
        reason=score.reason if score is not None else "",
        # What speaks against the agent first.
        items=tuple(sorted(items, key=lambda one: one.did != (entry.better == "lower"))),
    )
