"""What the agent says, as it says it: Whisper beside the call, in a process of low priority.

:class:`LiveWords` is that process, seen from the event loop. The simulated caller understands through it; its
words steer the caller, and nothing is scored from them. :class:`WatchedWords` uses it for a person who
watches a call whose caller needs no words.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from harness.errors import HarnessFault
from harness.live_words_worker import ASK, AT, CLOSE, HEADER, OPEN, PACKET, READY, SPAN
from harness.record import Event

MAX_WAITING = 4
"""Stretches whose words are wanted at a time, of all calls together and each."""
MAX_BACKLOG_BYTES = 2_000_000
_START_S = 60.0
_STOP_S = 2.0
_LINE_BYTES = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Understood:
    """The words of one stretch of the agent's speech, from its onset to its end in call time."""

    onset_s: float
    end_s: float
    text: str


class LiveWords:
    """The worker process. Use as an async context manager: entered, its model is loaded.

    Args:
        model_folder: Whisper's.
    """

    def __init__(self, *, model_folder: Path) -> None:
        self._command = (sys.executable, "-m", "harness.live_words_worker", str(model_folder))
        self._listeners: dict[int, Callable[[Understood], None]] = {}
        self._waiting: dict[int, int] = {}
        self._next_key = 0
        self._reader: asyncio.Task[None] | None = None
        self._lost = ""

    async def __aenter__(self) -> LiveWords:
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
            limit=_LINE_BYTES,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        try:
            async with asyncio.timeout(_START_S):
                ready = await self._stdout.readline()
            if ready != READY:
                raise HarnessFault("the process that understands the agent for the caller did not start")
        except TimeoutError as error:
            await self.__aexit__()
            raise HarnessFault(
                f"the process that understands the agent was not ready after {_START_S:.0f} s"
            ) from error
        except BaseException:
            await self.__aexit__()
            raise
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stdin.close()
        try:
            async with asyncio.timeout(_STOP_S):
                await self._process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        if self._reader is not None:
            self._reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader

    @property
    def pid(self) -> int:
        """Process id of the worker."""
        return self._process.pid

    @property
    def lost(self) -> str:
        """Why nothing is understood any more; empty while the worker works."""
        return self._lost

    def listen(self, language: str, on_words: Callable[[Understood], None]) -> int:
        """Opens a stream; its key goes with everything about it."""
        self._next_key += 1
        self._listeners[self._next_key] = on_words
        self._waiting[self._next_key] = 0
        self._send(OPEN, self._next_key, language.encode())
        return self._next_key

    def forget(self, key: int) -> None:
        """Closes a stream."""
        self._listeners.pop(key, None)
        self._waiting.pop(key, None)
        if not self._lost:
            self._send(CLOSE, key, b"")

    def feed(self, key: int, payload: bytes, at_s: float) -> None:
        """One packet of a stream; ``at_s`` is the call time of its first sample. An empty payload says that
        nothing has come up to ``at_s``.

        Raises:
            HarnessFault: The worker is gone or hopelessly behind.
        """
        self._must_work()
        self._send(PACKET, key, AT.pack(at_s) + payload[: 0xFFFF - AT.size])

    def ask(self, key: int, onset_s: float, end_s: float) -> None:
        """Has the words from ``onset_s`` to ``end_s`` told to the stream's listener.

        Raises:
            HarnessFault: As :meth:`feed`.
        """
        self._must_work()
        if self._waiting[key] >= MAX_WAITING:
            self._lost = "the process that understands the agent cannot keep up: the machine is overloaded"
            raise HarnessFault(self._lost)
        self._waiting[key] += 1
        self._send(ASK, key, SPAN.pack(onset_s, end_s))

    def _must_work(self) -> None:
        if self._lost:
            raise HarnessFault(self._lost)

    def _send(self, kind: int, key: int, body: bytes) -> None:
        if self._stdin.is_closing():
            return
        # Never waits: what the pipe does not take now is written when it can.
        self._stdin.write(HEADER.pack(kind, key, len(body)) + body)
        if self._stdin.transport.get_write_buffer_size() > MAX_BACKLOG_BYTES:
            self._lost = "the process that understands the agent cannot keep up: the machine is overloaded"

    async def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := await self._stdout.readline():
                answer = json.loads(line)
                key = int(answer["stream"])
                if key in self._waiting:
                    self._waiting[key] -= 1
                    self._listeners[key](
                        Understood(onset_s=answer["onset_s"], end_s=answer["end_s"], text=str(answer["text"]))
                    )
        self._lost = self._lost or "the process that understands the agent for the caller has ended"


def words_event(understood: Understood, *, t: float) -> Event:
    """The words as an event of the call, known at call time ``t``."""
    return Event(
        t=t,
        side="agent",
        kind="agent-words",
        source="asr",
        data={
            "start_s": round(understood.onset_s, 4),
            "end_s": round(understood.end_s, 4),
            "text": understood.text,
        },
    )
