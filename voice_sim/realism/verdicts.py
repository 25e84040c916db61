"""What somebody, a language model or a person, said of dialogues. A question without an answer has no
value."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Source = Literal["human", "simulated"]
"""Where the person of a dialogue comes from, or where a judge believes they come from."""

SCALE = 9
"""Human-likeness goes from 0 to 9."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Scored(_Part):
    """Human-likeness of one dialogue by one rater.

    Attributes:
        score: None where the rater gave none; ``failure`` says why.
    """

    talk: str
    source: Source
    rater: str
    score: int | None = Field(default=None, ge=0, le=SCALE)
    failure: str = ""


class Detected(_Part):
    """Whether a rater takes the person of a dialogue for real."""

    talk: str
    source: Source
    rater: str
    verdict: Source | None = None
    failure: str = ""


class Compared(_Part):
    """Which of two dialogues a rater takes for the one with a real person.

    Attributes:
        first: Which of the two was shown first.
    """

    human: str
    simulated: str
    rater: str
    first: Source
    more_human: Source | None = None
    failure: str = ""


class Verdicts(_Part):
    """Everything that one kind of raters said.

    Attributes:
        by: For the heading of the tables: a model's name, or "people".
        prompts: Version of the questions that a model was asked.
    """

    kind: Literal["realism"] = "realism"
    version: int = 1
    by: str
    prompts: str = ""
    scored: tuple[Scored, ...] = ()
    detected: tuple[Detected, ...] = ()
    compared: tuple[Compared, ...] = ()

    @property
    def raters(self) -> int:
        """How many different raters answered anything."""
        scored, detected, compared = self.scored, self.detected, self.compared
        return len(
            {
                *(one.rater for one in scored),
                *(one.rater for one in detected),
                *(one.rater for one in compared),
            }
        )
