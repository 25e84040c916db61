"""The caller tells or objects to what the agent did not bring up.

Sees: a fact told as the person tells it, that the agent's last two turns have nothing to do with (no cue, no
word in common, far in meaning), where the agent asked for another fact, which is not told; in the same place
an objection whose cues and words are nowhere in what the agent has said so far.

Leaves alone: facts that are told freely; what was asked for before; what goes with the caller's own question.
Cannot see: what is told where nothing was asked for; an answer to a question that is near the right one; what
a person adds in words of its own.
"""

from __future__ import annotations

from voice_sim.guard.misunderstanding.asked import Asked, asked_for, references
from voice_sim.guard.misunderstanding.did_not_answer import NEAR
from voice_sim.guard.misunderstanding.nearness import evidence_for, nearest
from voice_sim.guard.misunderstanding.replies import facts_said, is_line, tells
from voice_sim.guard.session import Finding, Session
from voice_sim.guard.words import content, sentences
from voice_sim.person.persona import Fact, Obstacle
from voice_sim.understanding.cues import touches_any

FAR = {"meaning": 0.25, "words": 0.02}
"""Below this nearness what was said has nothing to do with a text."""
_TURNS_BEFORE = 2


def answered_unasked(session: Session) -> list[Finding]:
    """Findings, in the order of the turns."""
    found = []
    for position in session.caller_turns():
        text = session.turns[position].text
        what = _fact(session, position, text) or _objection(session, position, text)
        if what:
            found.append(
                Finding(kind="answered_unasked", turn=position, quote=text, detail=what, aside="turn")
            )
    return found


def _fact(session: Session, position: int, text: str) -> str:
    before = [turn.text for turn in session.turns[:position] if turn.speaker == "agent"][-_TURNS_BEFORE:]
    told = [fact for fact in facts_said(text, session.persona) if fact.share == "asked"]
    if not before or not told:
        return ""
    asked = _asked_for_another(session, position)
    if asked is None or any(tells(text, fact) for fact in (asked.fact, *asked.rivals)):
        return ""
    if not all(_far(session, fact, before) for fact in told):
        return ""
    return f"tells {told[0].key}; the agent asked for {asked.fact.key}"


def _asked_for_another(session: Session, position: int) -> Asked | None:
    """What the agent asked for, where that is certain."""
    asked = asked_for(session, position)
    least, ahead = NEAR[evidence_for(session.persona.language)]
    return asked if asked is not None and asked.near >= least and asked.ahead >= ahead else None


def _far(session: Session, fact: Fact, before: list[str]) -> bool:
    persona = session.persona
    own = references(persona, session.card)[persona.facts.index(fact)]
    words = frozenset[str]().union(*map(content, own))
    if any(touches_any(fact.cues, said) or content(said) & words for said in before):
        return False
    evidence = evidence_for(persona.language)
    return nearest([part for said in before for part in sentences(said)], [own], evidence)[0] < FAR[evidence]


def _objection(session: Session, position: int, text: str) -> str:
    so_far = [turn.text for turn in session.turns[:position] if turn.speaker == "agent"]
    if _asked_for_another(session, position) is None:
        return ""
    for obstacle in session.persona.obstacles:
        if obstacle.cues and is_line(text, obstacle.say) and _never_came_up(session, obstacle, so_far):
            return f"objects ({obstacle.id}) to what the agent has not brought up"
    return ""


def _never_came_up(session: Session, obstacle: Obstacle, so_far: list[str]) -> bool:
    if not so_far or any(touches_any(obstacle.cues, said) for said in so_far):
        return False
    own = [
        obstacle.when,
        *obstacle.say,
        *(line for line in session.card.lines if touches_any(obstacle.cues, line)),
    ]
    words = frozenset[str]().union(*map(content, own))
    if any(content(said) & words for said in so_far):
        return False
    evidence = evidence_for(session.persona.language)
    parts = [part for said in so_far for part in sentences(said)]
    return nearest(parts, [own], evidence)[0] < FAR[evidence]
