"""What is planted in a call of a probe suite: part of the call's plan, so that scoring later finds it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from harness.plans.probes.asked import Asked
from harness.plans.probes.attended import Attended
from harness.plans.probes.to_read import ToRead

Place = Literal["over_agent", "in_silence"]
"""Into the agent's speech, or into the silence after it."""

SECONDS_ASSUME = "if the agent answers after 1.5 s and speaks for 4 s"
"""Of how long the calls of a suite are said to take; a longer reply takes longer where it is waited for."""


class Planted(BaseModel):
    """One place of a call, and what is heard there.

    Attributes:
        item: Of the suite; of a control, the item whose place it is without its sound.
        line: Position in the script: of the line that is the sound, or in a control of the request before it.
        kind: ``cough``, ``tv`` and so on, as the suite names it.
        place: Where it was meant to fall; an agent that speaks shortly may have it elsewhere.
        control: Nothing is played there.
        heard_back: What is heard there is the agent's own voice, in its answer to the line; in a control,
            nothing comes back.
        after_s: In a control, and of what is heard back: the place begins so long after the onset
            (``over_agent``) or the end (``in_silence``) of the reply to the request.
        length_s: In a control: how long the sound would have been.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    item: str = Field(max_length=140)
    line: int = Field(ge=0, le=500)
    kind: str = Field(max_length=40)
    place: Place
    control: bool = False
    heard_back: bool = False
    after_s: float = Field(default=0.0, ge=0.0, le=30.0)
    length_s: float = Field(default=0.0, ge=0.0, le=60.0)

    @property
    def is_line(self) -> bool:
        """Whether the line itself is what is planted."""
        return not (self.control or self.heard_back)


class ProbePlan(BaseModel):
    """Of which suite a call is, and what is planted in it.

    Attributes:
        seconds: What the call takes, about, with an agent that answers after 1.5 s and speaks for 4 s.
        planted: Places of the form ``sounds``.
        asked: Lines of the form ``spoken``.
        attended: Dialogues of the form ``other_voice``.
        to_read: Sentences of the form ``read_aloud``.
        setting: In which voice and noise these are said, by its name in the suite; empty: as callers speak.
        against: The setting that this one is compared with; empty: it is compared with none.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    suite: str = Field(max_length=40)
    version: str = Field(max_length=20)
    size: Literal["few", "quick", "full"] = "quick"
    seconds: float = Field(default=0.0, ge=0.0, le=7200.0)
    planted: tuple[Planted, ...] = Field(default=(), max_length=100)
    asked: tuple[Asked, ...] = Field(default=(), max_length=100)
    attended: tuple[Attended, ...] = Field(default=(), max_length=100)
    to_read: tuple[ToRead, ...] = Field(default=(), max_length=100)
    setting: str = Field(default="", max_length=60)
    against: str = Field(default="", max_length=60)

    @property
    def items(self) -> tuple[str, ...]:
        """Every item of the suite that is in the call, once, in the order of the call."""
        every: tuple[Planted | Asked | Attended | ToRead, ...]
        every = (*self.planted, *self.asked, *self.attended, *self.to_read)
        return tuple(dict.fromkeys(one.item for one in every))
