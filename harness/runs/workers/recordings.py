"""Recordings of calls that have ended, made by a process beside those that still stand."""

from __future__ import annotations

import asyncio
import os
import pickle
import tempfile
from pathlib import Path
from typing import Self

from harness.calls.voice.recorder import Recording, record
from harness.calls.voice.workers.process import WorkerProcess
from harness.errors import HarnessFault
from harness.runs.workers.recording_worker import READY, spool
from harness.transports.base import MediaLog
from harness.transports.clock import CallClock
from harness.transports.uplink import Uplink


class Recordings(WorkerProcess):
    """The process (:mod:`harness.runs.workers.recording_worker`), seen from the event loop. Use as an async
    context manager."""

    def __init__(self) -> None:
        super().__init__(
            name="the process that makes recordings",
            arguments=("-m", "harness.runs.workers.recording_worker"),
            ready=READY,
        )
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._number = 0

    async def __aenter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="outboundeval-")
        return await super().__aenter__()

    async def __aexit__(self, *_: object) -> None:
        try:
            await super().__aexit__()
        finally:
            self._folder.cleanup()

    async def make(self, *, clock: CallClock, uplink: Uplink, log: MediaLog, end_s: float) -> Recording:
        """As :func:`harness.calls.voice.recorder.record`, and packed: its ``audio`` is empty.

        Where the process is lost the recording is made here.

        Raises:
            HarnessFault: It cannot be made.
        """
        if self.lost:
            return await asyncio.to_thread(record, clock=clock, uplink=uplink, log=log, end_s=end_s)
        self._number += 1
        path = Path(self._folder.name) / str(self._number)
        try:
            await asyncio.to_thread(spool, path, clock=clock, uplink=uplink, log=log, end_s=end_s)
            told = self._waiting[str(path)] = asyncio.get_running_loop().create_future()
            self._send(os.fsencode(path) + b"\n")
            while not told.done() and not self.lost:
                await asyncio.wait({told}, timeout=1.0)
            if not told.done():
                return await asyncio.to_thread(record, clock=clock, uplink=uplink, log=log, end_s=end_s)
            found: Recording | str = await asyncio.to_thread(_read, path)
        except OSError as error:
            raise HarnessFault(f"the recording could not be made: {error.strerror or error}") from error
        finally:
            self._waiting.pop(str(path), None)
            path.unlink(missing_ok=True)
        if isinstance(found, str):
            raise HarnessFault(f"the recording could not be made: {found}")
        return found

    async def _hear(self, told: asyncio.StreamReader) -> None:
        while line := await told.readline():
            waiting = self._waiting.get(os.fsdecode(line.rstrip(b"\n")))
            if waiting is not None and not waiting.done():
                waiting.set_result(None)


def _read(path: Path) -> Recording | str:
    with path.open("rb") as file:
        found: Recording | str = pickle.load(file)
    return found
