"""What a dialogue of the form ``other_voice`` is: a request of the caller's, and somebody else beside it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Beside = Literal["under_request", "over_agent"]
"""The other voice is heard under the caller's own request, or falls into the agent's speech."""
Heard = Literal["", "voice", "babble"]
"""Who is heard besides: one other voice, several at once, or (in a control) nobody."""


class Attended(BaseModel):
    """One dialogue of a call.

    Attributes:
        item: Its name; that of a place in ``planted`` where something falls into the agent's speech.
        request: Which of the suite's requests it is: a control tells whether the agent copes with it at all.
        line: Position of the request in the script.
        kind, entity: What the agent has to take up, as :mod:`metrics.recognition.proper_nouns` knows it.
        snr_db: Level of the caller's voice over the other's; None in a control.
        words: Of the other's words those that tell that they were taken up; none of babble.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    item: str = Field(max_length=140)
    request: str = Field(max_length=60)
    line: int = Field(ge=0, le=500)
    kind: str = Field(max_length=40)
    entity: str = Field(max_length=200)
    place: Beside
    heard: Heard = ""
    snr_db: float | None = Field(default=None, ge=-10.0, le=40.0)
    words: tuple[Annotated[str, Field(max_length=60)], ...] = Field(default=(), max_length=20)

    @property
    def control(self) -> bool:
        """Nobody else is heard."""
        return not self.heard
