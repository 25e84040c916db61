"""A language model's rating of transcripts for step 1: completeness, consistency, informativeness."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field
from pydantic_ai.models import Model

from voice_sim.asking import Asked, ask
from voice_sim.authoring.measures import Quality
from voice_sim.authoring.prompts import prompt
from voice_sim.talk import Talk

SCALE = 10


class Rating(BaseModel):
    """Each 0-10, and why in a sentence."""

    model_config = ConfigDict(extra="forbid")

    reason: str
    completeness: int = Field(ge=0, le=SCALE)
    consistency: int = Field(ge=0, le=SCALE)
    informativeness: int = Field(ge=0, le=SCALE)


async def rate(model: Model, talk: Talk) -> dict[Quality, float] | str:
    """The three qualities, 0-1; in words why there are none where the model gave no usable answer."""
    asked: Asked[Rating] = await ask(
        model, f"<call>\n{talk.lines()}\n</call>", Rating, instructions=prompt("curate"), max_tokens=400
    )
    if asked.answer is None:
        return asked.failure
    return {
        "completeness": asked.answer.completeness / SCALE,
        "consistency": asked.answer.consistency / SCALE,
        "informativeness": asked.answer.informativeness / SCALE,
    }
