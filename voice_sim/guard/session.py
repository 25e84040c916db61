"""What the guard looks at, and what it answers."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict

from spoken_language.dialogue import Speaker
from voice_sim.guard.misunderstanding.card import Card
from voice_sim.person.persona import Persona

Kind = Literal[
    "contradicted_fact",
    "invented_fact",
    "role_flip",
    "left_language",
    "repeated_itself",
    "hung_up_early",
    "hung_up_late",
    "garbled_speech",
    "broke_character",
    "did_not_answer",
    "asked_again",
    "satisfied_without_cause",
    "answered_unasked",
    "talked_past",
    "did_not_know",  # of the rules before version 7, as the next
    "wrong_kind",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

Ended = Literal[
    "satisfied", "declined", "unanswered", "refused", "gave_up", "agent_hung_up", "limit", "other"
]
"""How a session ended: the caller's own reasons (:data:`voice_sim.policies.base.EndReason`), or not by it."""

BY_CALLER: tuple[Ended, ...] = ("satisfied", "declined", "unanswered", "refused", "gave_up")


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What one side said.

    Attributes:
        text: The caller's words as meant; the agent's as its text says or as they were recognised.
        heard: Caller in voice only: what a recogniser makes of the audio that was sent. None: not tried.
    """

    speaker: Speaker
    text: str
    heard: str | None = None


@dataclass(frozen=True, kw_only=True)
class MustHave:
    """A node without which the agent's task fails.

    Attributes:
        evidence: Evidence phrases; an agent turn that contains one achieves it.
    """

    criterion: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Session:
    """One call or text dialogue.

    Attributes:
        persona: Who the caller was to be.
        turns: In the order in which they were said.
        ended: How it ended; None where that is not known: then the checks of the hang-up say nothing.
        today: The date in the call, so that "tomorrow" and an age have a value.
        also_known: Texts that the caller may quote beyond the persona: the record of their own case.
        card: What the agent's card has it say; empty where that is not known.
        must_have: The must-have nodes of the agent's task.
    """

    persona: Persona
    turns: Sequence[Turn]
    ended: Ended | None = None
    today: datetime.date | None = None
    also_known: Sequence[str] = field(default=())
    card: Card = field(default_factory=Card)
    must_have: Sequence[MustHave] = field(default=())

    def caller_turns(self) -> list[int]:
        """Positions of what the caller said."""
        return [n for n, turn in enumerate(self.turns) if turn.speaker == "caller" and turn.text.strip()]

    def agent_before(self, position: int) -> str:
        """What the agent said last before a turn; "" where it said nothing yet."""
        return next((t.text for t in reversed(self.turns[:position]) if t.speaker == "agent"), "")


class Finding(BaseModel):
    """Something that the simulated caller did wrong.

    Attributes:
        turn: Position in the dialogue, from 0; None where the whole call is meant.
        quote: The caller's words (for a hang-up that came late, the agent's).
        detail: For a person: what is wrong with it.
        certain: True for a rule's finding; False where it is a judgement (a language model's, or a rule that
            may be mistaken): such a finding alone does not make a call guilty.
        aside: What leaves the figures where it is certain: the call, or the turn alone, where nothing else of
            the call hung on it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Kind
    turn: int | None
    quote: str
    detail: str
    certain: bool = True
    aside: Literal["call", "turn"] = "call"
