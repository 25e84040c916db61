"""The calls of a run as gates and expectations look at them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness._files.json_file import read_model
from harness.calls.guard import read_guard
from harness.errors import UserError
from harness.records.call import CallRecord, CallStatus
from harness.records.scores import Summary
from harness.records.verdict import AFTER_CALL_FILE, AfterCall
from harness.records.witness import Witnessed, read_witnessed, told_of
from harness.runs.reader import CallFiles, read_run
from harness.scoring.summary import summarize

AGAIN = "again"
"""The folder of a run's second attempts, a run of its own."""
NOT_PLACED = frozenset(
    status for status in CallStatus if status.value in ("setup_failed", "not_answered", "agent_failed")
)
"""No conversation came about, and the agent's side is why."""


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
    def agent_spoke(self) -> bool:
        scores = self.files.scores
        return scores is not None and any(scores.spans.agent.values())


def held_calls(folder: Path) -> list[HeldCall]:
    """Every call of a run that left a record.

    Raises:
        UserError: It is no run.
    """
    calls = read_run(folder).calls
    told, records = _witnessed(folder), [one.record for one in calls if one.record is not None]
    found = []
    for files in calls:
        if files.record is None or files.record.status is CallStatus.INTERRUPTED:
            continue
        place = folder / "calls" / files.call_id
        guard = read_guard(place)
        guilty = guard is not None and guard.verdict == "guilty"
        seen = [*files.events, *told_of(files.record, told, records)]
        known = replace(files, events=tuple(sorted(seen, key=lambda event: event.t))) if told else files
        found.append(HeldCall(record=files.record, files=known, guilty=guilty, after=_after(place, folder)))
    return found


def _witnessed(folder: Path) -> list[Witnessed]:
    """What others told while these calls were held: second attempts are held while the run goes on."""
    told = read_witnessed(folder)
    return [*told, *read_witnessed(folder.parent)] if folder.name == AGAIN else told


def as_second_attempts(calls: Iterable[HeldCall]) -> list[HeldCall]:
    """The calls of a rerun under ids of their own, so that both attempts stand in one figure."""
    again = []
    for call in calls:
        name = f"{call.id}.again"
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
    path = place / AFTER_CALL_FILE
    if not path.is_file():
        return None
    try:
        return read_model(path, AfterCall, within=run)
    except UserError:
        return None
