"""The caller's ears: a worker process that decodes what arrives and tells when the agent speaks.

One low-priority process serves all calls of the harness, so that decoding never holds up the process that
keeps the media time; nor does handing packets over, which never waits. What comes back is onsets and ends of
the agent's speech, backdated to the call's clock. They steer the caller; nothing is scored from them.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable

from harness.ears_worker import HEARD, PACKET, READY
from harness.errors import HarnessFault
from harness.live_ear import Heard

BATCH_S = 0.01
MAX_BACKLOG_BYTES = 2_000_000
"""Some seconds of forty calls: a worker this far behind hears nothing in time."""
_START_S = 30.0
_STOP_S = 2.0


class Ears:
    """The worker process, seen from the event loop. Use as an async context manager.

    Args:
        end_quiet_s: This much quiet ends the agent's speech.
    """

    def __init__(self, *, end_quiet_s: float = 0.8) -> None:
        self._end_quiet_s = end_quiet_s
        self._listeners: dict[int, Callable[[Heard], None]] = {}
        self._batch = bytearray()
        self._next_key = 0
        self._flush: asyncio.TimerHandle | None = None
        self._reader: asyncio.Task[None] | None = None
        self._lost = ""

    async def __aenter__(self) -> Ears:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "harness.ears_worker",
            str(self._end_quiet_s),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        try:
            await self._wait_until_ready()
        except BaseException:
            await self.__aexit__()
            raise
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._flush is not None:
            self._flush.cancel()
        self._stdin.close()
        try:
            async with asyncio.timeout(_STOP_S):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        if self._reader is not None:
            with contextlib.suppress(asyncio.CancelledError):
                self._reader.cancel()
                await self._reader

    @property
    def pid(self) -> int:
        """Process id of the worker."""
        return self._process.pid

    @property
    def lost(self) -> str:
        """Why the caller is deaf; empty while the ears work."""
        return self._lost

    def listen(self, on_heard: Callable[[Heard], None]) -> int:
        """Opens a stream; its key goes with every packet."""
        self._next_key += 1
        self._listeners[self._next_key] = on_heard
        return self._next_key

    def forget(self, key: int) -> None:
        """Closes a stream."""
        self._listeners.pop(key, None)
        if not self._lost:
            self._queue(PACKET.pack(key, 0, -1.0))

    def feed(self, key: int, payload: bytes, at_s: float) -> None:
        """One packet of a stream; ``at_s`` is the call time of its first sample. An empty payload says that
        nothing has come up to ``at_s``: an agent that stops sending has stopped speaking.

        Raises:
            HarnessFault: The worker is gone or hopelessly behind: the call cannot go on.
        """
        if self._lost:
            raise HarnessFault(self._lost)
        self._queue(PACKET.pack(key, min(len(payload), 0xFFFF), max(0.0, at_s)) + payload[:0xFFFF])

    def _queue(self, record: bytes) -> None:
        self._batch += record
        if self._flush is None:
            self._flush = asyncio.get_running_loop().call_later(BATCH_S, self._send)

    def _send(self) -> None:
        self._flush = None
        if self._stdin.is_closing():
            return
        # Never waits: what the pipe does not take now is written when it can.
        self._stdin.write(bytes(self._batch))
        self._batch.clear()
        if self._stdin.transport.get_write_buffer_size() > MAX_BACKLOG_BYTES:
            self._lost = "the process that listens for the caller cannot keep up: the machine is overloaded"

    async def _wait_until_ready(self) -> None:
        try:
            async with asyncio.timeout(_START_S):
                ready = await self._stdout.readexactly(HEARD.size)
        except (TimeoutError, asyncio.IncompleteReadError) as error:
            raise HarnessFault("the process that listens for the caller did not start") from error
        if ready != READY:
            raise HarnessFault("the process that listens for the caller did not start as it should")

    async def _read(self) -> None:
        try:
            while True:
                key, onset, at_s = HEARD.unpack(await self._stdout.readexactly(HEARD.size))
                listener = self._listeners.get(key)
                if listener is not None:
                    listener(Heard("onset" if onset else "end", at_s))
        except (asyncio.IncompleteReadError, OSError):
            self._lost = self._lost or "the process that listens for the caller has ended"
