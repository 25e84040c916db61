"""The calls of one machine: processes that hold them, and who may dial when.

A host is given units as long as there are any, prepares a few ahead, and dials as its admission allows. It
tells what happens and keeps no list of its own beyond what stands: :mod:`harness.runs.workers.many` does. Its
processes run on that machine, wherever the host itself is looked after (``.local``, ``.ray``).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import platform
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Protocol, Self

from harness.errors import HarnessFault, NotWritten, UserError
from harness.runs.workers.admission import Admission, Heard
from harness.runs.workers.call_process import HoldsCalls, OnTold
from harness.runs.workers.messages import Hold, Told

TICK_S = 0.05
MOST_OVER = 60
"""Calls of a process that have ended and wait for their recordings: with more of them nobody is dialled."""
AHEAD = 3
"""Calls that each process has prepared beyond those that stand."""
WARM_UP_S = 30.0
"""At most so long the first dial waits until all that was given at first is prepared: what is loaded and
encoded for the others makes the frames of a call late that stands meanwhile."""
MOST_LOST = 5
"""Processes that may be lost, calls or none: then something is wrong that another one does not mend."""


class Watches(Protocol):
    """Who is told what happens on a host, on its event loop."""

    def dialled(self, call: str, *, where: str, standing: int) -> None: ...

    def told(self, told: Told) -> None:
        """Of a call that does something, or has ended (``held``): then it is in the run's folder."""
        ...

    def lost(self, jobs: Sequence[Hold], under_way: Sequence[str], why: str) -> None:
        """A process has gone with what it had: of these calls, some were dialled."""
        ...

    def paced(self, *, host: str, standing: int, late_p95_ms: float, understood_p95_s: float) -> None: ...

    def limited(self, calls: int, why: str) -> None:
        """The host carries so many calls and no more."""
        ...


def cores() -> int:
    """That this process may use."""
    with contextlib.suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(kw_only=True)
