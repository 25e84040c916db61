"""From what a run left and what it is held to, to its verdict.

Calls that failed may have been placed once more. Every gate is then decided on first attempts and on both
attempts together, and the worse of the two counts: what comes back in a second attempt is told, and turns
nothing green, so that an agent which fails now and then alarms as often with a rerun as without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from harness._files.atomic_file import write_model
from harness._files.json_file import read_model
from harness.errors import NotWritten, UserError
from harness.plans.checks.checks import CHECKS_FILE, Checks
from harness.plans.checks.gates import CALLS, Gate
from harness.records.scores import Summary
from harness.records.verdict import VERDICT_FILE, CheckResult, Verdict, Word
from harness.runs.lock import holds_run
from harness.runs.reader import AGAIN
from harness.scoring.gates.expected import expected_checks
from harness.scoring.gates.held_to import (
    NOT_PLACED,
    SECOND,
    HeldCall,
    as_second_attempts,
    held_calls,
    held_run,
    summary_of,
)
from harness.scoring.gates.limits import limit_check
from harness.scoring.gates.meanings import asked_meanings
from harness.scoring.gates.shipped import shipped_checks, unplaced_check

"""Below a run's folder: a run of its own with the second attempts of calls that failed."""
LATENCY = ("response_latency_ms", "response_latency_answered_ms", "content_latency_ms")
NO_LIMIT_ON_LATENCY = "no limit on latency was set: what is fast enough is yours to say (gates:)"
_SEVERITY = {"passed": 0, "undecided": 1, "inconclusive": 2, "failed": 3}

Relative = Callable[[Sequence[Gate], Sequence[HeldCall]], tuple[list[CheckResult], str, str]]
"""From gates and calls to what comes of them, what was compared with, and why nothing was."""


def nothing_to_compare_with(
    gates: Sequence[Gate], calls: Sequence[HeldCall]
) -> tuple[list[CheckResult], str, str]:
    """Relative gates without a baseline: they decide nothing."""
    told = "there is no baseline yet; this run can become one"
    return [undecided(gate, told) for gate in gates], "", told if gates else ""


def undecided(gate: Gate, told: str) -> CheckResult:
    """A relative gate that has nothing to compare with."""
    return CheckResult(name=gate.text, of="gate", result="undecided", told=told)


def decide(folder: Path, *, relative: Relative = nothing_to_compare_with) -> Verdict:
    """Decides a run that was scored, and keeps the verdict in its folder.

    Raises:
        UserError: The folder is no run, or its checks cannot be read.
        NotWritten: The verdict cannot be kept.
    """
    verdict = verdict_now(folder, relative=relative)
    path = folder / VERDICT_FILE
    try:
        write_model(path, verdict)
    except OSError as error:
        raise NotWritten.of(path, error) from error
    return verdict


def verdict_now(folder: Path, *, relative: Relative = nothing_to_compare_with) -> Verdict:
    """The verdict on what lies in a run's folder; it is not kept.

    Raises:
        UserError: The folder is no run, or its checks cannot be read.
    """
    run = held_run(folder)
    again = _second_attempts(folder / AGAIN) if holds_run(folder / AGAIN) else []
    return verdict_of(
        run.calls,
        read_checks(folder),
        unplaced=run.unplaced,
        as_planned=run.as_planned,
        again=again,
        relative=relative,
    )


def _second_attempts(folder: Path) -> list[HeldCall]:
    """Those of which something is known: where their run was cut off, what was not scored says nothing."""
    scored = (folder / "summary.json").is_file()
    return as_second_attempts(
        call
        for call in held_calls(folder)
        if scored or call.ours or call.files.scores is not None or call.record.status in NOT_PLACED
    )


