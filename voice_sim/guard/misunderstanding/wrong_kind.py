"""The caller's answer is of another kind than the question wants: perhaps it did not understand.

Sees, by the form of the agent's last question: a bare yes, or only a murmur, to a question that wants words
or one of two things; a fact of the person told to "is this a good moment?", "is that you?";
a fact told to "how does that sound?", or to a question for yes or no with which it has nothing in common; a
fact told again to a question that is not for it; a question of the person's put again though the agent's
statements since have its words. Planted places and the person's own questions are set aside first.

Leaves alone: refusals, "pardon?", a question of the person's own in place of an answer, and all turns to
which nothing was asked. Cannot see: a yes or no that is wrong; a fact of the kind that was asked for, but not
it. A suspicion, which takes nothing out of the figures: a person, too, answers beside the question.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from voice_sim.guard.misunderstanding.asked import references
from voice_sim.guard.misunderstanding.nearness import evidence_for, nearest
from voice_sim.guard.misunderstanding.replies import (
    facts_said,
    is_line,
    only_murmurs,
    only_yes,
    own_answer,
)
from voice_sim.guard.session import Finding, Session
from voice_sim.guard.words import content, sentences
from voice_sim.person.persona import Fact, MustAsk
from voice_sim.understanding.acts import acts_of
from voice_sim.understanding.question_forms import QuestionForm, form_of

FAR = {"meaning": 0.35, "words": 0.08}
"""Below this nearness to a fact a question for yes or no is not about it."""
FAR_AGAIN = {"meaning": 0.45, "words": 0.12}
"""The same for a fact that was told before."""
_OPENING = 4
_SHARED = 3
_WANTS_WORDS: tuple[QuestionForm, ...] = ("open", "which", "invites")
_AS_SAID = re.compile(
    r"\b(as i said|like i(?: just)? said|i(?:'ve)? just (?:said|told))\b|说过了|刚才说|刚说", re.I
)


def wrong_kind(session: Session, *, known: Collection[int] = ()) -> list[Finding]:
    """Findings, in the order of the turns.

    Args:
        known: Turns at which something was found already.
    """
    found = []
    for position in session.caller_turns():
        detail = "" if position in known else _wrong(session, position)
        if detail:
            found.append(
                Finding(
                    kind="wrong_kind",
                    turn=position,
                    quote=session.turns[position].text,
                    detail=detail,
                    certain=False,
                    aside="turn",
                )
            )
    return found


def _wrong(session: Session, position: int) -> str:
    persona, agent = session.persona, session.agent_before(position)
    acts = acts_of(agent, persona.language)
    question = next((one.text for one in reversed(acts.sentences) if one.asks), "")
    text = own_answer(session.turns[position].text, persona)
    if again := _put_again(session, position):
        return again
    if not question or not text:
        return ""
    form = form_of(question, persona.language)
    if form in _WANTS_WORDS and not acts.asks_for_time and not acts.asks_identity:
        if only_yes(text, persona):
            return "a bare yes to a question that wants more"
        if only_murmurs(text, persona) and not _AS_SAID.search(text):
            return "a murmur to a question that wants an answer"
    if _opens(session, position) and (acts.asks_identity or acts.asks_for_time):
        return _beside_an_opening(session, text)
    told = [fact for fact in facts_said(text, persona) if fact.key != "name"]
    if told and form == "anything" and _AS_SAID.search(text):
        return f"tells {told[0].key} again to a question for anything else"
    if not told or any(_near(session, fact, question, FAR) for fact in told):
        told_again = told and _AS_SAID.search(session.turns[position].text)
        if told_again and not any(_near(session, fact, question, FAR_AGAIN) for fact in told):
            return f"tells {told[0].key} again, which was not asked for"
        return ""
    by_meaning = evidence_for(persona.language) == "meaning"
    if form in (("yes_no", "opinion", "understood") if by_meaning else ("opinion", "understood")):
        return f"tells {told[0].key} to a question of the form {form}, which is not about it"
    return ""


def _put_again(session: Session, position: int) -> str:
    """A question that was put with the turn before, though what the agent said to it has its words."""
    before = [n for n in session.caller_turns() if n < position][-1:]
    agent = session.agent_before(position)
    statements = [part for part in sentences(agent) if not part.rstrip().endswith(("?", "？"))]
    said = frozenset[str]().union(*map(content, statements))
    for must in session.persona.must_ask if before else ():
        put = is_line(session.turns[before[0]].text, must.ask)
        if put and is_line(session.turns[position].text, must.ask) and len(said & _words(must)) >= _SHARED:
            return f"asks {must.id} again, of which the agent has just spoken"
    return ""


def _words(must: MustAsk) -> frozenset[str]:
    return frozenset[str]().union(*(content(line) for line in (*must.ask, *must.answered_by)))


def _opens(session: Session, position: int) -> bool:
    return sum(turn.speaker == "agent" for turn in session.turns[:position]) <= _OPENING


def _beside_an_opening(session: Session, text: str) -> str:
    """What else than a name or a yes is said to "is that you, and do you have a minute?"."""
    persona = session.persona
    told = [fact for fact in facts_said(text, persona) if fact.key != "name" and "time" not in fact.key]
    if told:
        return f"tells {told[0].key} to an opening"
    return ""


def _near(session: Session, fact: Fact, question: str, far: dict[str, float]) -> bool:
    persona = session.persona
    evidence = evidence_for(persona.language)
    own = references(persona, session.card)[persona.facts.index(fact)]
    return nearest([question, *sentences(question)], [own], evidence)[0] >= far[evidence]
