"""A worker process beside the calls: started, waited for, fed, listened to and stopped in one way.

What the caller needs during a call (its ears, its understanding, its voice) is worked out in processes of
low priority, so that nothing of it happens in the process that keeps the media time. :class:`WorkerProcess`
is such a process seen from the event loop; :func:`working` is for the process itself. They talk over its
stdin and stdout. A worker ends when its stdin does: one whose harness was killed leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

from harness._files.own_processes import note_ended, note_started
from harness.errors import HarnessFault

STOP_S = 2.0
"""After this long a worker that does not end by itself is killed."""
AUTOGROUP_TRIES, AUTOGROUP_EVERY_S = 100, 0.1
_LINE_BYTES = 1_000_000
_COMPLAINT_BYTES = 4000
_COMPLAINT_LINES = 3
_COMPLAINT_CHARS = 300
_COMPLAINT_S = 1.0
"""After its end, what it wrote last may take so long to arrive."""


class WorkerProcess(ABC):
    """One worker. Use as an async context manager: entered, it is ready; left, it is gone.

    Args:
        name: What it does, for messages: "the process that listens for the caller".
        arguments: Of the Python interpreter: ``("-m", MODULE, ...)``.
        ready: The first bytes that it tells; with none it counts as ready at once.
        start_s: How long it may take to tell them.
        backlog_bytes: With more than this unread in its pipe it is given up as hopelessly behind.
        environment: Variables that it has besides ours.

    Raises (on entering): HarnessFault where it does not get ready.
    """

    def __init__(
        self,
        *,
        name: str,
        arguments: Sequence[str],
        ready: bytes = b"",
        start_s: float = 60.0,
        backlog_bytes: int | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._name = name
        self._arguments = tuple(arguments)
        self._ready = ready
        self._start_s = start_s
        self._backlog_bytes = backlog_bytes
        self._environment = dict(environment or {})
        self._listening: asyncio.Task[None] | None = None
        self._complaints = bytearray()
        self._lost = ""

    async def __aenter__(self) -> Self:
        self._process = await self._started()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        note_started(self._process.pid)
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._complaining = asyncio.create_task(self._read_complaints(self._process.stderr))
        try:
            await self._wait_until_ready()
        except BaseException:
            await self._stop()
            raise
        self._listening = asyncio.create_task(self._listen())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stop()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def lost(self) -> str:
        """Why it works no more; empty while it works."""
        return self._lost

    @abstractmethod
    async def _hear(self, told: asyncio.StreamReader) -> None:
        """Takes in what the worker tells, until that ends. An incomplete or broken record ends it too."""

    async def _started(self) -> asyncio.subprocess.Process:
        """Its process. Cancelled, this waits until there is one, and kills it: of one whose making was broken
        off Python 3.11 misses the end, and waits for it for ever."""
        making = asyncio.create_task(
            asyncio.create_subprocess_exec(
                sys.executable,
                # Off its module path with the folder that one stands in: a metrics.py there is not ours.
                "-P",
                *self._arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                # Ctrl-C is for the harness: it hangs up first and then closes the worker's stdin.
                start_new_session=True,
                env=os.environ | self._environment,
                limit=_LINE_BYTES,
            )
        )
        try:
            return await asyncio.shield(making)
        except asyncio.CancelledError:
            process = await making
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
            raise

    def _must_work(self) -> None:
        if self._lost:
            raise HarnessFault(self._lost)

    def _send(self, content: bytes) -> None:
        """Never waits: what the pipe does not take now is written when it can, or not at all."""
        if self._stdin.is_closing():
            return
        self._stdin.write(content)
        waiting_bytes = self._stdin.transport.get_write_buffer_size()
        if self._backlog_bytes is not None and waiting_bytes > self._backlog_bytes:
            self._give_up()

    def _give_up(self) -> None:
        """It is too far behind to be of use in the calls that stand."""
        self._lost = f"{self._name} cannot keep up: the machine is overloaded"

    async def _wait_until_ready(self) -> None:
        try:
            async with asyncio.timeout(self._start_s):
                told = await self._stdout.readexactly(len(self._ready))
        except asyncio.IncompleteReadError as error:
            raise HarnessFault(f"{self._name} did not start{await self._last_words()}") from error
        except TimeoutError as error:
            raise HarnessFault(f"{self._name} was not ready after {self._start_s:.0f} s") from error
        if told != self._ready:
            raise HarnessFault(f"{self._name} did not start as it should")

    async def _listen(self) -> None:
        """Until the worker ends, or what it tells cannot be taken in: then it is lost."""
        why = " has ended"
        try:
            await self._hear(self._stdout)
            why += await self._last_words()
        except asyncio.IncompleteReadError:
            why += await self._last_words()
        except Exception as error:
            # Whatever it is: nobody listens to the worker any more, and that must not go unnoticed.
            why = f" is not heard any more: {_one_line(f'{type(error).__name__}: {error}')}"
        finally:
            self._lost = self._lost or f"{self._name}{why}"
        await _drain(self._stdout)

    async def _read_complaints(self, stderr: asyncio.StreamReader) -> None:
        """Keeps the end of what the worker writes to its stderr."""
        while some := await stderr.read(_COMPLAINT_BYTES):
            self._complaints += some
            del self._complaints[:-_COMPLAINT_BYTES]

    async def _last_words(self) -> str:
        """Of a worker that has ended: the last lines of its stderr; empty where it wrote nothing."""
        await asyncio.wait([self._complaining], timeout=_COMPLAINT_S)
        written = self._complaints.decode(errors="replace").splitlines()
        lines = [line for line in map(_one_line, written) if line][-_COMPLAINT_LINES:]
        return f": {' | '.join(lines)[-_COMPLAINT_CHARS:]}" if lines else ""

    async def _stop(self) -> None:
        self._stdin.close()
        # With nobody to read them its pipes stay full, and a process with full pipes is waited for for ever.
        reading = [self._listening or asyncio.create_task(_drain(self._stdout)), self._complaining]
        ended = False
        try:
            async with asyncio.timeout(STOP_S):
                await self._process.wait()
            ended = True
        except TimeoutError:
            pass
        finally:
            # Also where we are cancelled while we wait.
            try:
                if not ended:
                    await self._kill()
            finally:
                for task in reading:
                    task.cancel()
                await asyncio.gather(*reading, return_exceptions=True)
        note_ended(self._process.pid)
        self._lost = self._lost or f"{self._name} has ended"

    async def _kill(self) -> None:
        # Its session is its own: whatever it has started goes with it, and holds no pipe of it open.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_S):
                await self._process.wait()


async def _drain(told: asyncio.StreamReader) -> None:
    """Reads what nobody listens to, until it ends."""
    with contextlib.suppress(OSError):
        while await told.read(_LINE_BYTES):
            pass


def _one_line(text: str) -> str:
    """Bounded, and nothing in it that a terminal would obey."""
    plain = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(plain.split())[:_COMPLAINT_CHARS]


@contextlib.contextmanager
def working(*, niceness: int) -> Iterator[None]:
    """Around the work in the worker itself: of low priority, and quiet when its harness is gone."""
    # A service manager ends all that it started at once. Ours hang up first, and then close our stdin.
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)}
    with contextlib.suppress(OSError):
        os.nice(niceness)
    _nice_session(niceness)
    try:
        with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _nice_session(niceness: int) -> None:
    """The same for our session, which a worker has to itself: Linux may share the processor by sessions
    (``autogroup``, sched(7)), and then niceness counts within one alone."""
    if niceness and os.getsid(0) == os.getpid() and not _wrote_autogroup(niceness):
        # One write in a tenth of a second, of the whole machine, and many workers may begin at once.
        threading.Thread(target=_write_autogroup, args=(niceness,), daemon=True).start()


def _write_autogroup(niceness: int) -> None:
    for _ in range(AUTOGROUP_TRIES):
        time.sleep(AUTOGROUP_EVERY_S * (1 + random.random()))
        if _wrote_autogroup(niceness):
            return


def _wrote_autogroup(niceness: int) -> bool:
    """Whether there is nothing more to be done."""
    try:
        Path("/proc/self/autogroup").write_text(str(niceness))
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True