def verdict_of(
    calls: Sequence[HeldCall],
    checks: Checks,
    *,
    unplaced: Sequence[str] = (),
    as_planned: Sequence[HeldCall] = (),
    again: Sequence[HeldCall] = (),
    relative: Relative = nothing_to_compare_with,
) -> Verdict:
    """The verdict on calls.

    Args:
        unplaced: Planned calls that left no record: with any, nobody can say that the run passes.
        as_planned: Calls that came to no conversation because the plan says so: in no gate.
        again: Second attempts, as :func:`as_second_attempts` names them.
    """
    first, baseline, makes = _list(calls, checks, relative, unplaced, as_planned)
    found = first
    if again:
        second, _, _ = _list([*calls, *again], checks, relative, unplaced, as_planned)
        found = [*_worse(first, second, again)]
    not_placed = bool(calls) and all(not call.ours and call.record.status in NOT_PLACED for call in calls)
    notes = []
    if not any(gate.figure in LATENCY for gate in checks.theirs) and not any(
        one.what.within_ms for expected in checks.expect.values() for one in expected
    ):
        notes.append(NO_LIMIT_ON_LATENCY)
    failed_again = sum(any(call.id in one.calls for one in _list(again, checks)[0]) for call in again)
    return Verdict(
        word="not_placed" if not_placed else _word(found),
        checks=tuple(found),
        baseline=baseline,
        makes_baseline=makes,
        rerun=(len(again), failed_again) if again else None,
        notes=tuple(notes),
    )


def read_checks(folder: Path) -> Checks:
    """What a run is held to; a run from before there were gates is held to the shipped ones.

    Raises:
        UserError: The file cannot be used.
    """
    path = folder / CHECKS_FILE
    return read_model(path, Checks, within=folder) if path.is_file() else Checks()


def read_verdict(folder: Path) -> Verdict | None:
    """The verdict of a run; None where it has none, or one that cannot be read."""
    try:
        return read_model(folder / VERDICT_FILE, Verdict, within=folder)
    except UserError:
        return None


def failed_cells(verdict: Verdict, call_ids: Sequence[str]) -> list[str]:
    """The calls that made the run red, in the order of the plan: those that a rerun places again."""
    red = {call for one in verdict.checks if one.red for call in one.calls}
    return [call_id for call_id in call_ids if call_id in red]


def _list(
    calls: Sequence[HeldCall],
    checks: Checks,
    relative: Relative = nothing_to_compare_with,
    unplaced: Sequence[str] = (),
    as_planned: Sequence[HeldCall] = (),
) -> tuple[list[CheckResult], str, str]:
    found = shipped_checks(calls, unplaced) if checks.ours else []
    if unplaced and not checks.ours:
        found = [unplaced_check(calls, unplaced)]
    limits = [gate for gate in checks.theirs if gate.kind != "relative"]
    of_figures = any(not gate.figure.startswith(f"{CALLS}.") for gate in limits)
    summary = summary_of(calls) if of_figures else Summary(run="")
    found += [limit_check(gate, calls, summary) for gate in limits]
    compared, baseline, makes = relative(checks.relative, calls)
    found += compared
    by_id = {call.id: call for call in (*calls, *as_planned)}
    meanings = asked_meanings(calls, checks.expect)
    for call_id, expected in checks.expect.items():
        # What a first attempt came to is decided in the list that is without its second.
        second = f"{call_id}{SECOND}"
        attempt = second if second in by_id else call_id
        found += expected_checks(by_id.get(attempt), attempt, expected, meanings)
    return found, baseline, makes


def _worse(
    first: Sequence[CheckResult], both: Sequence[CheckResult], again: Sequence[HeldCall]
) -> list[CheckResult]:
    """Each check at its worse of two decisions, with what the first attempts came to beside it."""
    repeated = {call.id.removesuffix(SECOND) for call in again}
    second = {(one.name, one.call_id, one.line): one for one in both}
    # A call may have two expectations of one name: both attempts have them in the same order.
    expected: dict[str, list[CheckResult]] = {}
    for one in both:
        if one.of == "expect":
            expected.setdefault(one.call_id, []).append(one)
    place: Counter[str] = Counter()
    found = []
    for one in first:
        if one.of == "expect":
            if one.call_id not in repeated:
                found.append(one)
                continue
            other = expected[f"{one.call_id}{SECOND}"][place[one.call_id]]
            place[one.call_id] += 1
            told = f"first attempt: {one.told}; second attempt ({other.result}): {other.told}"
        else:
            other = second[(one.name, one.call_id, one.line)]
            told = f"both attempts: {other.told}"
        result = max(one.result, other.result, key=_SEVERITY.__getitem__)
        found.append(
            one.model_copy(update={"result": result, "told": told[:800], "first_attempts": one.told})
        )
    return found


def _word(checks: Sequence[CheckResult]) -> Word:
    if any(one.result == "failed" for one in checks):
        return "failed"
    return "inconclusive" if any(one.red for one in checks) else "passed"
