"""What an agent does to win a person: reasons that it gives, and pressure where it gives none.

Bound to what happened, not to the card's words: a reason is an answer to what was asked, an objection met, or
a statement to the point of an objection after it was voiced. Asking again after a no without one is pushing.
"""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from voice_sim.person.persona import Obstacle, Persona
from voice_sim.policies.agenda.lines import Role
from voice_sim.policies.agenda.perception import Perception
from voice_sim.policies.agenda.temper import MOOD_MAX, MOOD_MIN, Temper
from voice_sim.understanding.topic import content_words

TO_THE_POINT = 2
"""Content words that a statement shares with an objection, or with what would meet it."""


class Courted(Protocol):
    """What of :class:`voice_sim.policies.agenda.state.State` a reason or a push is told by, and changes."""

    mood: float
    pushed: int
    last_no: int
    heard_turns: int
    heard_again: bool
    topics: frozenset[str]
    voiced: Counter[str]
    argued: Counter[str]
    overcome: set[str]
    reasons: list[int]
    last_roles: tuple[Role, ...]

    def standing(self) -> list[str]: ...


def proposes(seen: Perception) -> bool:
    """Whether the agent asks for a yes to its matter, and not for a moment, a name or more questions."""
    acts, question = seen.acts, seen.question
    courtesy = acts.asks_identity or acts.asks_for_time or acts.asks_for_more or acts.asks_to_wait
    return question is not None and question.proposes and not courtesy


def notice_persuasion(
    state: Courted, seen: Perception, persona: Persona, temper: Temper, *, learnt: bool
) -> None:
    """Counts a reason or a push in what was just taken in.

    Args:
        learnt: It answered a question of ours, met an objection or lifted the mood, for the first time.
    """
    argued = [one for one in persona.obstacles if _argues(state, seen, one)]
    for obstacle in argued:
        state.argued[obstacle.id] += 1
        if state.argued[obstacle.id] >= temper.arguments:
            state.overcome.add(obstacle.id)
    refused = state.last_no >= 0 or bool(state.standing())
    helps = bool(seen.overcome or seen.answered or seen.positive) and not state.heard_again
    if learnt or argued or (helps and refused):
        state.reasons.append(state.heard_turns)
    elif refused and _just_refused(state) and (proposes(seen) or set(seen.obstacles) & set(state.voiced)):
        state.pushed += 1
        state.mood = min(MOOD_MAX, max(MOOD_MIN, state.mood - temper.push_sours))


def _argues(state: Courted, seen: Perception, obstacle: Obstacle) -> bool:
    """Whether a statement in it is to the point of an objection that stands, in words not heard before."""
    if not state.voiced[obstacle.id] or obstacle.id in state.overcome or state.heard_again:
        return False
    said = [sentence.text for sentence in seen.acts.sentences if not sentence.asks]
    subject = content_words(" ".join((obstacle.overcome_by, *obstacle.overcome_cues, *obstacle.say)))
    fresh = content_words(" ".join(said)) - state.topics
    return len(fresh & subject) >= TO_THE_POINT


def _just_refused(state: Courted) -> bool:
    return any(role.kind in ("no", "obstacle") or role.ref == "decline" for role in state.last_roles)
