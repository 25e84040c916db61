"""What a person reads in the terminal when calls have been scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from harness.analysis.error_bar import bar_standing
from harness.analysis.measures.conversation.turns import OUTCOME_WORDS
from harness.analysis.measures.table import catalogue
from harness.analysis.measures.units import Unit, unit_named
from harness.records.call import CallRecord, CallStatus
from harness.records.scores import CalibrationNote, CallScores, Summary, TurnTiming
from harness.reports.parts.guard_lines import guard_lines
from harness.selfcheck.calibration.compare import Comparison, Comparisons, ErrorSummary
from harness.selfcheck.calibration.path_delay import PathDelays
from metrics.score import PercentileName, Score, Status
from spoken_language.outside_text import one_line

_STATUS_STYLE = {
    CallStatus.COMPLETED: "green",
    CallStatus.HARNESS_FAULT: "magenta",
    CallStatus.SETUP_FAILED: "red",
    CallStatus.NOT_ANSWERED: "red",
    CallStatus.NEVER_RUNG: "red",
    CallStatus.RANG_OFF: "red",
    CallStatus.INTERRUPTED: "magenta",
}
_FAULT_NOTE = "harness_fault: our side failed; such calls say nothing about the agent and enter no figure"


def print_calls(console: Console, records: Sequence[CallRecord]) -> None:
    """One row a call: how it ended."""
    table = Table(title="Calls", title_justify="left", box=None, pad_edge=False)
    for heading in ("call", "status", "length", "said", "what happened"):
        table.add_column(heading, header_style="dim", overflow="fold")
    for record in records:
        style = _STATUS_STYLE.get(record.status, "yellow")
        table.add_row(
            _cell(record.plan.call_id),
            f"[{style}]{record.status}[/]",
            f"{record.duration_s:.1f} s",
            str(len(record.utterances)),
            _cell(record.status_detail),
        )
    console.print(table)
    if any(record.status is CallStatus.HARNESS_FAULT for record in records):
        console.print(_FAULT_NOTE, style="magenta", highlight=False)


_NARROW = 100
"""Columns of a terminal; below it the 90th percentile is left to the report, so that names can be read."""
_LEAST_NAME = 22


def print_metrics(
    console: Console, metrics: Mapping[str, Score], calibrations: Sequence[CalibrationNote]
) -> None:
    """The measured figures with intervals, then what was not measured and why.

    Args:
        calibrations: What the calls' error bars stand on.
    """
    table = Table(title="Measured", title_justify="left", box=None, pad_edge=False)
    narrow = console.width < _NARROW
    for heading in ("metric", "value", "95 % interval", *(() if narrow else ("p90",)), "p95", "n", "±"):
        name = heading == "metric"
        justify: Literal["left", "right"] = "left" if name else "right"
        least = _LEAST_NAME if name else None
        table.add_column(heading, header_style="dim", justify=justify, no_wrap=not name, min_width=least)
    missing = []
    standings: set[str] = set()
    known = catalogue()
    for name, metric in metrics.items():
        if metric.status is not Status.MEASURED or metric.value is None:
            missing.append((name, metric.reason))
            continue
        entry = known.get(name)
        unit = entry.unit if entry and entry.unit.name == metric.unit else unit_named(metric.unit)
        standing = bar_standing(name, calibrations)
        if metric.resolution is not None:
            standings.add(standing)
        table.add_row(
            _cell(entry.label if entry else name),
            _number(metric.value, unit),
            _interval(metric, unit),
            *(() if narrow else (_percentile(metric, "p90", unit),)),
            _percentile(metric, "p95", unit),
            str(metric.n),
            # What it stands on is said below the table, too.
            _cell(_bar(metric.resolution, metric.unit, "" if narrow else standing)),
        )
    if table.row_count:
        console.print(table)
        for line in _bar_notes(standings, calibrations):
            console.print(line, style="dim", markup=False, highlight=False)
    else:
        console.print("Nothing was measured.")
    if missing:
        console.print("\n[bold]Not measured[/]")
        by_reason: dict[str, list[str]] = {}
        for name, reason in missing:
            # Only the first line: what to do about it is said at length in the report and by 'models list'.
            by_reason.setdefault(reason.partition("\n")[0], []).append(name)
        for reason, names in by_reason.items():
            console.print(f"  [dim]{_cell(', '.join(names))}: {_cell(reason)}[/]", highlight=False)


def _bar(half_width: float | None, unit: str, standing: str) -> str:
    if half_width is None:
        return ""
    return f"{half_width:.1f} {unit}" + (f" ({standing})" if standing else "")


_WIDEST = (
    "± is the widest error bar of one turn or interruption: what its packets leave open, and the "
    "instrument's own part"
)


def _bar_notes(standings: set[str], calibrations: Sequence[CalibrationNote]) -> Iterator[str]:
    """What the ± are, for each thing that one of them stands on."""
    if "" in standings:
        yield f"{_WIDEST}, from 'outboundeval calibrate'."
    if standings - {""}:
        reasons = dict.fromkeys(
            f"{note.what}: {note.not_calibrated}" for note in calibrations if note.not_calibrated
        )
        why = "; ".join(reasons) or "no call carries an error bar"
        if "" not in standings:
            yield f"{_WIDEST}."
        yield f"Of an assumed ± that part was never measured, so what it covers is not known. {why}"


def _latency(turn: TurnTiming) -> str:
    """Of an answer whose time cannot be told, what it lies between."""
    if turn.latency_ms is not None:
        return f"{turn.latency_ms:.0f} ms"
    if turn.at_least_ms is None or turn.at_most_ms is None:
        return "—"
    return f"{turn.at_least_ms:.0f} to {turn.at_most_ms:.0f} ms"


def print_turns(console: Console, scores: CallScores) -> None:
    """One row a turn and an interruption of a single call."""
    table = Table(title="Turns", title_justify="left", box=None, pad_edge=False)
    for heading in ("user ends", "agent starts", "latency", "to content", "outcome", "note"):
        in_words = heading in ("outcome", "note")
        table.add_column(heading, header_style="dim", justify="left" if in_words else "right")
    for turn in scores.turns:
        table.add_row(
            f"{turn.user_end_s:.2f} s",
            "" if turn.agent_start_s is None else f"{turn.agent_start_s:.2f} s",
            _latency(turn),
            "" if turn.content_latency_ms is None else f"{turn.content_latency_ms:.0f} ms",
            OUTCOME_WORDS[turn.outcome],
            _cell("; ".join(dict.fromkeys(filter(None, (turn.outcome_reason, turn.reason))))),
        )
    if scores.turns:
        console.print(table)
    for one in scores.interruptions:
        delay = "" if one.delay_ms is None else f" after {one.delay_ms:.0f} ms"
        verdict = {True: ", within 500 ms", False: ", not within 500 ms", None: ""}[one.within_500ms]
        reason = f" ({one.reason})" if one.reason else ""
        console.print(
            f"Interruption at {one.user_start_s:.2f} s: {one.outcome.replace('_', ' ')}{delay}{verdict}"
            f"{_cell(reason)}",
            highlight=False,
        )


def print_summary(console: Console, summary: Summary, records: Sequence[CallRecord], report: Path) -> None:
    """A run, from its calls to where the report is."""
    print_calls(console, records)
    console.print()
    print_metrics(console, summary.metrics, summary.calibrations)
    for line in guard_lines(summary):
        console.print(f"simulator: {_cell(line)}", style="dim", soft_wrap=True, highlight=False)
    console.print(f"\nReport: [bold]{_cell(str(report))}[/]", soft_wrap=True, highlight=False)


def print_calibration(console: Console, sound: str, found: Comparisons) -> None:
    """Bias, spread and error bar of one sound, and what yielded no figure."""
    table = Table(title=f"{sound} · error in ms", title_justify="left", box=None, pad_edge=False)
    for heading in ("figure", "n", "bias", "sd", "p95 |error|", "max |error|"):
        table.add_column(heading, header_style="dim", justify="left" if heading == "figure" else "right")
    _error_row(table, "response latency", [one.error_ms for one in found.responses])
    _error_row(table, "  against the very packet", [one.packet_error_ms for one in found.responses])
    _error_row(
        table,
        "  by single packets",
        [error for one in found.responses if (error := one.per_packet_error_ms) is not None],
    )
    _error_row(table, "interruption delay", [one.error_ms for one in found.interruptions])
    _error_row(table, "  against the very packet", [one.packet_error_ms for one in found.interruptions])
    console.print(table)
    console.print(
        f"500 ms verdicts: {found.verdicts} given, {len(found.verdicts_wrong)} wrong", highlight=False
    )
    for note in [*found.faults, *found.lost]:
        console.print(f"  no figure: {_cell(note)}", style="yellow", highlight=False)
    for told in found.wrong:
        console.print(f"  wrong figure: {_cell(told)}", style="red", highlight=False)
    for wrong in found.verdicts_wrong:
        console.print(f"  wrong verdict: {_described(wrong)}", style="red", highlight=False)


def print_path(console: Console, found: Comparisons, path: PathDelays, *, through: str) -> None:
    """The delay of a server in between, and the errors without it. It is in every figure above, and in every
    figure of a call: a caller waits for it, too."""
    if not path.known:
        console.print(f"through the {through}: its own delay could not be measured", highlight=False)
        return
    console.print(
        f"through the {through}: {_path_delay('there', path.there)}, {_path_delay('back', path.back)}; "
        "in all figures, since every caller waits for it",
        highlight=False,
    )
    for label, errors in (("response", found.responses), ("interruption", found.interruptions)):
        console.print(
            f"  {label} without that delay: {_without_delay(errors, path.both_ways_ms)}", highlight=False
        )


def _path_delay(which: str, delays_ms: Sequence[float]) -> str:
    p50, p95 = np.percentile(delays_ms, [50, 95])
    return f"{which} p50 {p50:.2f} ms, p95 {p95:.2f} ms (n {len(delays_ms)})"


def _without_delay(errors: Sequence[Comparison], delay_ms: float) -> str:
    summary = ErrorSummary.of([one.error_ms - delay_ms for one in errors])
    if summary is None:
        return "—"
    p95, worst = summary.p95_abs, summary.max_abs
    return f"bias {summary.bias:+.2f}, p95 |error| {p95:.2f}, max {worst:.2f} ms (n {summary.n})"


def _error_row(table: Table, label: str, errors_ms: Sequence[float]) -> None:
    summary = ErrorSummary.of(errors_ms)
    if summary is None:
        table.add_row(label, "0", "—", "—", "—", "—")
        return
    table.add_row(
        label,
        str(summary.n),
        f"{summary.bias:+.2f}",
        f"{summary.sd:.2f}",
        f"{summary.p95_abs:.2f}",
        f"{summary.max_abs:.2f}",
    )


def _described(one: Comparison) -> str:
    return f"{one.call_id} {one.index + 1}: measured {one.measured_ms:.1f}, truth {one.truth_ms:.1f} ms"


def _number(value: float | None, unit: Unit) -> str:
    return "" if value is None else _cell(f"{unit.number(value)} {unit.column}".rstrip())


def _percentile(metric: Score, name: PercentileName, unit: Unit) -> str:
    """A percentile; one that is not reached as what it lies beyond."""
    beyond = metric.not_reached.get(name)
    return f"> {_number(beyond, unit)}" if beyond is not None else _number(getattr(metric, name), unit)


def _interval(metric: Score, unit: Unit) -> str:
    if metric.ci_low is None or metric.ci_high is None:
        return ""
    return f"{unit.number(metric.ci_low)} – {unit.number(metric.ci_high)}"


def _cell(text: str) -> str:
    """Text from outside on one line, with no markup in it: it stays in its place."""
    return escape(one_line(text))
