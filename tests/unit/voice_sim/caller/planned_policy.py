"""A policy whose every decision is written down beforehand: what a test wants to see the caller do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from voice_sim.policies.base import THINKING, Answer, Decision, Dialogue, Line, Said


@dataclass(frozen=True, kw_only=True)
class Thoughts:
    """What comes of thinking: (seconds after the one before, part of the turn)."""

    parts: tuple[tuple[float, Decision], ...]


@dataclass(kw_only=True)
class PlannedPolicy:
    """Decides by the number of lines said so far, like a script, but everything that a policy can.

    Attributes:
        turns: The decision at each position; after the last: None.
        over_agent: The line to say over the agent's speech, by position.
        silences: Answers to the agent's silence, by how often it was asked in a row; after the last: None.
        asked: Every dialogue with which :meth:`next_line` was called.
    """

    turns: Sequence[Decision | Thoughts] = ()
    over_agent: dict[int, Line] = field(default_factory=dict)
    silences: Sequence[Decision] = ()
    hears_words: bool = False
    wait_for_greeting: bool = True
    hang_up_after_s: float = 1.0
    asked: list[Dialogue] = field(default_factory=list)

    def prepared_lines(self) -> list[str]:
        return [line.text for line in self.over_agent.values()]

    def interruption(self, dialogue: Dialogue) -> Line | None:
        return self.over_agent.get(_position(dialogue))

    def next_line(self, dialogue: Dialogue) -> Answer:
        self.asked.append(dialogue)
        turn = self.at(dialogue)
        return THINKING if isinstance(turn, Thoughts) else turn

    def when_silent(self, dialogue: Dialogue, *, times: int) -> Decision:
        return self.silences[times - 1] if times <= len(self.silences) else None

    def at(self, dialogue: Dialogue) -> Decision | Thoughts:
        """What is planned at this point."""
        position = _position(dialogue)
        return self.turns[position] if position < len(self.turns) else None


def _position(dialogue: Dialogue) -> int:
    return sum(isinstance(turn, Said) for turn in dialogue)
