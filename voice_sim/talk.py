"""A dialogue with a name, whoever held it: what authoring learns from and realism is judged on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from spoken_language.dialogue import MAX_TURNS, DialogueTurn, Speaker


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
    turns: tuple[DialogueTurn, ...] = Field(max_length=MAX_TURNS)

    def of(self, side: Speaker) -> list[str]:
        """The turns of one side."""
        return [turn.text for turn in self.turns if turn.speaker == side]

    def lines(self, *, agent: str = "Agent", caller: str = "Person") -> str:
        """The dialogue as lines such as ``Agent: Hello.``"""
        names = {"agent": agent, "caller": caller}
        return "\n".join(f"{names[turn.speaker]}: {' '.join(turn.text.split())}" for turn in self.turns)
