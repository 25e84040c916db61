"""What a person reads in the terminal of a run's verdict: the list that decides, red ones first."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from harness.records.verdict import CheckResult, Verdict
from harness.reports.verdict import HEADLINES, MARKS, named, notes, of_importance, told

_STYLES = {"passed": "green", "failed": "red", "inconclusive": "yellow", "undecided": "dim"}
MOST_PASSED = 12


def print_verdict(console: Console, verdict: Verdict) -> None:
    """The word, then every check; of many that passed only how many."""
    style = "green" if verdict.word == "passed" else "yellow" if verdict.word == "inconclusive" else "red"
    console.print(f"\n[bold {style}]{HEADLINES[verdict.word]}[/]", highlight=False)
    passed = 0
    for check in of_importance(verdict.checks):
        if check.result == "passed":
            passed += 1
            if passed > MOST_PASSED:
                continue
        console.print(_line(check), highlight=False, soft_wrap=True)
    if passed > MOST_PASSED:
        console.print(f"  [dim]and {passed - MOST_PASSED} more that passed[/]", highlight=False)
    for note in notes(verdict):
        console.print(f"  {note}", style="dim", markup=False, highlight=False, soft_wrap=True)


def _line(check: CheckResult) -> str:
    style, mark = _STYLES[check.result], MARKS[check.result]
    return f"  [{style}]{mark}[/] {escape(named(check))}: {escape(told(check))}"
