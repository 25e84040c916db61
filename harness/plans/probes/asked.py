"""What is said to the agent in a call of the form ``spoken``, and what it has to understand of it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Usable = Literal["", "good", "speech", "sound"]
"""Of an item whose rejection is tried: it can be understood (``good``), it is speech that cannot
(``speech``), or it is no speech at all (``sound``). Empty: rejection is not what it is about."""


class Asked(BaseModel):
    """One line of a call.

    Attributes:
        item: Of the suite.
        line: Position in the script.
        kind: As the suite names it: ``sentence``, ``name``, ``reversed`` and so on.
        entity: What has to be understood of it, as it is written; empty: every word.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    item: str = Field(max_length=100)
    line: int = Field(ge=0, le=500)
    kind: str = Field(max_length=40)
    entity: str = Field(default="", max_length=200)
    usable: Usable = ""
