"""A process that holds calls, seen from the run that gives it units."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from harness.calls.voice.workers.process import WorkerProcess
from harness.runs.workers.messages import READY, Hold, Order, Told

HANG_UP_S = 20.0
"""To hang up all calls and write what there is of them."""


class CallProcess(WorkerProcess):
    """See :mod:`harness.runs.workers.unit_process`. Use as an async context manager.

    Args:
        folder: Of the run.
        on_told: Given whatever it tells, in order.

    Attributes:
        jobs: What it was given and has not ended.
        prepared, standing: Calls of these that wait to be dialled; that were dialled.
    """

    def __init__(self, folder: Path, on_told: Callable[[CallProcess, Told], None]) -> None:
        super().__init__(
            name="a process that places calls",
            arguments=("-m", "harness.runs.workers.unit_process", str(folder.absolute())),
            ready=READY,
        )
        self._on_told = on_told
        self.jobs: dict[str, Hold] = {}
        self.prepared: list[str] = []
        self.standing: set[str] = set()
        self.late_p95_ms = 0.0
        self._ended = asyncio.Event()

    def give(self, job: Hold) -> None:
        """A unit that it prepares at once, and dials when it is told to."""
        self.jobs[job.unit.id] = job
        self._send(job.line())

    def dial(self, call: str) -> None:
        self.prepared.remove(call)
        self.standing.add(call)
        self._send(Order(kind="dial", call=call).line())

    async def hang_up(self) -> None:
        """All calls, which are kept as interrupted; returns when it has ended, or does not."""
        self._send(Order(kind="stop").line())
        try:
            async with asyncio.timeout(HANG_UP_S):
                await self._ended.wait()
        except TimeoutError:
            self._lost = self._lost or f"{self._name} did not hang up within {HANG_UP_S:g} s"

    async def _hear(self, told: asyncio.StreamReader) -> None:
        try:
            while line := await told.readline():
                self._take(Told.of(line))
        finally:
            self._ended.set()

    def _take(self, told: Told) -> None:
        match told.kind:
            case "prepared":
                self.prepared.append(told.call)
            case "held" | "dropped":
                self.jobs.pop(told.call, None)
                self.standing.discard(told.call)
                if told.call in self.prepared:
                    self.prepared.remove(told.call)
            case "pacing":
                self.late_p95_ms = float(told.data["late_p95_ms"])
        self._on_told(self, told)
