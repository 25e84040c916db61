"""A process that holds calls, seen from the run that gives it units: here, or (``.remote``) elsewhere."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Self

from harness.calls.voice.workers.process import WorkerProcess
from harness.runs.workers.messages import READY, Hold, Order, Told

HANG_UP_S = 60.0
"""To hang up all calls, make their recordings and write them."""


class HoldsCalls(ABC):
    """What a host has to know of a process that holds calls. Use as an async context manager.

    Args:
        on_told: Given whatever it tells, in order.

    Attributes:
        jobs: What it was given and has not ended.
        prepared, standing, over: Calls of these that wait to be dialled; that were dialled; that have ended
            and are not kept yet.
    """

    def __init__(self, on_told: OnTold) -> None:
        self._on_told = on_told
        self.jobs: dict[str, Hold] = {}
        self.prepared: list[str] = []
        self.standing: set[str] = set()
        self.over: set[str] = set()
        self.late_p95_ms = 0.0
        self.understood_p95_s = 0.0

    @abstractmethod
    async def __aenter__(self) -> Self: ...

    @abstractmethod
    async def __aexit__(self, *_: object) -> None: ...

    @property
    @abstractmethod
    def where(self) -> str:
        """Which process it is, for the run's journal."""

    @property
    @abstractmethod
    def gone(self) -> str:
        """Why it works no more; empty while it works."""

    @abstractmethod
    def give(self, job: Hold) -> None:
        """A unit that it prepares at once, and dials when it is told to."""

    @abstractmethod
    def order(self, order: Order) -> None: ...

    @abstractmethod
    async def hang_up(self) -> None:
        """All calls, which are kept as interrupted; returns when it has ended, or does not."""

    def dial(self, call: str) -> None:
        self.prepared.remove(call)
        self.standing.add(call)
        self.order(Order(kind="dial", call=call))

    def forget(self) -> None:
        """What a process had that has gone."""
        self.jobs, self.prepared, self.standing, self.over = {}, [], set(), set()
        self.late_p95_ms = self.understood_p95_s = 0.0

    def take(self, told: Told) -> None:
        """It has told something."""
        match told.kind:
            case "prepared":
                self.prepared.append(told.call)
            case "held" | "dropped":
                self.jobs.pop(told.call, None)
                self.standing.discard(told.call)
                self.over.discard(told.call)
                if told.call in self.prepared:
                    self.prepared.remove(told.call)
            case "over" if told.call in self.standing:
                self.standing.discard(told.call)
                self.over.add(told.call)
            case "pacing":
                self.late_p95_ms = float(told.data["late_p95_ms"])
                self.understood_p95_s = float(told.data["understood_p95_s"])
        self._on_told(self, told)


OnTold = Callable[[HoldsCalls, Told], None]


class CallProcess(WorkerProcess, HoldsCalls):
    """One on this machine; see :mod:`harness.runs.workers.unit_process`.

    Args:
        folder: Of the run.
    """

    def __init__(self, folder: Path, on_told: OnTold) -> None:
        WorkerProcess.__init__(
            self,
            name="a process that places calls",
            arguments=("-m", "harness.runs.workers.unit_process", str(folder.absolute())),
            ready=READY,
        )
        HoldsCalls.__init__(self, on_told)
        self._ended = asyncio.Event()

    @property
    def where(self) -> str:
        return str(self.pid)

    @property
    def gone(self) -> str:
        return self.lost

    def give(self, job: Hold) -> None:
        self.jobs[job.unit.id] = job
        self._send(job.line())

    def order(self, order: Order) -> None:
        self._send(order.line())

    def pass_on(self, line: bytes) -> None:
        """An order that somebody elsewhere has written."""
        self._send(line)

    async def hang_up(self) -> None:
        self.order(Order(kind="stop"))
        try:
            async with asyncio.timeout(HANG_UP_S):
                await self._ended.wait()
        except TimeoutError:
            self._lost = self._lost or f"{self._name} did not hang up within {HANG_UP_S:g} s"

    async def _hear(self, told: asyncio.StreamReader) -> None:
        try:
            while line := await told.readline():
                self.take(Told.of(line))
        finally:
            self._ended.set()
