"""What the agent says, as it says it: Whisper beside the call, in a process of low priority.

:class:`LiveWords` is that process, seen from the event loop. The simulated caller understands through it; its
words steer the caller, and nothing is scored from them. :class:`WatchedWords` uses it for a person who
watches a call whose caller needs no words.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from harness.calls.voice.hearing.words_worker import ASK, AT, CLOSE, HEADER, OPEN, PACKET, READY, SPAN
from harness.calls.voice.workers.process import WorkerProcess
from harness.errors import HarnessFault
from harness.records.call import Event
from spoken_language.outside_text import one_line

MAX_WAITING = 4
"""Stretches of one call whose words are wanted at a time."""
MAX_BACKLOG_BYTES = 2_000_000


@dataclass(frozen=True, kw_only=True)
class Understood:
    """The words of one stretch of the agent's speech, from its onset to its end in call time."""

    onset_s: float
    end_s: float
    text: str


class LiveWords(WorkerProcess):
    """The worker process. Use as an async context manager: entered, its model is loaded.

    Args:
        model_folder: Whisper's.
    """

    def __init__(self, *, model_folder: Path) -> None:
        super().__init__(
            name="the process that understands the agent for the caller",
            arguments=("-m", "harness.calls.voice.hearing.words_worker", str(model_folder)),
            ready=READY,
            backlog_bytes=MAX_BACKLOG_BYTES,
        )
        self._listeners: dict[int, Callable[[Understood], None]] = {}
        self._waiting: dict[int, int] = {}
        self._next_key = 0

    def listen(self, language: str, on_words: Callable[[Understood], None], *, codec: str) -> int:
        """Opens a stream in a codec of the table; its key goes with everything about it."""
        self._next_key += 1
        self._listeners[self._next_key] = on_words
        self._waiting[self._next_key] = 0
        self._tell(OPEN, self._next_key, json.dumps({"language": language, "codec": codec}).encode())
        return self._next_key

    def forget(self, key: int) -> None:
        """Closes a stream."""
        self._listeners.pop(key, None)
        self._waiting.pop(key, None)
        if not self._lost:
            self._tell(CLOSE, key, b"")

    def feed(self, key: int, payload: bytes, at_s: float) -> None:
        """One packet of a stream; ``at_s`` is the call time of its first sample. An empty payload says that
        nothing has come up to ``at_s``.

        Raises:
            HarnessFault: The worker is gone or hopelessly behind.
        """
        self._must_work()
        self._tell(PACKET, key, AT.pack(at_s) + payload)

    def ask(self, key: int, onset_s: float, end_s: float) -> None:
        """Has the words from ``onset_s`` to ``end_s`` told to the stream's listener.

        Raises:
            HarnessFault: As :meth:`feed`.
        """
        self._must_work()
        if self._waiting[key] >= MAX_WAITING:
            raise HarnessFault(f"{self._name} is {MAX_WAITING} stretches behind: the machine is overloaded")
        self._waiting[key] += 1
        self._tell(ASK, key, SPAN.pack(onset_s, end_s))

    def _tell(self, kind: int, key: int, body: bytes) -> None:
        self._send(HEADER.pack(kind, key, len(body)) + body)

    async def _hear(self, told: asyncio.StreamReader) -> None:
        while line := await told.readline():
            answer = json.loads(line)
            key = int(answer["stream"])
            if key in self._waiting:
                self._waiting[key] -= 1
                self._listeners[key](
                    Understood(
                        onset_s=answer["onset_s"], end_s=answer["end_s"], text=one_line(str(answer["text"]))
                    )
                )


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
