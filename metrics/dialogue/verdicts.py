"""What a judge answers: one verdict for each node of a flow, one for each agent reply and dimension.

A verdict that could not be had is ``failed``, with the reason; it is never a zero.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from metrics.dialogue.task_flow import TaskFlow
from spoken_language.dialogue import Dialogue


class Dimension(StrEnum):
    """The eight dimensions of general interaction capability (Tables 5, 22, 23), in the order of Table 5."""

    NATURALNESS = "naturalness"
    COHERENCE = "coherence"
    HALLUCINATION = "hallucination"
    REDUNDANCY = "redundancy"
    EMOTIONAL_RICHNESS = "emotional_richness"
    INTENT_UNDERSTANDING = "intent_understanding"
    NOISE_RESISTANCE = "noise_resistance"
    SAFETY = "safety"


class _Verdict(BaseModel):
    """``votes``: what each member of a panel answered, in order; empty for a single judge."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    votes: tuple[str, ...] = ()


class NodeVerdict(_Verdict):
    """Whether a session achieved a node.

    Attributes:
        node: Id of the node.
        outcome: ``not_applicable`` for a branch whose condition never came up; ``failed`` when there is no
            verdict.
        turn: Position in the dialogue of the agent turn that achieved it; None otherwise.
        quote: Words of that turn.
        reason: For a person.
    """

    node: str
    outcome: Literal["achieved", "not_achieved", "not_applicable", "failed"]
    turn: int | None = Field(default=None, ge=0)
    quote: str = ""
    reason: str = ""

    @model_validator(mode="after")
    def _achieved_has_its_turn(self) -> Self:
        if (self.outcome == "achieved") != (self.turn is not None):
            raise ValueError(f"node {self.node}: {self.outcome} with turn {self.turn}")
        return self


class ReplyVerdict(_Verdict):
    """One agent reply on one dimension.

    Attributes:
        turn: Position of the reply in the dialogue.
        outcome: ``not_applicable`` where the rubric's trigger is absent, or the judge cannot judge this
            dimension at all (the reason says which).
        score: 0, 1 or 2 (Tables 22, 23) where ``outcome`` is ``scored``.
        quote: Words of the reply that decided it; may be empty for a 2.
    """

    turn: int = Field(ge=0)
    dimension: Dimension
    outcome: Literal["scored", "not_applicable", "failed"]
    score: Literal[0, 1, 2] | None = None
    reason: str = ""
    quote: str = ""

    @model_validator(mode="after")
    def _score_matches_outcome(self) -> Self:
        if (self.outcome == "scored") != (self.score is not None):
            raise ValueError(f"turn {self.turn}, {self.dimension}: {self.outcome} with score {self.score}")
        return self


class Judge(Protocol):
    """Judges sessions and replies. A verdict is asked for once per session, or per reply and dimension.

    Attributes:
        name: For reports: ``rules``, or the language model.
        version: Of prompts or rules: another version is another judge.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def dimensions(self) -> frozenset[Dimension]:
        """Those that it can judge at all."""
        ...

    async def judge_flow(
        self, dialogue: Dialogue, flow: TaskFlow, *, agent_prompt: str, language: str
    ) -> list[NodeVerdict]:
        """One verdict for each node, in the flow's order. Never raises for what a model replies."""
        ...

    async def judge_reply(
        self, dialogue: Dialogue, turn: int, dimension: Dimension, *, agent_prompt: str, language: str
    ) -> ReplyVerdict:
        """One reply on one dimension; sees the dialogue up to and with that reply. Never raises for what a
        model replies."""
        ...
