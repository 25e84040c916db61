"""The agent as a program that is started for a run, and stopped with all that it started itself."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from harness._files.own_processes import note_ended, note_started
from harness.errors import EXIT_NOT_PLACED, UserError
from harness.plans.reach.spawn import SpawnPlan
from harness.redaction import KNOWN
from harness.runs.lock import AGENT_LOG

MAX_LOG_BYTES = 20_000_000
"""What it prints beyond these is not kept."""
STOP_S = 10.0
"""So long it may take to end after SIGTERM."""
_LAST_LINES = 20
_MAX_LINE = 4000
_POLL_S = 0.1


class SpawnedAgent:
    """A program that runs while it is called.

    It leads a session of its own: Ctrl-C at our terminal is for us, who hang up first.
    """

    def __init__(self, plan: SpawnPlan, log: Path) -> None:
        self._plan = plan
        self._last: deque[str] = deque(maxlen=_LAST_LINES)
        self._is_said = threading.Event()
        self._log = log
        log.write_bytes(b"")
        try:
            self._process = subprocess.Popen(
                plan.words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, "PYTHONUNBUFFERED": "1", "PORT": str(plan.port)},
            )
        except OSError as error:
            raise UserError(
                f"spawn: {plan.words[0]} cannot be started: {error.strerror or error}",
                exit_code=EXIT_NOT_PLACED,
            ) from error
        note_started(self._process.pid)
        assert self._process.stdout is not None
        self._reader = threading.Thread(
            target=self._read, args=(self._process.stdout,), name="spawned-agent", daemon=True
        )
        self._reader.start()

    @property
    def ended(self) -> str:
        """How it ended, with its last lines; empty while it runs."""
        code = self._process.poll()
        if code is None:
            return ""
        # What it said last may still be on its way; a child of its own may hold the pipe open for longer.
        self._reader.join(1.0)
        how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
        return f"{how}; the last that it said:\n{self._last_words()}"

    def wait_until_ready(self) -> None:
        """Returns when it can be called.

        Raises:
            UserError: It ended, or was not ready in time; the message has its last lines.
        """
        deadline = time.monotonic() + self._plan.within_s
        while time.monotonic() < deadline:
            if ended := self.ended:
                raise UserError(f"spawn: the agent ended at once: {ended}", exit_code=EXIT_NOT_PLACED)
            if self._is_ready():
                return
            time.sleep(_POLL_S)
        wanted = f"said {self._plan.ready!r}" if self._plan.ready else f"served port {self._plan.port}"
        raise UserError(
            f"spawn: after {self._plan.within_s:.0f} s the agent had not {wanted}; the last that it said:\n"
            f"{self._last_words()}",
            exit_code=EXIT_NOT_PLACED,
        )

    def stop(self) -> None:
        """Ends it and everything of its session: asked for first, then by force."""
        self._signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_S)
        self._signal(signal.SIGKILL)
        self._process.wait()
        note_ended(self._process.pid)
        self._reader.join(1.0)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _is_ready(self) -> bool:
        if self._plan.ready:
            return self._is_said.is_set()
        return takes_connections(self._plan.port)

    def _last_words(self) -> str:
        return "\n".join(self._last) or "(nothing)"

    def _read(self, output: IO[bytes]) -> None:
        """Until nobody can print any more: whatever becomes of the log, the agent must not stall on a full
        pipe."""
        left = MAX_LOG_BYTES
        while line := output.readline(_MAX_LINE):
            text = KNOWN.scrub(line.decode("utf-8", "replace"))
            self._last.append(text.rstrip())
            if self._plan.ready and self._plan.ready in text:
                self._is_said.set()
            kept = text.encode()[:left]
            left -= len(kept)
            if kept:
                with contextlib.suppress(OSError), self._log.open("ab") as log:
                    log.write(kept)
        output.close()


@contextlib.contextmanager
def spawned(plan: SpawnPlan | None, folder: Path) -> Iterator[SpawnedAgent | None]:
    """Runs the agent of a plan while in the ``with`` block; nothing, where it has none.

    Args:
        folder: Of the run: :data:`AGENT_LOG` in it gets what the agent prints.

    Raises:
        UserError: It cannot be started, somebody else has its port, or it does not become ready.
    """
    if plan is None:
        yield None
        return
    if not plan.ready and takes_connections(plan.port):
        raise UserError(
            f"spawn: port {plan.port} is taken already, and the wrong program would be called: end that one, "
            "or give another port (--spawn-port)"
        )
    folder.mkdir(parents=True, exist_ok=True)
    agent = SpawnedAgent(plan, folder / AGENT_LOG)
    try:
        agent.wait_until_ready()
        yield agent
    finally:
        agent.stop()


def takes_connections(port: int) -> bool:
    """Whether somebody on this machine serves the TCP port."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1.0):
        return True
    return False
