"""A run of several calls at once on this machine: see :func:`hold_at_once`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from harness.calls.conversation import Medium
from harness.plans.run import RunPlan
from harness.records.call import CallStatus, EarlierAttempt
from harness.records.endings import BY_PERSON
from harness.records.placings import read_placings, under_way
from harness.runs.attempts import Attempts
from harness.runs.batch import Outcome
from harness.runs.opening import now, open_run
from harness.runs.store import RunStore
from harness.runs.workers.admission import Admission
from harness.runs.workers.host import Host, cores
from harness.runs.workers.journal import Journal
from harness.runs.workers.messages import Hold, Told


@dataclass(kw_only=True)
class ManyWatcher:
    """What to tell a person while many calls stand; each callback must return quickly."""

    on_begin: Callable[[int, int, int], None] = lambda missing, most, processes: None
    """So many calls are missing, so many may stand at once, in so many processes."""
    on_dialled: Callable[[str, int], None] = lambda call, standing: None
    on_doing: Callable[[str, str, float], None] = lambda call, what, t_s: None
    on_ended: Callable[[str, CallStatus, str], None] = lambda call, status, detail: None
    on_lost: Callable[[Sequence[str], str], None] = lambda calls, why: None
    """Calls that were under way where a process was lost: they are placed again, and their records say so."""
    on_paced: Callable[[int, float], None] = lambda standing, late_p95_ms: None
    on_limit: Callable[[int, str], None] = lambda calls, why: None


async def hold_at_once(
    plan: RunPlan,
    store: RunStore,
    *,
    medium: Medium,
    processes: int | None = None,
    within_s: float | None = None,
    watcher: ManyWatcher | None = None,
) -> Outcome:
    """Holds the calls that are missing, as many at once as the plan says and this machine carries.

    Ctrl-C hangs up what stands, keeps it, and returns. A call that was under way where one of our processes
    was killed is placed again, and its record says so.

    Args:
        medium: By which units are checked beforehand; each process opens its own.
        processes: How many hold calls; default: as many as cores, and no more than calls at once.
        within_s: After so many seconds nobody is dialled any more.

    Raises:
        UserError: A plan asks for something that is not to be had, or the folder holds something else.
        HarnessFault: The machine cannot keep time with even one call.
    """
    for unit in plan.units:
        medium.check(unit)
    info = open_run(plan, store, versions=medium.versions())
    many = _Many(plan, store, watcher or ManyWatcher())
    if many.jobs:
        width = min(plan.most_at_once, len(many.jobs))
        await many.run(min(processes or cores(), width), within_s)
    if len(many.outcome.statuses) == len(plan.units) and not many.outcome.interrupted:
        store.write_info(info.model_copy(update={"finished_at": info.finished_at or now()}))
    return many.outcome


@dataclass
class _Many:
    """One start of a run; told by its host what happens."""

    plan: RunPlan
    store: RunStore
    watcher: ManyWatcher
    outcome: Outcome = field(default_factory=Outcome)
    jobs: list[Hold] = field(default_factory=list)

    def __post_init__(self) -> None:
        attempts = Attempts(self.store, again=False, rerun_guilty=0)
        cut = under_way(read_placings(self.store.folder))
        self._dialled_at: dict[str, str] = {call: placing.at for call, placing in cut.items()}
        for unit in self.plan.units:
            known = attempts.complete(unit)
            if known is not None:
                self.outcome.note(unit.id, known)
                self.outcome.complete_before.append(unit.id)
                continue
            earlier = attempts.earlier(unit.id)
            if unit.id in cut and not earlier:
                earlier = (lost_attempt(cut[unit.id].at, "what placed it was killed"),)
            expect = self.plan.checks.expect.get(unit.id, ())
            self.jobs.append(Hold(unit=unit, earlier=earlier, expect=expect))

    async def run(self, processes: int, within_s: float | None) -> None:
        plan = self.plan
        admission = Admission(plan.most_at_once, load=plan.load)
        with Journal(self.store.folder) as self._journal:
            asked = f"{plan.most_at_once} at once, {processes} processes"
            self._journal.note("began", at=now(), detail=asked)
            self.watcher.on_begin(len(self.jobs), plan.most_at_once, processes)
            self._host = Host(
                folder=self.store.folder, admission=admission, processes=processes, watches=self
            )
            loop = asyncio.get_running_loop()
            timer = None if within_s is None else loop.call_later(within_s, self._host.stop_dialling)
            try:
                async with self._host:
                    for job in self.jobs:
                        self._host.give(job)
                    await self._host.work()
            except asyncio.CancelledError:
                self.outcome.interrupted = BY_PERSON
            finally:
                if timer is not None:
                    timer.cancel()

    def dialled(self, call: str, *, where: str, standing: int) -> None:
        self._dialled_at[call] = now()
        self._journal.note("dialled", call=call, at=self._dialled_at[call], host=where, standing=standing)
        self.watcher.on_dialled(call, standing)

    def told(self, told: Told) -> None:
        if told.kind == "doing":
            self.watcher.on_doing(told.call, told.data["what"], told.data["t"])
        elif told.kind == "held":
            status = CallStatus(told.data["status"])
            self._journal.note("ended", call=told.call, standing=self._host.standing, detail=status)
            record = self.store.read_record(told.call)
            if status is not CallStatus.INTERRUPTED and record is not None:
                self.outcome.note(told.call, record)
            self.watcher.on_ended(told.call, status, told.data["detail"])

    def lost(self, jobs: Sequence[Hold], under_way: Sequence[str], why: str) -> None:
        for job in jobs:
            if job.unit.id in under_way:
                self._journal.note("lost", call=job.unit.id, detail=why)
            self._host.give(self._told_of_loss(job, why) if job.unit.id in under_way else job)
        self.watcher.on_lost(under_way, why)

    def _told_of_loss(self, job: Hold, why: str) -> Hold:
        attempt = lost_attempt(self._dialled_at[job.unit.id], why)
        return job.model_copy(update={"earlier": (*job.earlier, attempt)})

    def paced(self, *, standing: int, late_p95_ms: float) -> None:
        if standing:
            self._journal.note("pacing", standing=standing, late_p95_ms=late_p95_ms)
        self.watcher.on_paced(standing, late_p95_ms)

    def limited(self, calls: int, why: str) -> None:
        self._journal.note("limit", standing=calls, detail=why)
        self.watcher.on_limit(calls, why)


def lost_attempt(dialled_at: str, why: str) -> EarlierAttempt:
    """What is told of a call that nobody could keep."""
    return EarlierAttempt(
        status=CallStatus.HARNESS_FAULT, status_detail=f"cut off while it stood: {why}", started_at=dialled_at
    )
