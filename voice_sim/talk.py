"""A dialogue as plain text, whoever held it: what authoring learns from and realism is judged on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Side = Literal["agent", "caller"]
"""The caller is the person, real or simulated; the agent is whoever talks with them."""

MAX_TURNS = 1000


class TalkTurn(BaseModel):
    """What one side said before the other took the turn."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    speaker: Side
    text: Annotated[str, StringConstraints(strip_whitespace=True, max_length=20_000)]


class Talk(BaseModel):
    """One dialogue.

    Attributes:
        id: Unique among the talks that it is used with.
        about: What it was about, where that is known (``cs-bank-complaint/hesitant``): dialogues about the
            same are compared with each other.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    language: Literal["en", "zh"]
    about: Annotated[str, StringConstraints(max_length=200)] = ""
    turns: tuple[TalkTurn, ...] = Field(max_length=MAX_TURNS)

    def of(self, side: Side) -> list[str]:
        """The turns of one side."""
        return [turn.text for turn in self.turns if turn.speaker == side]

    def lines(self, *, agent: str = "Agent", caller: str = "Person") -> str:
        """The dialogue as lines such as ``Agent: Hello.``"""
        names = {"agent": agent, "caller": caller}
        return "\n".join(f"{names[turn.speaker]}: {' '.join(turn.text.split())}" for turn in self.turns)
