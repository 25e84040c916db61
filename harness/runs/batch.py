"""Many conversations, by voice or in text: holds what is still missing of a run, and keeps each at once."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from harness.calls.conversation import Medium, Watcher
from harness.calls.to_its_end import to_its_end
from harness.errors import EXIT_CHECK_FAILED, EXIT_INTERRUPTED, EXIT_NOT_PLACED, EXIT_OK, NotWritten
from harness.plans.run import RunPlan
from harness.plans.unit import Unit
from harness.records.call import CallRecord, CallStatus
from harness.records.endings import BY_PERSON
from harness.runs.attempts import Attempts
from harness.runs.opening import now, open_run, placed_by
from harness.runs.others.after_call import ask_after_call
from harness.runs.store import RunStore

STOP_AFTER = 5
"""So many failed dialogues of a competitor in a row end its part of a run in text: something has to be
mended."""


@dataclass(kw_only=True)
class Outcome:
    """How the conversations of a run ended.

    Attributes:
        statuses: By call, in no order; those that are still missing are not in it.
        failures: By call, why it did not come about or failed.
        complete_before: Were complete from an earlier start.
        interrupted: Why the run ended before its time; empty where it did not.
        stopped: Competitor -> why no more of its dialogues were held.
        as_planned: Calls that came to no conversation because the plan says so.
    """

    statuses: dict[str, CallStatus] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    complete_before: list[str] = field(default_factory=list)
    interrupted: str = ""
    stopped: dict[str, str] = field(default_factory=dict)
    as_planned: set[str] = field(default_factory=set)

    def count(self, *statuses: CallStatus) -> int:
        return sum(status in statuses for status in self.statuses.values())

    @property
    def by_person(self) -> bool:
        """Whether it was a person who ended the run, and not a cap that was reached."""
        return self.interrupted == BY_PERSON

    def note(self, call_id: str, record: CallRecord) -> None:
        """A conversation has ended."""
        self.statuses[call_id] = record.status
        if record.as_planned:
            self.as_planned.add(call_id)
        elif not record.status.took_place:
            self.failures[call_id] = record.status_detail

    @property
    def exit_code(self) -> int:
        """130 where it was cut off, 3 where nobody was reached at all, 1 where some were not, 0 otherwise."""
        if self.interrupted:
            return EXIT_INTERRUPTED
        nobody = sum(
            status.nobody_spoke and one not in self.as_planned for one, status in self.statuses.items()
        )
        if nobody and nobody == len(self.statuses):
            return EXIT_NOT_PLACED
        failed = nobody + self.count(CallStatus.AGENT_FAILED, CallStatus.HARNESS_FAULT)
        return EXIT_CHECK_FAILED if failed or self.stopped else EXIT_OK


async def hold_all(
    plan: RunPlan,
    store: RunStore,
    *,
    medium: Medium,
    parallel: int = 1,
    again: bool = False,
    rerun_guilty: int = 0,
    within_s: float | None = None,
    watcher: Watcher | None = None,
) -> Outcome:
    """Holds the conversations that are not complete yet, ``parallel`` at once; each is written when it ends.

    One that was cut off is held again by the next start; one that failed is not: it is a result. With
    ``again`` it is held once more, and the record says so. One in text in which our own caller was at fault
    is held again ``rerun_guilty`` times at most (by voice that shows only when it has been transcribed).
    Ctrl-C ends those under way, keeps them, and returns. After ``within_s`` no further one is taken up.

    Raises:
        UserError: A plan asks for something that is not to be had, or the folder holds something else.
    """
    for unit in plan.units:
        medium.check(unit)
    async with medium:
        info = open_run(plan, store, versions=medium.versions())
        attempts = Attempts(store, again=again, rerun_guilty=rerun_guilty)
        batch = _Batch(plan, store, medium, attempts, watcher or Watcher(), within_s=within_s)
        if batch.missing:
            info = placed_by(info, store, versions=medium.versions())
        await batch.run(parallel)
        if len(batch.outcome.statuses) == len(plan.units) and not batch.outcome.interrupted:
            store.write_info(info.model_copy(update={"finished_at": info.finished_at or now()}))
    return batch.outcome


class _Batch:
    def __init__(
        self,
        plan: RunPlan,
        store: RunStore,
        medium: Medium,
        attempts: Attempts,
        watcher: Watcher,
        *,
        within_s: float | None,
    ) -> None:
        self.outcome = Outcome()
        self._place = {unit.id: place for place, unit in enumerate(plan.units)}
        self._store = store
        self._medium = medium
        self._attempts = attempts
        self._watcher = watcher
        self._until_s = None if within_s is None else time.monotonic() + within_s
        self._expect = plan.checks.expect
        self._failures_in_a_row: Counter[str] = Counter()
        self._waiting = deque(self._missing(plan.units))
        watcher.on_complete_before(len(self.outcome.complete_before))

    @property
    def missing(self) -> int:
        """So many are still to be held."""
        return len(self._waiting)

    async def run(self, parallel: int) -> None:
        """Until all are held, or the first trouble that is not a conversation's own."""
        width = max(1, min(parallel, len(self._waiting)))
        workers = [asyncio.create_task(self._work()) for _ in range(width)]
        try:
            await asyncio.gather(*workers)
        except asyncio.CancelledError:
            # Each has been told already, and now hangs up and keeps its call: once is enough.
            self.outcome.interrupted = BY_PERSON
        except BaseException:
            for worker in workers:
                worker.cancel()
            raise
        finally:
            await asyncio.gather(*workers, return_exceptions=True)

    def _missing(self, units: Iterable[Unit]) -> Iterable[Unit]:
        for unit in units:
            known = self._attempts.complete(unit)
            if known is None:
                yield unit
            else:
                self.outcome.note(unit.id, known)
                self.outcome.complete_before.append(unit.id)

    async def _work(self) -> None:
        while self._waiting and not self.outcome.interrupted and not self._out_of_time():
            unit = self._waiting.popleft()
            if unit.plan.competitor in self.outcome.stopped:
                continue
            record = await self._hold(unit)
            while self._attempts.is_to_be_held_again(record) and not self.outcome.interrupted:
                record = await self._hold(unit)
            if record.status is CallStatus.INTERRUPTED:
                self.outcome.interrupted = record.status_detail
            else:
                self.outcome.note(unit.id, record)
                self._heed_failures(record)

    def _out_of_time(self) -> bool:
        return self._until_s is not None and time.monotonic() >= self._until_s

    async def _hold(self, unit: Unit) -> CallRecord:
        self._watcher.on_preparing(unit.plan, self._place[unit.id], len(self._place))
        conversation = await self._medium.prepare(unit, self._watcher)
        held = self._attempts.numbered(await conversation.hold())
        writing = asyncio.create_task(asyncio.to_thread(self._store.write, held))
        broken_off = await to_its_end(writing)
        if broken_off or held.broken_off:
            self.outcome.interrupted = BY_PERSON
        try:
            writing.result()
        except NotWritten as error:
            raise self._lost(unit, error) from error
        if expected := self._expect.get(unit.id):
            await ask_after_call(self._store.call_folder(unit.id), expected)
        self._attempts.judge(held.record)
        self._watcher.on_held(held)
        return held.record

    def _lost(self, unit: Unit, error: NotWritten) -> NotWritten:
        """What there is to say where a conversation could not be kept."""
        what = "dialogue" if unit.plan.medium == "text" else "call"
        kept, all_of_them = len(self.outcome.statuses), len(self._place)
        return NotWritten(
            f"{error}; {what} '{unit.id}' is lost, {kept} of {all_of_them} are finished and kept",
            hint=f"make room or mend it, then go on with the same command and --out {self._store.folder}",
        )

    def _heed_failures(self, record: CallRecord) -> None:
        if record.plan.medium != "text":
            return
        competitor = record.plan.competitor
        if record.status.took_place:
            self._failures_in_a_row[competitor] = 0
            return
        self._failures_in_a_row[competitor] += 1
        if self._failures_in_a_row[competitor] >= STOP_AFTER:
            self.outcome.stopped.setdefault(
                competitor, f"{STOP_AFTER} dialogues in a row failed, the last with: {record.status_detail}"
            )