class Host:
    """Use as an async context manager; leaving it hangs up what stands.

    Attributes:
        opens: Makes a process that holds calls. Raises HarnessFault where there is no place for one any more.
        processes: How many hold calls.
        name: Of the machine.
        room: Whether one more may stand as far as the run is concerned, whatever this host carries.
    """

    opens: Callable[[OnTold], HoldsCalls]
    admission: Admission
    processes: int
    watches: Watches
    name: str = field(default_factory=platform.node)
    room: Callable[[], bool] = lambda: True
    _waiting: deque[Hold] = field(default_factory=deque)
    _running: list[HoldsCalls] = field(default_factory=list)
    _stack: contextlib.AsyncExitStack = field(default_factory=contextlib.AsyncExitStack)
    _failure: Exception | None = None
    _found: int | None = None
    _lost: int = 0
    _closed: bool = False
    _warm: bool = False
    _ready_since_s: float | None = None

    async def __aenter__(self) -> Self:
        async with contextlib.AsyncExitStack() as stack:
            made = [self._process() for _ in range(self.processes)]
            self._running = list(await asyncio.gather(*(stack.enter_async_context(one) for one in made)))
            self._stack = stack.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        await self.hang_up()
        await self._stack.aclose()

    def give(self, job: Hold) -> None:
        """A unit to be held."""
        self._waiting.append(job)

    def take_back(self) -> list[Hold]:
        """What no process has yet."""
        waiting, self._waiting = list(self._waiting), deque()
        return waiting

    def take_all(self) -> tuple[list[Hold], list[str]]:
        """All that it has, of a host that is given up, and what of it was dialled."""
        jobs = self.take_back()
        under_way: list[str] = []
        for one in self._running:
            jobs += one.jobs.values()
            under_way += [*one.standing, *one.over]
            one.forget()
        return jobs, sorted(under_way)

    @property
    def closed(self) -> bool:
        """Whether it dials nobody any more."""
        return self._closed

    @property
    def wants(self) -> bool:
        """Whether it can prepare one more than it was given."""
        return not self._closed and len(self._waiting) < self.processes

    @property
    def standing(self) -> int:
        """Calls that were dialled and have not ended."""
        return sum(len(one.standing) for one in self._running)

    @property
    def _dialled(self) -> int:
        """Calls that were dialled and are not kept yet."""
        return self.standing + sum(len(one.over) for one in self._running)

    @property
    def open_jobs(self) -> int:
        """Units that were given and have not ended."""
        return len(self._waiting) + sum(len(one.jobs) for one in self._running)

    def stop_dialling(self) -> None:
        """What stands goes on to its end; nothing else is dialled."""
        self._closed = True

    async def work(self, more: Callable[[], bool] = lambda: False) -> None:
        """Until all that was given has ended, or was dropped.

        Args:
            more: Whether more may still be given.

        Raises:
            UserError: A unit asks for what is not to be had.
            NotWritten: The folder cannot be written.
            HarnessFault: Processes are lost again and again, or the machine cannot keep time.
        """
        while (self._dialled or not self._closed) and (self.open_jobs or (more() and not self._closed)):
            await self._replace_lost()
            if self._failure is not None:
                raise self._failure
            now_s = time.monotonic()
            self._feed()
            self._dial(now_s)
            if why := self.admission.cannot_keep_time():
                raise HarnessFault(
                    f"{self.name} cannot keep time: {why}; figures from here would not be the agent's"
                )
            await asyncio.sleep(TICK_S)

    async def hang_up(self) -> None:
        """What stands is kept as interrupted."""
        self._closed = True
        await asyncio.gather(*(one.hang_up() for one in self._running if not one.gone))

    def _process(self) -> HoldsCalls:
        return self.opens(self._told)

    def _feed(self) -> None:
        """Every process has a few calls prepared, so that none waits for its lines."""
        if self._closed:
            return
        for one in sorted(self._running, key=lambda process: len(process.jobs)):
            while self._waiting and len(one.jobs) - len(one.standing) - len(one.over) < AHEAD:
                one.give(self._waiting.popleft())

    def _dial(self, now_s: float) -> None:
        ready = [one for one in self._running if one.prepared and not one.gone and len(one.over) < MOST_OVER]
        if (
            self._closed
            or not ready
            or self._warms_up(now_s)
            or not self.room()
            or not self.admission.may_dial(now_s, standing=self.standing)
        ):
            return
        self._warm = True
        least = min(ready, key=lambda process: len(process.standing))
        call = least.prepared[0]
        least.dial(call)
        self.admission.dialled(now_s)
        where = f"{self.name}/{least.where}"
        self.watches.dialled(call, where=where, standing=self.standing)

    def _warms_up(self, now_s: float) -> bool:
        """Before the first dial: whether a process still prepares what it was given."""
        if self._warm:
            return False
        if self._ready_since_s is None:
            self._ready_since_s = now_s
        return self._prepares() and now_s - self._ready_since_s < WARM_UP_S

    def _prepares(self) -> bool:
        """Whether a process has calls that are neither prepared nor dialled."""
        return any(
            len(one.jobs) > len(one.prepared) + len(one.standing) + len(one.over)
            for one in self._running
            if not one.gone
        )

    def _told(self, process: HoldsCalls, told: Told) -> None:
        match told.kind:
            case "pacing":
                self._paced()
            case "failed":
                self._failure = _failure(told.data)
            case _:
                self.watches.told(told)

    def _paced(self) -> None:
        # The first process may tell before the last one is ready.
        worst_ms = max((one.late_p95_ms for one in self._running), default=0.0)
        understood_s = max((one.understood_p95_s for one in self._running), default=0.0)
        standing = self.standing
        heard = Heard(at_s=time.monotonic(), late_p95_ms=worst_ms, understood_p95_s=understood_s)
        self.admission.hear(heard, standing=standing, preparing=self._prepares())
        self.watches.paced(
            host=self.name, standing=standing, late_p95_ms=worst_ms, understood_p95_s=understood_s
        )
        if self.admission.found is not None and self.admission.found != self._found:
            self._found = self.admission.found
            self.watches.limited(self._found, f"{self.name}: with {standing} calls {heard.told}")

    async def _replace_lost(self) -> None:
        for place, one in enumerate(self._running):
            if not one.gone:
                continue
            self._lost += 1
            jobs, under_way, why = list(one.jobs.values()), sorted(one.standing | one.over), one.gone
            one.forget()
            self.watches.lost(jobs, under_way, why)
            self._check_losses(why)
            self._running[place] = await self._another()

    async def _another(self) -> HoldsCalls:
        """A process in place of a lost one. Where it was may be going under just now, so that one that does
        not start is a loss like any other, and the next may stand elsewhere."""
        while True:
            process = self._process()
            try:
                return await self._stack.enter_async_context(process)
            except HarnessFault as error:
                self._lost += 1
                self._check_losses(str(error))

    def _check_losses(self, why: str) -> None:
        if self._lost > MOST_LOST:
            raise HarnessFault(f"{self._lost} processes that place calls were lost, the last one: {why}")


def _failure(told: Mapping[str, Any]) -> UserError | HarnessFault:
    """What a process could not go on for."""
    if told.get("fault"):
        return HarnessFault(told["message"])
    error = UserError if told["written"] else NotWritten
    return error(told["message"], hint=told["hint"])
