"""The gates that hold where a plan has none: ours, and marked so wherever they are shown.

No limit on latency is among them: what is fast enough for somebody's callers is not ours to invent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from harness.records.call import CallStatus
from harness.records.verdict import MAX_CALLS_NAMED, CheckResult
from harness.scoring.gates.held_to import NOT_PLACED, HeldCall

CAME_ABOUT = "every call came about"
SPOKE = "the agent spoke in each call"
TO_THE_END = "every due line answered and the end reached in >= 90 % of calls"
OWN_FAULTS = "own faults <= 5 % of calls"

PLACED = "every planned call left a record"
"""Stands where one did not, beside gates that somebody else wrote; ours have it in ``CAME_ABOUT``."""

LEAST_SHARE = Fraction(9, 10)
MOST_OWN_FAULTS = Fraction(1, 20)
"""Exact, as a run may lie just there."""
SUSPECT, LEAST_SUSPECT = 2, 4
"""So many lost connections, in so many calls, may be the agent's doing, which is told; one is an accident."""
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
    lost = [call for call in every if not call.agent_spoke and call.connection_lost]
    silent = [call for call in every if not call.agent_spoke and not call.connection_lost]
    there = len(every) - len(lost)
    told = f"in {there - len(silent)} of {there}"
    return _without_lost(SPOKE, not silent, told, failed=silent, counted=there, lost=lost)


def _to_the_end(calls: Sequence[HeldCall]) -> CheckResult:
    every = [call for call in calls if call.counts]
    # Nobody hung up, so nobody knows how they would have ended.
    counted = [call for call in every if not call.connection_lost]
    why_not = {call.id: why for call in counted if (why := why_not_to_the_end(call))}
    reached = len(counted) - len(why_not)
    told = f"in {reached} of {len(counted)}"
    if why_not:
        reasons = Counter(why_not.values()).most_common(4)
        told += "; else " + ", ".join(f"{n} {why}" for why, n in reasons)
    failed = [call for call in counted if call.id in why_not]
    ok = reached >= LEAST_SHARE * len(counted)
    lost = [call for call in every if call.connection_lost]
    return _without_lost(TO_THE_END, ok, told, failed=failed, counted=len(counted), lost=lost)


def _without_lost(
    name: str, ok: bool, told: str, *, failed: Sequence[HeldCall], counted: int, lost: Sequence[HeldCall]
) -> CheckResult:
    """What comes of a gate that was met or not (``ok``) in the ``counted`` calls, without ``lost`` ones.

    Where our own side or the connection failed in all of them, nothing is known of the agent: neither that it
    did, nor not. Where more were lost than may fail, the others pass nothing: an agent whose process dies in
    most of its calls is lost in just those.
    """
    every = counted + len(lost)
    too_many = len(lost) > (1 - LEAST_SHARE) * every
    if lost:
        told += f"; without {len(lost)} whose connection was lost"
    if too_many:
        told += f", more than a tenth of all {every}"
        if len(lost) >= SUSPECT and every >= LEAST_SUSPECT:
            told += "; either the agent or the network dropped them"
    if counted and not (ok and too_many):
        return _result(name, ok, told, failed)
    return _result(name, None, told, [*failed, *lost])


def _own_faults(calls: Sequence[HeldCall]) -> CheckResult:
    ours = [call for call in calls if call.ours]
    told = f"{len(ours)} of {len(calls)}"
    if ours:
        first = ours[0]
        why = "our own caller was at fault" if first.guilty else first.record.status_detail
        told += f" (the harness's, not the agent's); {first.id}: {why}"
    ok = len(ours) <= MOST_OWN_FAULTS * len(calls)
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
