"""The caller's ears: a worker process that decodes what arrives and tells when the agent speaks.

One low-priority process serves all calls of the harness, so that decoding never holds up the process that
keeps the media time; nor does handing packets over, which never waits. What comes back is onsets and ends of
the agent's speech, backdated to the call's clock. They steer the caller; nothing is scored from them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from harness.calls.voice.hearing.ears_worker import ABOUT_STREAM_S, HEARD, PACKET, READY
from harness.calls.voice.hearing.turn_detector import Heard
from harness.calls.voice.workers.process import WorkerProcess

BATCH_S = 0.01
MAX_BACKLOG_BYTES = 2_000_000
"""Some seconds of forty calls: a worker this far behind hears nothing in time."""


class Ears(WorkerProcess):
    """The worker process, seen from the event loop. Use as an async context manager.

    Args:
        end_quiet_s: This much quiet ends the agent's speech.
    """

    def __init__(self, *, end_quiet_s: float = 0.8) -> None:
        super().__init__(
            name="the process that listens for the caller",
            arguments=("-m", "harness.calls.voice.hearing.ears_worker", str(end_quiet_s)),
            ready=READY,
            start_s=30.0,
            backlog_bytes=MAX_BACKLOG_BYTES,
        )
        self._listeners: dict[int, Callable[[Heard], None]] = {}
        self._batch = bytearray()
        self._next_key = 0
        self._flush: asyncio.TimerHandle | None = None

    async def __aexit__(self, *_: object) -> None:
        if self._flush is not None:
            self._flush.cancel()
        await super().__aexit__()

    def listen(self, on_heard: Callable[[Heard], None], *, codec: str) -> int:
        """Opens a stream in a codec of the table; its key goes with every packet."""
        self._next_key += 1
        self._listeners[self._next_key] = on_heard
        self._queue(PACKET.pack(self._next_key, len(codec.encode()), ABOUT_STREAM_S) + codec.encode())
        return self._next_key

    def forget(self, key: int) -> None:
        """Closes a stream."""
        self._listeners.pop(key, None)
        if not self._lost:
            self._queue(PACKET.pack(key, 0, ABOUT_STREAM_S))

    def feed(self, key: int, payload: bytes, at_s: float) -> None:
        """One packet of a stream; ``at_s`` is the call time of its first sample. An empty payload says that
        nothing has come up to ``at_s``: an agent that stops sending has stopped speaking.

        Raises:
            HarnessFault: The worker is gone or hopelessly behind: the call cannot go on.
        """
        self._must_work()
        self._queue(PACKET.pack(key, len(payload), max(0.0, at_s)) + payload)

    def _queue(self, record: bytes) -> None:
        self._batch += record
        if self._flush is None:
            self._flush = asyncio.get_running_loop().call_later(BATCH_S, self._send_batch)

    def _send_batch(self) -> None:
        self._flush = None
        self._send(bytes(self._batch))
        self._batch.clear()

    async def _hear(self, told: asyncio.StreamReader) -> None:
        while True:
            key, onset, at_s = HEARD.unpack(await told.readexactly(HEARD.size))
            listener = self._listeners.get(key)
            if listener is not None:
                listener(Heard("onset" if onset else "end", at_s))
