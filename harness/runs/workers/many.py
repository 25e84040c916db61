"""A run of several calls at once, on one machine or several: what is missing, who has it, what came of it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from harness.calls.conversation import Medium
from harness.errors import HarnessFault
from harness.plans.run import RunPlan
from harness.records.call import CallStatus, EarlierAttempt
from harness.records.endings import BY_PERSON
from harness.records.placed.placings import read_placings, under_way
from harness.runs.attempts import Attempts
from harness.runs.batch import Outcome
from harness.runs.opening import now, open_run, placed_by
from harness.runs.store import RunStore
from harness.runs.workers.host import TICK_S, Host
from harness.runs.workers.journal import Journal
from harness.runs.workers.lines import lines_made
from harness.runs.workers.messages import Hold, Told

MADE_AHEAD = 40
"""Calls whose lines are made and that nobody has taken yet: the caches of lines are not without end."""


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


@dataclass
class Many:
    """One start of a run; told by its hosts what happens.

    Attributes:
        jobs: What is missing, in order.
    """

    plan: RunPlan
    store: RunStore
    watcher: ManyWatcher
    outcome: Outcome = field(default_factory=Outcome)
    jobs: list[Hold] = field(default_factory=list)

    @classmethod
    def of(cls, plan: RunPlan, store: RunStore, *, medium: Medium, watcher: ManyWatcher | None) -> Many:
        """Opens the run's folder.

        Raises:
            UserError: A plan asks for something that is not to be had, or the folder holds something else.
        """
        for unit in plan.units:
            medium.check(unit)
        info = open_run(plan, store, versions=medium.versions())
        many = cls(plan, store, watcher or ManyWatcher())
        if many.jobs:
            placed_by(info, store, versions=medium.versions())
        return many

    def __post_init__(self) -> None:
        attempts = Attempts(self.store, again=False, rerun_guilty=0)
        cut = under_way(read_placings(self.store.folder))
        self._dialled_at: dict[str, str] = {call: placing.at for call, placing in cut.items()}
        self._pool: deque[Hold] = deque()
        self._hosts: list[Host] = []
        self._first_dial_s: float | None = None
        self._making: asyncio.Task[None] | None = None
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

    @property
    def standing(self) -> int:
        """Calls that were dialled and have not ended, on all hosts."""
        return sum(host.standing for host in self._hosts)

    def room(self) -> bool:
        """Whether the plan lets one more stand now."""
        load = self.plan.load
        if load is None:
            return self.standing < self.plan.most_at_once
        after_s = 0.0 if self._first_dial_s is None else time.monotonic() - self._first_dial_s
        return self.standing < load.wanted(after_s)

    async def run(self, hosts: Sequence[Host], within_s: float | None, *, makers: int = 0) -> Outcome:
        """Until all that is missing has ended, or a person ends it.

        Args:
            makers: So many processes make callers' lines ahead of their calls; 0: who holds them does.

        Raises:
            HarnessFault: No host is left on which calls could be placed.
        """
        if not hosts:
            self._finish()
            return self.outcome
        plan = self.plan
        processes = sum(host.processes for host in hosts)
        self._hosts, self._pool = list(hosts), deque([] if makers else self.jobs)
        with Journal(self.store.folder) as self._journal:
            asked = f"{plan.most_at_once} at once, {processes} processes"
            self._journal.note("began", at=now(), detail=asked)
            self.watcher.on_begin(len(self.jobs), plan.most_at_once, processes)
            loop = asyncio.get_running_loop()
            timer = None if within_s is None else loop.call_later(within_s, self._stop_dialling)
            try:
                async with contextlib.AsyncExitStack() as stack:
                    await asyncio.gather(*(stack.enter_async_context(host) for host in hosts))
                    if makers:
                        made = lines_made(
                            self.jobs,
                            self._pool.append,
                            processes=makers,
                            within=self._dials,
                            room=lambda: len(self._pool) < MADE_AHEAD,
                        )
                        self._making = asyncio.create_task(made)
                    await self._work()
            except asyncio.CancelledError:
                self.outcome.interrupted = BY_PERSON
            finally:
                if timer is not None:
                    timer.cancel()
                if self._making is not None:
                    self._making.cancel()
                    await asyncio.gather(self._making, return_exceptions=True)
        self._finish()
        return self.outcome

    async def _work(self) -> None:
        tasks = {asyncio.create_task(host.work(self._more)): host for host in self._hosts}
        try:
            while tasks:
                self._feed()
                done, _ = await asyncio.wait(tasks, timeout=TICK_S, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    host = tasks.pop(task)
                    error = task.exception()
                    if error is not None:
                        self._give_up(host, error, left=len(tasks))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _feed(self) -> None:
        """Who stands least gets the next ones, and nobody much more than it can prepare."""
        for host in sorted(self._hosts, key=lambda one: one.standing):
            while self._pool and host.wants:
                host.give(self._pool.popleft())

    def _more(self) -> bool:
        """Whether a host may still be given something: what others have may come back."""
        making = self._making is not None and not self._making.done()
        return making or bool(self._pool) or any(host.open_jobs for host in self._hosts)

    def _dials(self) -> bool:
        return any(not host.closed for host in self._hosts)

    def _stop_dialling(self) -> None:
        for host in self._hosts:
            host.stop_dialling()

    def _give_up(self, host: Host, error: BaseException, *, left: int) -> None:
        """One machine of several that can place no calls; the last one's trouble is the run's."""
        if not isinstance(error, HarnessFault) or not left:
            raise error
        jobs, under_way = host.take_all()
        self._hosts.remove(host)
        self.lost(jobs, under_way, f"{error}; it is given no more calls")

    def _finish(self) -> None:
        info = self.store.read_info()
        whole = len(self.outcome.statuses) == len(self.plan.units) and not self.outcome.interrupted
        if whole and info is not None:
            self.store.write_info(info.model_copy(update={"finished_at": info.finished_at or now()}))

    def dialled(self, call: str, *, where: str, standing: int) -> None:
        if self._first_dial_s is None:
            self._first_dial_s = time.monotonic()
        self._dialled_at[call] = now()
        at = self._dialled_at[call]
        self._journal.note("dialled", call=call, at=at, host=where, standing=self.standing)
        self.watcher.on_dialled(call, self.standing)

    def told(self, told: Told) -> None:
        if told.kind == "doing":
            self.watcher.on_doing(told.call, told.data["what"], told.data["t"])
        elif told.kind == "over":
            self._journal.note("over", call=told.call, standing=self.standing)
        elif told.kind == "held":
            status = CallStatus(told.data["status"])
            self._journal.note("ended", call=told.call, standing=self.standing, detail=status)
            record = self.store.read_record(told.call)
            if status is not CallStatus.INTERRUPTED and record is not None:
                self.outcome.note(told.call, record)
            self.watcher.on_ended(told.call, status, told.data["detail"])

    def lost(self, jobs: Sequence[Hold], under_way: Sequence[str], why: str) -> None:
        for job in jobs:
            if job.unit.id in under_way:
                self._journal.note("lost", call=job.unit.id, detail=why)
            self._pool.append(self._told_of_loss(job, why) if job.unit.id in under_way else job)
        self.watcher.on_lost(under_way, why)

    def _told_of_loss(self, job: Hold, why: str) -> Hold:
        attempt = lost_attempt(self._dialled_at[job.unit.id], why)
        return job.model_copy(update={"earlier": (*job.earlier, attempt)})

    def paced(self, *, host: str, standing: int, late_p95_ms: float, understood_p95_s: float) -> None:
        if standing:
            understood = {"understood_p95_s": understood_p95_s} if understood_p95_s else {}
            self._journal.note("pacing", host=host, standing=standing, late_p95_ms=late_p95_ms, **understood)
        self.watcher.on_paced(standing, late_p95_ms)

    def limited(self, calls: int, why: str) -> None:
        self._journal.note("limit", standing=calls, detail=why)
        self.watcher.on_limit(calls, why)


def lost_attempt(dialled_at: str, why: str) -> EarlierAttempt:
    """What is told of a call that nobody could keep."""
    return EarlierAttempt(
        status=CallStatus.HARNESS_FAULT, status_detail=f"cut off while it stood: {why}", started_at=dialled_at
    )
