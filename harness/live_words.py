"""What the agent says, as it says it, for agents that do not tell it themselves: Whisper beside the call.

For the person who watches a single call; nothing is scored from it. It runs in a process of the lowest
priority, starts only when an agent has spoken without telling its words, and falls silent rather than behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path

from harness.live_words_worker import LENGTH, STRETCH
from harness.record import Event

KEPT_S = 60.0
MARGIN_S = 0.2
MAX_WAITING = 3


class LiveWords:
    """Follows one call. Feed it packets and events; it calls ``on_event`` with ``agent-words`` events.

    Args:
        model_folder: Whisper's.
        language: Spoken language.
    """

    def __init__(self, *, model_folder: Path, language: str, on_event: Callable[[Event], None]) -> None:
        self._arguments = (str(model_folder), language)
        self._on_event = on_event
        self._packets: deque[tuple[float, bytes]] = deque()
        self._onset_s: float | None = None
        self._agent_tells = False
        self._waiting = 0
        self._process: asyncio.subprocess.Process | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def on_packet(self, payload: bytes, at_s: float) -> None:
        """A packet of the agent, at its place on the call's clock."""
        if self._agent_tells or not payload:
            return
        self._packets.append((at_s, payload))
        while self._packets[0][0] < at_s - KEPT_S:
            self._packets.popleft()

    def on_event(self, event: Event) -> None:
        """An event of the call."""
        if event.kind == "bot-output":
            self._agent_tells = True
            self._packets.clear()
        elif event.kind == "speech-started":
            self._onset_s = float(event.data["at_s"])
        elif event.kind == "speech-ended" and self._onset_s is not None and not self._agent_tells:
            self._hand_over(self._onset_s, float(event.data["at_s"]))

    async def close(self) -> None:
        """Ends the worker; words still under way are dropped."""
        for task in self._tasks:
            task.cancel()
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    def _hand_over(self, start_s: float, end_s: float) -> None:
        if self._waiting >= MAX_WAITING:
            return
        payloads = [
            payload for at_s, payload in self._packets if start_s - MARGIN_S <= at_s <= end_s + MARGIN_S
        ]
        if payloads:
            self._waiting += 1
            task = asyncio.create_task(self._ask(start_s, payloads))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _ask(self, start_s: float, payloads: list[bytes]) -> None:
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "harness.live_words_worker",
                *self._arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
            self._tasks.add(asyncio.create_task(self._read(self._process)))
        stdin = self._process.stdin
        if stdin is None or stdin.is_closing():
            return
        stdin.write(STRETCH.pack(len(payloads), start_s))
        stdin.write(b"".join(LENGTH.pack(len(payload)) + payload for payload in payloads))

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            self._waiting -= 1
            words = json.loads(line)
            if words["text"]:
                self._on_event(
                    Event(
                        t=float(words["start_s"]), side="agent", kind="agent-words", source="asr", data=words
                    )
                )
