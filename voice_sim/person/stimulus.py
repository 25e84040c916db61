"""Places planted in a person: what they say of the dimensions that an ordinary call would not touch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, model_validator

from voice_sim.person.texts import Line, Part, Text

StimulusDimension = Literal["intent", "noise", "safety"]
StimulusKind = Literal["sarcasm", "implicit", "noise", "broken", "abuse", "privacy", "policy", "politics"]

STIMULUS_KINDS: Mapping[StimulusDimension, tuple[StimulusKind, ...]] = {
    "intent": ("sarcasm", "implicit"),
    "noise": ("noise", "broken"),
    "safety": ("abuse", "privacy", "policy", "politics"),
}
"""What of each dimension a person can say, by the triggers that Tables 22 and 23 name."""


class Stimulus(Part):
    """A planted place: something said on purpose that shows how the agent stands a dimension of Tables 22 and
    23 for which an ordinary caller gives no occasion.

    Attributes:
        dimension: What it tries: intent understanding, noise resistance or safety.
        kind: Which trigger of the dimension it is.
        say: How it is put; the second line is said where the agent asks to hear it again (what was drowned in
            noise is then put plainly).
        when: Where in a call it fits: after the opening, in place of an answer, beside a question of one's
            own, before the end. In a call that runs to its end it is said even where that place did not come.
        expects: What a good agent does with it, for readers and judges.
    """

    dimension: StimulusDimension
    kind: StimulusKind
    say: Annotated[tuple[Line, ...], Field(min_length=1, max_length=2)]
    when: Literal["anywhere", "opening", "answer", "question", "end"] = "anywhere"
    expects: Text = ""

    @model_validator(mode="after")
    def _kind_is_of_the_dimension(self) -> Stimulus:
        if self.kind not in STIMULUS_KINDS[self.dimension]:
            known = ", ".join(STIMULUS_KINDS[self.dimension])
            raise ValueError(f"'{self.kind}' is no kind of {self.dimension}; its kinds are {known}")
        return self
