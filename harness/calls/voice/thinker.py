"""Carries out what the caller decides while it thinks: asks a policy that needs time, part by part.

A part is handed on once its sound is there, so that the caller plans a line only when it can be said, and can
take the whole thought back until then. Whatever the policy needs, retries of a language model included, is
the caller's own time: the agent's latency begins where the caller's line ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from harness.errors import HarnessFault
from harness.records.call import Event
from voice_sim.caller.events import Think, Thought
from voice_sim.policies.base import Line, PolicyError, ThinkingPolicy

THINK_LIMIT_S = 60.0
"""No thought takes longer, retries and all: the call has failed then, and it is our fault."""


class Thinker:
    """The thoughts of one call; at most one at a time is under way.

    Args:
        policy: What is asked.
        sound_ready: Makes sure that a text can be said at once. Raises HarnessFault.
        now_s: The call's clock.
        tell: Takes each part.
        fail: Takes why the call cannot go on.
        on_event: Takes events for the timeline.
        limit_s: See :data:`THINK_LIMIT_S`.
    """

    def __init__(
        self,
        *,
        policy: ThinkingPolicy,
        sound_ready: Callable[[str], Awaitable[None]],
        now_s: Callable[[], float],
        tell: Callable[[Thought], None],
        fail: Callable[[str], None],
        on_event: Callable[[Event], None],
        limit_s: float = THINK_LIMIT_S,
    ) -> None:
        self._policy = policy
        self._sound_ready = sound_ready
        self._now_s = now_s
        self._tell = tell
        self._fail = fail
        self._on_event = on_event
        self._limit_s = limit_s
        self._number = 0
        self._task: asyncio.Task[None] | None = None

    def think(self, action: Think) -> None:
        """Begins a thought; an earlier one is void."""
        self.stop()
        self._number = action.number
        self._task = asyncio.create_task(self._think(action))

    def forget(self, number: int) -> None:
        """Drops a thought, if it is still under way."""
        if number == self._number:
            self.stop()

    def stop(self) -> None:
        """Drops whatever is under way."""
        if self._task is not None and not self._task.done() and self._task is not asyncio.current_task():
            self._task.cancel()

    async def _think(self, action: Think) -> None:
        began_s = self._now_s()
        self._note("think-started", number=action.number)
        parts: list[float] = []
        outcome = "done"
        try:
            async with asyncio.timeout(self._limit_s):
                await self._ask(action, parts)
            if not parts:
                self._fail("the caller's policy failed: it had no answer")
        except asyncio.CancelledError:
            outcome = "dropped"
            raise
        except TimeoutError:
            outcome = "too slow"
            self._fail(f"the caller's policy had no answer after {self._limit_s:g} s")
        except PolicyError as error:
            outcome = "failed"
            self._fail(f"the caller's policy failed: {error}")
        except HarnessFault as error:
            outcome = "failed"
            self._fail(str(error))
        # Raised into a task it would end nothing: the call would wait for its caller for ever.
        except Exception as error:
            outcome = "failed"
            self._fail(f"the caller's policy failed: {type(error).__name__}: {error}")
        finally:
            self._note(
                "think-ended",
                number=action.number,
                outcome=outcome,
                parts=len(parts),
                took_s=round(self._now_s() - began_s, 3),
                first_part_after_s=round(parts[0] - began_s, 3) if parts else None,
            )

    async def _ask(self, action: Think, parts: list[float]) -> None:
        answer = self._policy.think(action.dialogue)
        more = False
        try:
            async for part in answer:
                if isinstance(part, Line):
                    await self._sound_ready(part.text)
                parts.append(self._now_s())
                more = isinstance(part, Line) and part.more
                self._tell(Thought(t=self._now_s(), number=action.number, decision=part))
                if not more:
                    break
            if more:
                # It promised another part and had none.
                self._tell(Thought(t=self._now_s(), number=action.number, decision=None))
        finally:
            close = getattr(answer, "aclose", None)
            if close is not None:
                await close()

    def _note(self, kind: str, **data: Any) -> None:
        self._on_event(Event(t=self._now_s(), side="caller", kind=kind, source="policy", data=data))
