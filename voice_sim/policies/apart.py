"""A policy whose decisions take long, asked away from the loop that keeps a call's media time.

A model of sentence meaning needs 50 ms for a question, and several times that on a busy machine: as long as
that, no packet would leave. The thread that asks has the lowest priority that the system gives it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from voice_sim.policies.base import THINKING, Answer, Decision, Dialogue, Leave, Line, Policy, PolicyError

_NICE = 10


def _step_back() -> None:
    # A thread has a priority of its own on Linux alone; elsewhere this would be the whole process's.
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


_THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="decides", initializer=_step_back)


class DecidesApart:
    """The policy as a :class:`voice_sim.policies.base.ThinkingPolicy`: it says the same, a moment later."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    @property
    def wait_for_greeting(self) -> bool:
        return self._policy.wait_for_greeting

    @property
    def hang_up_after_s(self) -> float:
        return self._policy.hang_up_after_s

    @property
    def hears_words(self) -> bool:
        return self._policy.hears_words

    def prepared_lines(self) -> Sequence[str]:
        return self._policy.prepared_lines()

    def interruption(self, dialogue: Dialogue) -> Line | None:
        return self._policy.interruption(dialogue)

    def next_line(self, dialogue: Dialogue) -> Answer:
        return THINKING

    def when_silent(self, dialogue: Dialogue, *, times: int) -> Decision:
        return self._policy.when_silent(dialogue, times=times)

    async def think(self, dialogue: Dialogue) -> AsyncIterator[Line | Leave]:
        """The policy's own line.

        Raises:
            PolicyError: It has none, or wants to think itself.
        """
        decision = await asyncio.get_running_loop().run_in_executor(_THREAD, self._policy.next_line, dialogue)
        if not isinstance(decision, Line | Leave):
            raise PolicyError(f"{type(self._policy).__name__} did not decide")
        yield decision
