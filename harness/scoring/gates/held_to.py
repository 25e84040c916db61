"""The calls of a run as gates and expectations look at them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness._files.json_file import read_model
from harness.calls.guard import GuardFile, read_guard
from harness.errors import UserError
from harness.records.call import CallRecord, CallStatus
from harness.records.scores import CallScores, Summary
from harness.records.verdict import AFTER_CALL_FILE, AfterCall
from harness.runs.others.witnessed import with_witnessed
from harness.runs.reader import CallFiles, read_run
from harness.scoring.guilty_aside import without_guilty
from harness.scoring.summary import summarize

NOT_PLACED = frozenset(
    status for status in CallStatus if status.nobody_spoke or status is CallStatus.AGENT_FAILED
)
"""No conversation came about, and the agent's side is why."""
OF_STATUS = {"answered_calls": frozenset({CallStatus.NOT_ANSWERED})}
"""Figures of how calls ended, of those too in which nothing was measured: with what they count as missed."""
SECOND = " again"
"""Behind the id of a call's second attempt: no id of a plan has a space, so none is taken for one."""


@dataclass(frozen=True, kw_only=True)
class HeldCall:
    """One call. ``guilty``: our own caller was at fault in it, so it says nothing about the agent."""

    record: CallRecord
    files: CallFiles
    guilty: bool = False
    after: AfterCall | None = None

    @property
    def id(self) -> str:
        return self.files.call_id

    @property
    def ours(self) -> bool:
        """Whether what went wrong is ours."""
        return self.guilty or self.record.status is CallStatus.HARNESS_FAULT

    @property
    def counts(self) -> bool:
        """Whether it says something about the agent."""
        return not self.guilty and not self.record.status.says_nothing

    @property
    def connection_lost(self) -> bool:
        """Whether it ended in that, so that nobody knows what would have come."""
        return self.record.status is CallStatus.CONNECTION_LOST

    @property
    def agent_spoke(self) -> bool:
        scores = self.files.scores
        return scores is not None and scores.agent_spoke


def told_lost(calls: Sequence[HeldCall]) -> str:
    """What came of calls of which too little is known."""
    ways = {"lost their connection" if one.connection_lost else "did not come about" for one in calls}
    return " or ".join(sorted(ways))


@dataclass(frozen=True, kw_only=True)
class HeldRun:
    """What a run left.

    Attributes:
        unplaced: Its planned calls of which nothing is known, so that whatever is said of the others is not
            said of the run.
        as_planned: Calls that came to no conversation because the plan says so: there is nothing to judge but
            what was expected of them.
    """

    calls: list[HeldCall]
    unplaced: tuple[str, ...]
    as_planned: tuple[HeldCall, ...] = ()


def held_calls(folder: Path) -> list[HeldCall]:
    """Every call of a run that left a record.

    Raises:
        UserError: It is no run.
    """
    return held_run(folder).calls


def held_run(folder: Path) -> HeldRun:
    """Every call of a run that left a record, and which planned ones left none.

    Raises:
        UserError: It is no run.
    """
    run = read_run(folder)
    found: list[HeldCall] = []
    as_planned: list[HeldCall] = []
    for files in with_witnessed(folder, run.calls):
        if files.record is None or files.record.status is CallStatus.INTERRUPTED:
            continue
        place = folder / "calls" / files.call_id
        guard = read_guard(place)
        guilty = guard is not None and guard.verdict == "guilty"
        call = HeldCall(
            record=files.record,
            files=replace(files, scores=_without_guilty(files.scores, guard)),
            guilty=guilty,
            after=_after(place, folder),
        )
        (as_planned if files.record.as_planned else found).append(call)
    return HeldRun(calls=found, unplaced=run.unplaced, as_planned=tuple(as_planned))


def _without_guilty(scores: CallScores | None, guard: GuardFile | None) -> CallScores | None:
    """As in the run's summary: without the replies to what our own caller was at fault for."""
    if scores is None or scores.text is None:
        return scores
    return scores.model_copy(update={"text": without_guilty(scores.text, guard)})


def as_second_attempts(calls: Iterable[HeldCall]) -> list[HeldCall]:
    """The calls of a rerun under ids of their own, so that both attempts stand in one figure."""
    again = []
    for call in calls:
        name = f"{call.id}{SECOND}"
        plan = call.record.plan.model_copy(update={"call_id": name})
        record = call.record.model_copy(update={"plan": plan})
        scores = call.files.scores and call.files.scores.model_copy(update={"call_id": name})
        again.append(
            replace(
                call, record=record, files=replace(call.files, call_id=name, record=record, scores=scores)
            )
        )
    return again


def summary_of(calls: Sequence[HeldCall]) -> Summary:
    """The figures of calls, without those that say nothing about the agent."""
    kept = [call for call in calls if not call.guilty]
    return summarize(
        [call.record for call in kept],
        [call.files.scores for call in kept if call.files.scores is not None],
    )


def _after(place: Path, run: Path) -> AfterCall | None:
    try:
        return read_model(place / AFTER_CALL_FILE, AfterCall, within=run)
    except UserError:
        return None
