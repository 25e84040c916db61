"""Callers' lines made into sound ahead of their calls, by as many processes as there are cores.

A call is handed on when its lines are made; so the first ones are dialled while those of the others are being
made, and no process that keeps media time speaks lines itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import Callable, Iterable

from harness.calls.voice.speaking.line_maker import READY
from harness.calls.voice.workers.process import WorkerProcess
from harness.errors import HarnessFault
from harness.runs.workers.messages import Hold

LOOK_S = 0.1
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""There are as many of them as cores."""


class LineProcess(WorkerProcess):
    """One of them; see :mod:`harness.calls.voice.speaking.line_maker`."""

    def __init__(self) -> None:
        super().__init__(
            name="a process that makes callers' lines",
            arguments=("-m", "harness.calls.voice.speaking.line_maker"),
            ready=READY,
            environment=ONE_THREAD,
        )
        self._made: asyncio.Queue[str] = asyncio.Queue()

    async def make(self, job: Hold) -> None:
        """Returns when the lines of a call are there, or will never be."""
        if self.lost:
            return
        self._send(job.unit.plan.model_dump_json(by_alias=True).encode() + b"\n")
        made = asyncio.create_task(self._made.get())
        while not made.done() and not self.lost:
            await asyncio.wait({made}, timeout=1.0)
        made.cancel()

    async def _hear(self, told: asyncio.StreamReader) -> None:
        while line := await told.readline():
            self._made.put_nowait(str(json.loads(line)["call"]))


async def lines_made(
    jobs: Iterable[Hold],
    hand_on: Callable[[Hold], None],
    *,
    processes: int,
    within: Callable[[], bool],
    room: Callable[[], bool] = lambda: True,
) -> None:
    """Makes the lines of calls in their order; each is handed on when its own are there.

    Without such processes (they do not start, they are lost) every call is handed on as it is: whoever
    prepares it makes its lines.

    Args:
        within: Whether it is still worth making any: a run may have been ended.
        room: Whether one more is wanted ahead of those that wait already.
    """
    waiting = deque(jobs)
    try:
        async with contextlib.AsyncExitStack() as stack:
            made = [LineProcess() for _ in range(min(processes, len(waiting)))]
            await asyncio.gather(*(stack.enter_async_context(one) for one in made))

            async def work(process: LineProcess) -> None:
                # One that is lost leaves what is left to the others.
                while waiting and within() and not process.lost:
                    if not room():
                        await asyncio.sleep(LOOK_S)
                        continue
                    job = waiting.popleft()
                    try:
                        await process.make(job)
                    finally:
                        hand_on(job)

            await asyncio.gather(*(work(process) for process in made))
    except HarnessFault:
        pass
    while waiting:
        hand_on(waiting.popleft())
