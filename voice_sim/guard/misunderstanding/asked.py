"""Which of the person's facts the agent's words ask for, by what stands in the card and in the facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from voice_sim.guard.misunderstanding.card import Card
from voice_sim.guard.misunderstanding.nearness import Evidence, evidence_for, nearest
from voice_sim.guard.session import Session
from voice_sim.person.persona import Fact, Persona
from voice_sim.understanding.acts import Language, acts_of
from voice_sim.understanding.cues import says_any


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The fact that a question most likely wants.

    Attributes:
        near: How near the question is to it (:func:`.nearness.nearest`), and more where its cue is in it.
        ahead: By how much that is more than for any other fact.
        rivals: Facts that it could be as well.
    """

    fact: Fact
    near: float
    ahead: float
    rivals: tuple[Fact, ...]
    question: str


_RIVAL = 0.1
_CUED = 0.15
"""For a fact whose cue, and no other's, is in the question: cues alone were wrong 9 times of 31."""


def questions_in(text: str, language: Language) -> list[str]:
    """The sentences that want something told; not "may I speak to", not "is this a good time"."""
    whole = acts_of(text, language)
    if whole.greets or whole.asks_identity or whole.asks_for_time:
        return []  # an opening: "have you got three minutes?"
    return [
        sentence.text
        for sentence in whole.sentences
        if (sentence.asks or sentence.text.rstrip().endswith(("?", "？")))
        and not acts_of(sentence.text, language).asks_for_more
    ]


def asked_for(session: Session, position: int) -> Asked | None:
    """What the agent's last words before a turn ask for; None where they ask for nothing that is known."""
    persona = session.persona
    questions = questions_in(session.agent_before(position), persona.language)
    if not questions or not persona.facts:
        return None
    return _asked(persona, session.card, questions[-1], evidence_for(persona.language))


@lru_cache(maxsize=4096)
def _asked(persona: Persona, card: Card, question: str, evidence: Evidence) -> Asked:
    cued = [fact for fact in persona.facts if says_any(fact.cues, question)]
    near = [
        value + _CUED * (len(cued) == 1 and fact == cued[0])
        for value, fact in zip(
            nearest([question], references(persona, card), evidence), persona.facts, strict=True
        )
    ]
    ranked = sorted(zip(near, range(len(near)), strict=True), key=lambda pair: (-pair[0], pair[1]))
    best, first = ranked[0]
    rivals = [persona.facts[at] for value, at in ranked[1:] if best - value < _RIVAL]
    ahead = best - ranked[1][0] if len(ranked) > 1 else 1.0
    others = tuple(dict.fromkeys([*rivals, *(fact for fact in cued if fact != persona.facts[first])]))
    return Asked(fact=persona.facts[first], near=best, ahead=ahead, rivals=others, question=question)


@lru_cache(maxsize=256)
def references(persona: Persona, card: Card) -> tuple[tuple[str, ...], ...]:
    """For each fact: its value, how it is said, what it is called, and the card's questions for it."""
    return tuple(_of(fact, persona, card.questions) for fact in persona.facts)


def _of(fact: Fact, persona: Persona, questions: Sequence[str]) -> tuple[str, ...]:
    name = fact.key.replace("_", " ")
    named = (name, f"{name}: {fact.value}") if persona.language == "en" else ()
    return (fact.value, *fact.say, *named, *(line for line in questions if says_any(fact.cues, line)))
