"""The gates that hold where a plan has none: ours, and marked so wherever they are shown.

No limit on latency is among them: what is fast enough for somebody's callers is not ours to invent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from harness.records.call import CallStatus
from harness.records.verdict import MAX_CALLS_NAMED, CheckResult
from harness.scoring.gates.held_to import NOT_PLACED, HeldCall

CAME_ABOUT = "every call came about"
SPOKE = "the agent spoke in each call"
TO_THE_END = "every due line answered and the end reached in >= 90 % of calls"
OWN_FAULTS = "own faults <= 5 % of calls"

PLACED = "every planned call left a record"
"""Stands where one did not, beside gates that somebody else wrote; ours have it in ``CAME_ABOUT``."""

LEAST_SHARE = 0.9
MOST_OWN_FAULTS = 0.05
SHOWN = 3
"""So many calls without a record are named."""


def shipped_checks(calls: Sequence[HeldCall], unplaced: Sequence[str] = ()) -> list[CheckResult]:
    """All four; ``calls``: every call of the run; ``unplaced``: those of the plan that left no record."""
    return [_came_about(calls, unplaced), _spoke(calls), _to_the_end(calls), _own_faults(calls)]


def unplaced_check(calls: Sequence[HeldCall], unplaced: Sequence[str]) -> CheckResult:
    """That nothing is known of planned calls: nobody can tell of such a run, whatever its gates are."""
    told = f"{len(calls)} of {len(calls) + len(unplaced)}; {_left_none(unplaced)}"
    return _result(PLACED, None, told, [])


def why_not_to_the_end(call: HeldCall) -> str:
    """Why a call does not count as one in which all was reached and answered; empty for one that does."""
    status = call.record.status
    if status is not CallStatus.COMPLETED:
        return status.value
    scores = call.files.scores
    if scores is None:
        return "not scored"
    missed = [turn for turn in scores.turns if turn.outcome.due and not turn.outcome.replied]
    if missed:
        return "a line " + missed[0].outcome.value.replace("_", " ")
    return ""


def _came_about(calls: Sequence[HeldCall], unplaced: Sequence[str]) -> CheckResult:
    failed = [call for call in calls if call.record.status in NOT_PLACED]
    if not calls:
        return _result(CAME_ABOUT, False, "no call was placed", ())
    told = f"{len(calls) - len(failed)} of {len(calls) + len(unplaced)}"
    if failed:
        told += f"; {failed[0].id}: {failed[0].record.status_detail}"
    if unplaced:
        told += f"; {_left_none(unplaced)}"
    return _result(CAME_ABOUT, False if failed else None if unplaced else True, told, failed)


def _left_none(unplaced: Sequence[str]) -> str:
    more = f" and {len(unplaced) - SHOWN} more" if len(unplaced) > SHOWN else ""
    return f"{len(unplaced)} left no record that can be used: {', '.join(unplaced[:SHOWN])}{more}"


def _spoke(calls: Sequence[HeldCall]) -> CheckResult:
    every = [call for call in calls if call.counts and call.record.status not in NOT_PLACED]
    # It might have spoken yet.
    there = [call for call in every if call.agent_spoke or not _lost(call)]
    silent = [call for call in there if not call.agent_spoke]
    told = f"in {len(there) - len(silent)} of {len(there)}" + _left_out(len(every) - len(there))
    return _result(SPOKE, not silent if there else None, told, silent)


def _to_the_end(calls: Sequence[HeldCall]) -> CheckResult:
    every = [call for call in calls if call.counts]
    # Nobody hung up, so nobody knows how they would have ended.
    counted = [call for call in every if not _lost(call)]
    failed = {call.id: why for call in counted if (why := why_not_to_the_end(call))}
    reached = len(counted) - len(failed)
    told = f"in {reached} of {len(counted)}"
    if failed:
        reasons = Counter(failed.values()).most_common(4)
        told += "; else " + ", ".join(f"{n} {why}" for why, n in reasons)
    told += _left_out(len(every) - len(counted))
    # Where our own side or the connection failed in all of them, nothing is known of the agent: neither that
    # it did, nor not.
    ok = reached >= LEAST_SHARE * len(counted) - 1e-9 if counted else None
    return _result(TO_THE_END, ok, told, [call for call in counted if call.id in failed])


def _lost(call: HeldCall) -> bool:
    return call.record.status is CallStatus.CONNECTION_LOST


def _left_out(lost: int) -> str:
    return f"; without {lost} whose connection was lost" if lost else ""


def _own_faults(calls: Sequence[HeldCall]) -> CheckResult:
    ours = [call for call in calls if call.ours]
    told = f"{len(ours)} of {len(calls)}"
    if ours:
        first = ours[0]
        why = "our own caller was at fault" if first.guilty else first.record.status_detail
        told += f" (the harness's, not the agent's); {first.id}: {why}"
    ok = len(ours) <= MOST_OWN_FAULTS * len(calls) + 1e-9
    return _result(OWN_FAULTS, ok, told, ours)


def _result(name: str, ok: bool | None, told: str, failed: Sequence[HeldCall]) -> CheckResult:
    return CheckResult(
        name=name,
        of="gate",
        ours=True,
        result="inconclusive" if ok is None else "passed" if ok else "failed",
        told=told,
        calls=tuple(call.id for call in failed[:MAX_CALLS_NAMED]),
    )
