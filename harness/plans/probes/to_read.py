"""What the agent is to read out in a call of the form ``read_aloud``, and what is judged of how it does."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Spoken = Annotated[str, Field(min_length=1, max_length=300)]
"""Words as somebody says them: no digit and no symbol, so that nobody has to read them first."""


class ToRead(BaseModel):
    """One sentence of a call.

    Attributes:
        item: Of the suite.
        line: Position in the script of the line that asks for it.
        kind: As the suite names it: ``currency``, ``switched``, ``sad`` and so on.
        text: What the agent was told to say, as it is written.
        key: The part of it that is judged; empty: all of it.
        readings: What may be said for ``key``; empty where its reading is not what is judged.
        wrong: What an agent says that reads it wrongly, as far as the suite knows.
        control: Item that it is compared with; empty: none.
        key_language: In which ``key`` is, where that is not the sentence's.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    item: str = Field(max_length=100)
    line: int = Field(ge=0, le=500)
    kind: str = Field(max_length=40)
    text: str = Field(min_length=1, max_length=500)
    key: str = Field(default="", max_length=200)
    readings: tuple[Spoken, ...] = Field(default=(), max_length=30)
    wrong: tuple[Spoken, ...] = Field(default=(), max_length=30)
    control: str = Field(default="", max_length=100)
    key_language: str = Field(default="", max_length=10)
