"""What the agent says, for the person who watches a call: for agents that do not tell it themselves.

The process behind it starts only when an agent has spoken without telling its words. What goes wrong with it
harms nobody: the watcher sees no words then, and the call goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from pathlib import Path

from harness.calls.voice.hearing.words import LiveWords, Understood, words_event
from harness.errors import HarnessFault
from harness.records.call import Event

KEPT_S = 60.0
_MAX_ASKED = 3


class WatchedWords:
    """Follows one call. Feed it packets and events; it calls ``on_event`` with ``agent-words`` events.

    Args:
        model_folder: Whisper's.
        language: Spoken language.
    """

    def __init__(self, *, model_folder: Path, language: str, on_event: Callable[[Event], None]) -> None:
        self._worker = LiveWords(model_folder=model_folder)
        self._language = language
        self._on_event = on_event
        self._packets: deque[tuple[float, bytes]] = deque()
        self._codec = ""
        self._asked: list[tuple[float, float]] = []
        self._onset_s: float | None = None
        self._agent_tells = False
        self._starting: asyncio.Task[None] | None = None
        self._key: int | None = None

    def on_packet(self, payload: bytes, at_s: float, codec: str) -> None:
        """A packet of the agent, at its place on the call's clock, in the codec of that name."""
        if self._agent_tells or not payload:
            return
        if self._key is not None:
            with contextlib.suppress(HarnessFault):
                self._worker.feed(self._key, payload, at_s)
            return
        self._codec = codec
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
            self._ask(self._onset_s, float(event.data["at_s"]))

    async def close(self) -> None:
        """Ends the worker; words still under way are dropped."""
        if self._starting is not None:
            self._starting.cancel()
            with contextlib.suppress(asyncio.CancelledError, HarnessFault, OSError):
                await self._starting
        if self._key is not None:
            await self._worker.__aexit__()

    def _ask(self, onset_s: float, end_s: float) -> None:
        if self._key is not None:
            with contextlib.suppress(HarnessFault):
                self._worker.ask(self._key, onset_s, end_s)
            return
        self._asked = [*self._asked, (onset_s, end_s)][-_MAX_ASKED:]
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())

    async def _start(self) -> None:
        try:
            await self._worker.__aenter__()
        except (HarnessFault, OSError):
            # Without memory or files for a worker the call goes on, without words on the screen.
            return
        self._key = self._worker.listen(self._language, self._understood, codec=self._codec)
        packets, self._packets = self._packets, deque()
        with contextlib.suppress(HarnessFault):
            for at_s, payload in packets:
                self._worker.feed(self._key, payload, at_s)
            for onset_s, end_s in self._asked:
                self._worker.ask(self._key, onset_s, end_s)

    def _understood(self, understood: Understood) -> None:
        if understood.text:
            self._on_event(words_event(understood, t=understood.onset_s))
