"""The port to an agent in text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from spoken_language.dialogue import DialogueTurn


@dataclass(frozen=True, kw_only=True)
class AgentReply:
    """What the agent says next. ``hangs_up``: it ends the call after these words (which may be empty)."""

    text: str
    hangs_up: bool = False


class AgentFailed(RuntimeError):
    """The agent could not answer (its server is gone, its quota spent). For a person: what and why."""


class TextAgent(Protocol):
    """One agent in one dialogue."""

    @property
    def name(self) -> str:
        """For reports."""
        ...

    async def reply(self, turns: Sequence[DialogueTurn]) -> AgentReply:
        """The agent's next words, given all that was said; with no turns: its opening.

        Raises:
            AgentFailed: It cannot answer.
        """
        ...
