"""Ctrl-C and SIGTERM: the first is asked for in the ordinary way, the second ends everything at once.

SIGTERM does whatever Ctrl-C does at that moment: a call hangs up and is kept, a judge's answers are kept, an
agent that we serve is ended. Only the exit code says which it was.

A second one ends the process and all that it has started without asking anybody, also where the main thread
is deep in a model and would not hear of it for a minute: the kernel's signal is told to a thread of its own.

What is the same press twice is no second one: to asyncio it would be, so calls run by :func:`run_stoppable`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from types import FrameType
from typing import Any, Self, TypeVar

from harness._files.own_processes import kill_all
from harness.errors import EXIT_INTERRUPTED, EXIT_TERMINATED

Result = TypeVar("Result")

SAME_PRESS_S = 0.5
"""A shell, a make and a container each hand the same Ctrl-C on: what comes so soon after it is no second."""


class Stopping:
    """Around a command. In another thread than the main one it does nothing: signals are not for that.

    Args:
        at_once: Called from another thread, with the exit code, before a second signal ends the process.
    """

    def __init__(self, at_once: Callable[[int], None] = lambda code: None) -> None:
        self._at_once = at_once
        self._terminated = False
        self._active = False

    @property
    def exit_code(self) -> int:
        """Of a command that was cut off."""
        return EXIT_TERMINATED if self._terminated else EXIT_INTERRUPTED

    def __enter__(self) -> Self:
        if threading.current_thread() is not threading.main_thread():
            return self
        self._active = True
        self._term_before = signal.signal(signal.SIGTERM, self._on_term)
        self._ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        if self._ignored:
            # In the background of a script: Ctrl-C stays without effect, but SIGTERM has to find a handler.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            signal.signal(signal.SIGINT, signal.default_int_handler)
        reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)
        self._wakeup_before = signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        self._thread = threading.Thread(target=self._watch, args=(reader,), name="stopping", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if not self._active:
            return
        signal.set_wakeup_fd(self._wakeup_before)
        os.close(self._writer)
        self._thread.join()
        if self._ignored:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGTERM, self._term_before)

    def _on_term(self, _number: int, frame: FrameType | None) -> None:
        self._terminated = True
        handler = signal.getsignal(signal.SIGINT)
        if not callable(handler):
            raise KeyboardInterrupt
        handler(signal.SIGINT, frame)

    def _watch(self, reader: int) -> None:
        first_s: float | None = None
        while numbers := os.read(reader, 64):
            for number in numbers:
                if number not in (signal.SIGINT, signal.SIGTERM):
                    continue
                now_s = time.monotonic()
                if first_s is None:
                    first_s = now_s
                elif now_s - first_s >= SAME_PRESS_S:
                    self._end_at_once(number)
        os.close(reader)

    def _end_at_once(self, number: int) -> None:
        code = EXIT_TERMINATED if number == signal.SIGTERM else EXIT_INTERRUPTED
        kill_all()
        with contextlib.suppress(Exception):  # nothing may keep it from ending
            self._at_once(code)
            if sys.stderr.isatty():
                os.write(2, b"\x1b[?25h\n")  # a spinner hides the cursor
        os._exit(code)


def run_stoppable(work: Coroutine[Any, Any, Result]) -> Result:
    """As ``asyncio.run``; but the same press handed on twice breaks off once.

    At a second Ctrl-C, however soon, asyncio cancels every task, and with them the end of a call under way.
    """
    return asyncio.run(_heard_once(work))


async def _heard_once(work: Coroutine[Any, Any, Result]) -> Result:
    with _same_press_left_out():
        return await work


@contextlib.contextmanager
def _same_press_left_out() -> Iterator[None]:
    """Around the handler of Ctrl-C that is there: what is the same press as the first does not come to it."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    heard = handler
    first_s: float | None = None

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal first_s
        now_s = time.monotonic()
        if first_s is None:
            first_s = now_s
        elif now_s - first_s < SAME_PRESS_S:
            return
        heard(number, frame)

    signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
