"""A dialogue as text: who said what, in order. What every text score is computed from.

Types that know more of a turn stand where they are filled: when it was said (``ChatTurn``, ``TranscriptLine``
of a run's files), how the caller's ears placed it (``Said``, ``Heard``), what a recogniser makes of it (the
guard's ``Turn``), under what name it is shown (``SheetTurn``).
"""

from __future__ import annotations

from operator import not_
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Speaker = Literal["agent", "caller"]
"""The agent is the side under test, whoever dialled; the caller is the person (or their simulator)."""

Planted = Annotated[tuple[str, ...], Field(exclude_if=not_)]
"""As :class:`DialogueTurn` has it. What is named after its content keeps its name where there are none."""

MAX_TURNS = 1000


class DialogueTurn(BaseModel):
    """What one side said before the other took the turn.

    Attributes:
        planted: Of a caller's turn: the dimensions of interaction that it tries on purpose, by their names
            (``safety``). The reply to it is where they apply. Not written where there are none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    speaker: Speaker
    text: Annotated[str, StringConstraints(strip_whitespace=True, max_length=20_000)]
    planted: Planted = ()


class Dialogue(BaseModel):
    """The turns of one session in the order in which they were said."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    turns: tuple[DialogueTurn, ...] = Field(default=(), max_length=MAX_TURNS)

    def replies(self) -> list[int]:
        """Positions of the agent's turns."""
        return [position for position, turn in enumerate(self.turns) if turn.speaker == "agent"]

    def tried_by(self, reply: int) -> tuple[str, ...]:
        """The dimensions that the caller's turn right before this reply was planted to try."""
        before = self.turns[reply - 1] if 0 < reply < len(self.turns) else None
        return before.planted if before is not None and before.speaker == "caller" else ()
