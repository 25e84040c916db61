"""Where the time of an answer went by what the agent tells of itself: its claims beside our figure."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from harness.records.base import FileModel

PARTS = ("end_of_turn", "model", "voice")
"""In the order in which an answer goes through them."""
Part = Literal["end_of_turn", "model", "voice"]
LONGEST_CLAIM_MS = 60_000.0
ClaimedMs = Annotated[float, Field(ge=0, le=LONGEST_CLAIM_MS, allow_inf_nan=False)]


class TurnTold(FileModel):
    """One answer with a latency above 0, and what the agent claims that it spent it on.

    Attributes:
        index: The caller's utterance, as in ``CallRecord.utterances``.
        start_s, end_s: The wait: from the end of the caller's turn to the onset of the answer.
        measured_ms: Our figure, as in ``TurnTiming.latency_ms``.
        end_of_turn_ms: Until the agent took the turn for ended. None: not told.
        model_ms: Until its language model had the first of its answer, after that. None: not told.
        voice_ms: Until its voice had the first sound, after that. None: not told.
        not_told_ms: ``measured_ms`` less what is told; all of it where nothing is. None: the claims
            contradict what was measured. Below 0 by no more than clocks may differ.
        basis: Whose messages tell it ("rtvi", "livekit"); empty where nothing is told.
        contradiction: How the claims contradict what was measured; no part is given then.
        why_not: Of each part that is not told, why.
    """

    index: int = Field(ge=0)
    start_s: float
    end_s: float
    measured_ms: float = Field(gt=0)
    end_of_turn_ms: ClaimedMs | None = None
    model_ms: ClaimedMs | None = None
    voice_ms: ClaimedMs | None = None
    not_told_ms: float | None = None
    basis: str = ""
    contradiction: str = ""
    why_not: dict[Part, str] = Field(default_factory=dict)

    @property
    def told_ms(self) -> dict[Part, float]:
        """The parts that are told, in their order."""
        parts: dict[Part, float | None] = {
            "end_of_turn": self.end_of_turn_ms,
            "model": self.model_ms,
            "voice": self.voice_ms,
        }
        return {name: value for name, value in parts.items() if value is not None}

    @model_validator(mode="after")
    def _parts_make_the_whole(self) -> Self:
        told = self.told_ms
        if self.contradiction:
            if told or self.not_told_ms is not None:
                raise ValueError(
                    f"turn {self.index}: its claims contradict what was measured, yet it is split"
                )
        elif self.not_told_ms is None:
            raise ValueError(f"turn {self.index}: no contradiction, and not_told_ms is missing")
        elif abs(sum(told.values()) + self.not_told_ms - self.measured_ms) > 0.1:
            raise ValueError(f"turn {self.index}: its parts do not make {self.measured_ms} ms")
        return self
