"""A caller's policy as it is in text, where nobody speaks over anybody."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from voice_sim.policies.base import Decision, Dialogue, Leave, Line, Policy, PolicyError, ThinkingPolicy


@dataclass(frozen=True)
class WithoutOverlap:
    """The policy without its interruptions; see :class:`voice_sim.policies.base.ThinkingPolicy`."""

    policy: Policy

    @property
    def hears_words(self) -> bool:
        """Whoever reads has the words."""
        return True

    @property
    def wait_for_greeting(self) -> bool:
        return self.policy.wait_for_greeting

    @property
    def hang_up_after_s(self) -> float:
        return self.policy.hang_up_after_s

    def prepared_lines(self) -> list[str]:
        return []

    def interruption(self, dialogue: Dialogue) -> None:
        return None

    def next_line(self, dialogue: Dialogue) -> Any:
        return self.policy.next_line(dialogue)

    def when_silent(self, dialogue: Dialogue, *, times: int) -> Decision:
        return self.policy.when_silent(dialogue, times=times)

    def think(self, dialogue: Dialogue) -> AsyncIterator[Line | Leave]:
        if not isinstance(self.policy, ThinkingPolicy):
            raise PolicyError(f"{type(self.policy).__name__} wants to think, and cannot")
        return self.policy.think(dialogue)
