"""What a person reads of two runs compared: the word first, then what changed, by how much, how sure."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from harness.analysis.measures.units import unit_named
from harness.records.comparison import Comparison, FigureChange
from harness.reports.verdict import MARKS, named, told
from spoken_language.outside_text import one_line

_HEADLINES = {
    "passed": "[bold green]NOT WORSE[/]",
    "failed": "[bold red]WORSE[/]",
    "inconclusive": "[bold yellow]INCONCLUSIVE[/]: nobody can tell",
}
_STYLES = {"worse": "red", "better": "green", "no difference seen": "dim", "inconclusive": "yellow"}
_RESULTS = {"passed": "green", "failed": "red", "inconclusive": "yellow", "undecided": "dim"}


def print_comparison(console: Console, found: Comparison) -> None:
    """The whole comparison."""
    console.print(f"{_HEADLINES[found.word]}  {found.pairs} pairs of calls", highlight=False)
    for check in found.gates:
        mark = f"[{_RESULTS[check.result]}]{MARKS[check.result]}[/]"
        line = f"  {mark} {escape(named(check))}: {escape(told(check))}"
        console.print(line, highlight=False, soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    for heading in ("figure", "before", "now", "change", "90 % interval", "could have seen", "groups", ""):
        table.add_column(
            heading, header_style="dim", justify="left" if heading in ("figure", "") else "right"
        )
    for change in found.figures:
        table.add_row(*_row(change))
    console.print(table)
    for line in _notes(found):
        console.print(line, style="dim", markup=False, highlight=False, soft_wrap=True)


def _row(change: FigureChange) -> list[str]:
    name = f"{change.label} {change.part}".rstrip()
    word = f"[{_STYLES[change.word]}]{change.word}[/]"
    if change.p is None:
        needed = f"; {change.calls_needed} calls needed" if change.calls_needed else ""
        return [
            escape(name),
            "",
            "",
            "",
            "",
            "",
            str(change.groups),
            f"{word} {escape(change.reason)}{needed}",
        ]
    interval = f"{_of(change, change.low, signed=True)} – {_of(change, change.high, signed=True)}"
    return [
        escape(name),
        _of(change, change.baseline),
        _of(change, change.candidate),
        _of(change, change.estimate, signed=True),
        interval,
        _of(change, change.detectable),
        f"{change.groups} by {change.grouped_by}",
        f"{word} {escape(one_line(change.reason, most=120))}".rstrip(),
    ]


def _of(change: FigureChange, value: float | None, *, signed: bool = False) -> str:
    if value is None:
        return "open" if signed else "not reached"
    unit = unit_named(change.unit)
    sign = "+" if signed and value > 0 else ""
    return f"{sign}{unit.number(value)} {unit.column}".rstrip()


def _notes(found: Comparison) -> list[str]:
    notes = [f"{n} calls of both runs left out: {why}" for why, n in found.left_out.items()]
    notes += [f"the instrument is another: {one_line(one, most=200)}" for one in found.instruments]
    notes += [f"also changed: {one_line(one, most=200)}" for one in found.changed]
    notes.append(
        "Paired by call; each end of an interval holds in 95 of 100; 'could have seen' is what 80 of 100 "
        "such comparisons would have found. Words are adjusted for looking at several figures (Holm)."
    )
    return notes
