"""The one thread that sends the sound of all SIP calls of this process, each frame on its absolute deadline.

A frame is encoded as soon as the one before it has left, so that what is due is ready: first everything that
is due leaves, then the next frames are made.
"""

from __future__ import annotations

import heapq
import itertools
import sys
import threading
import time
from collections.abc import Callable
from typing import Protocol

from harness.transports.short_slices import ask_for_short_slices

_SWITCH_S = 0.0005
"""A thread that wants to run waits for at most so long until another one lets it: Python's own 5 ms would
make frames late."""


class Paced(Protocol):
    """Something that sends frame after frame.

    Attributes:
        due_ns: When the next frame is to leave, in monotonic nanoseconds; None: there is none any more.
    """

    due_ns: int | None

    def send_frame(self) -> None:
        """Sends what is ready, and sets ``due_ns`` to the frame after it."""

    def prepare_frame(self) -> None:
        """Makes the next frame ready."""

    def failed(self, error: Exception) -> None:
        """One of the two above raised: nothing more is sent of it. May not raise."""


class SenderThread:
    """See the module's docstring. Starts with the first call and ends with the last one."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, Paced]] = []
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def add(self, paced: Paced) -> None:
        """From now on it is sent; until its ``due_ns`` is None."""
        if sys.getswitchinterval() > _SWITCH_S:
            sys.setswitchinterval(_SWITCH_S)
        with self._changed:
            self._push(paced)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="sip-sender", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _push(self, paced: Paced) -> None:
        # Read once: a call may be closed, by another thread, between two looks at it.
        due_ns = paced.due_ns
        if due_ns is not None:
            heapq.heappush(self._waiting, (due_ns, next(self._numbers), paced))

    def _run(self) -> None:
        ask_for_short_slices()
        while True:
            with self._changed:
                if not self._waiting:
                    self._thread = None
                    return
                wait_s = (self._waiting[0][0] - time.monotonic_ns()) / 1e9
                if wait_s > 0:
                    self._changed.wait(wait_s)
                now_ns = time.monotonic_ns()
                due: list[Paced] = []
                while self._waiting and self._waiting[0][0] <= now_ns:
                    due.append(heapq.heappop(self._waiting)[2])
            due = [paced for paced in due if _done(paced, paced.send_frame)]
            due = [paced for paced in due if _done(paced, paced.prepare_frame)]
            with self._changed:
                for paced in due:
                    self._push(paced)


def _done(paced: Paced, step: Callable[[], None]) -> bool:
    """Whether a step came about: a fault in one call may not silence all the others."""
    try:
        step()
    except Exception as error:
        paced.failed(error)
        return False
    return True


SENDER = SenderThread()
"""Of this process."""
