"""A run's verdict in words: for the page, the terminal, JUnit, Markdown and messages alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.records.verdict import CheckResult, Result, Verdict, Word
from spoken_language.outside_text import one_line

HEADLINES: dict[Word, str] = {
    "passed": "PASSED",
    "failed": "FAILED",
    "inconclusive": "INCONCLUSIVE: nobody can tell whether it is as good as it has to be",
    "not_placed": "NOT PLACED: no call came about, so there is no figure",
}
MARKS: dict[Result, str] = {"passed": "✓", "failed": "✗", "inconclusive": "?", "undecided": "·"}
_ORDER = {"failed": 0, "inconclusive": 1, "undecided": 2, "passed": 3}


@dataclass(frozen=True, kw_only=True)
class CheckLine:
    """One check as pages show it."""

    result: Result
    mark: str
    name: str
    told: str
    call_id: str
    calls: tuple[str, ...]


def of_importance(checks: Sequence[CheckResult]) -> list[CheckResult]:
    """Red ones first; else as the plan has them."""
    return sorted(checks, key=lambda one: _ORDER[one.result])


def named(check: CheckResult) -> str:
    """A check with what it is of: ``(ours) every call came about``, ``plain, line 2: said: hello``."""
    if check.of == "gate":
        return one_line(f"(ours) {check.name}" if check.ours else check.name, most=300)
    line = "" if check.line is None else f", line {check.line + 1}"
    return one_line(f"{check.call_id}{line}: {check.name}", most=300)


def told(check: CheckResult) -> str:
    """What was found, with what it would take where too few calls could tell."""
    needed = f"; about {check.calls_needed} calls would tell" if check.calls_needed else ""
    first = f" (first attempts alone: {check.first_attempts})" if check.first_attempts else ""
    return one_line(check.told + needed + first, most=600)


def check_lines(verdict: Verdict) -> tuple[CheckLine, ...]:
    """Every check, red ones first."""
    return tuple(
        CheckLine(
            result=check.result,
            mark=MARKS[check.result],
            name=named(check),
            told=told(check),
            call_id=check.call_id,
            calls=check.calls[:20],
        )
        for check in of_importance(verdict.checks)
    )


def notes(verdict: Verdict) -> list[str]:
    """What the list does not say by itself."""
    found = [one_line(note, most=600) for note in verdict.notes]
    if any(check.ours for check in verdict.checks):
        found.insert(0, "(ours): shipped gates, which hold where a plan has no gates of its own")
    if verdict.baseline:
        found.append(f"compared with {one_line(verdict.baseline)}")
    if verdict.makes_baseline:
        found.append(one_line(verdict.makes_baseline))
    if verdict.rerun is not None:
        placed, failed = verdict.rerun
        found.append(f"{placed} calls that failed were placed once more, and {failed} of them failed again")
    return found
