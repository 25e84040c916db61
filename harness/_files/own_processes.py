"""Processes that we started in sessions of their own: what has to end with us where there is no time to ask.

In the ordinary way each is ended by whoever started it. This list is for the other one, a second Ctrl-C.
"""

from __future__ import annotations

import contextlib
import os
import signal

_started: set[int] = set()


def note_started(pid: int) -> None:
    """A process that leads a session of its own has been started."""
    _started.add(pid)


def note_ended(pid: int) -> None:
    """It has ended, and its id may soon be another's."""
    _started.discard(pid)


def kill_all() -> None:
    """Kills those that still run, with all that they have started; from any thread."""
    for pid in tuple(_started):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
