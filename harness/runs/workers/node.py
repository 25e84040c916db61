"""On a machine of a cluster: a process that holds calls, and what its calls leave, on its way home.

Knows nothing of the cluster: :mod:`harness.runs.workers.ray` makes one of these per process and asks it.
"""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

from harness.runs.store import RunStore
from harness.runs.workers.call_process import CallProcess, HoldsCalls
from harness.runs.workers.host import cores
from harness.runs.workers.messages import Told

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def about_machine() -> dict[str, Any]:
    """Of the machine that this runs on: ``machine`` tells it from every other one, also where several nodes
    of a cluster, or containers, share it; ``name`` is for people."""
    try:
        machine = BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        machine = platform.node()
    return {
        "machine": machine,
        "name": platform.node(),
        "cores": cores(),
        "version": version("outboundeval"),
        "pid": os.getpid(),
    }


class NodeProcess:
    """One process that holds calls. Its run is a folder of this machine, in which nothing stays."""

    async def start(self) -> str:
        """Returns when it is ready: what it is called.

        Raises:
            HarnessFault: It does not start.
        """
        self._folder = Path(tempfile.mkdtemp(prefix="outboundeval-"))
        self._told: asyncio.Queue[Told | None] = asyncio.Queue()
        self._process = CallProcess(self._folder, self._take)
        await self._process.__aenter__()
        return self._process.where

    async def give(self, line: bytes) -> None:
        """An order, as it goes through the pipe."""
        self._process.pass_on(line)

    async def hear(self, within_s: float) -> list[tuple[bytes, dict[str, bytes]]]:
        """What it has told since this was last asked, and the files of each call that has ended; waits a
        while for the first. Raises EOFError where it has ended."""
        told = []
        try:
            async with asyncio.timeout(within_s):
                told.append(await self._told.get())
        except TimeoutError:
            if self._process.gone:
                raise EOFError(self._process.gone) from None
            return []
        while not self._told.empty():
            told.append(self._told.get_nowait())
        return [(one.line(), await asyncio.to_thread(self._files_of, one)) for one in told if one]

    async def stop(self) -> None:
        """Ends it; what stood is kept as interrupted, and may still be heard."""
        await self._process.hang_up()
        await self._process.__aexit__(None, None, None)
        if self._told.empty():
            shutil.rmtree(self._folder, ignore_errors=True)

    def _take(self, process: HoldsCalls, told: Told) -> None:
        self._told.put_nowait(told)

    def _files_of(self, told: Told) -> dict[str, bytes]:
        if told.kind != "held":
            return {}
        folder = RunStore(self._folder).call_folder(told.call)
        files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        shutil.rmtree(folder, ignore_errors=True)
        return files
