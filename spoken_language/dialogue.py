"""A dialogue as text: who said what, in order. What every text score is computed from.

Types that know more of a turn stand where they are filled: when it was said (``ChatTurn``, ``TranscriptLine``
of a run's files), how the caller's ears placed it (``Said``, ``Heard``), what a recogniser makes of it (the
guard's ``Turn``), under what name it is shown (``SheetTurn``).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Speaker = Literal["agent", "caller"]
"""The agent is the side under test, whoever dialled; the caller is the person (or their simulator)."""

MAX_TURNS = 1000


class DialogueTurn(BaseModel):
    """What one side said before the other took the turn."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    speaker: Speaker
    text: Annotated[str, StringConstraints(strip_whitespace=True, max_length=20_000)]


class Dialogue(BaseModel):
    """The turns of one session in the order in which they were said."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    turns: tuple[DialogueTurn, ...] = Field(default=(), max_length=MAX_TURNS)

    def replies(self) -> list[int]:
        """Positions of the agent's turns."""
        return [position for position, turn in enumerate(self.turns) if turn.speaker == "agent"]
