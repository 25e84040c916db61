"""The caller ends satisfied, though it has not got what it called for.

Sees: a must-ask that the caller put and to which nothing that the agent said is an answer: no part of the
card's cues, no line near the card's or the question; and a call whose last word on the agent's proposals was
an objection or a refusal, with more proposals after it and no yes from the caller (who objects and then
answers on has let the objection go; a refusal stands). Courteous ends without a yes or without an answer are
``declined`` and ``unanswered``, and nothing is wrong with them here.

Never put must-asks are for :mod:`voice_sim.guard.faults.hung_up_early`. Cannot see: an answer that is wrong;
a yes that was meant for something else. The call leaves the figures: its outcome is the fault.
"""

from __future__ import annotations

import re

from voice_sim.guard.faults.hung_up_early import GOODBYE
from voice_sim.guard.misunderstanding.asked_again import answers
from voice_sim.guard.misunderstanding.nearness import evidence_for, nearest
from voice_sim.guard.misunderstanding.replies import facts_said, is_line
from voice_sim.guard.session import Finding, Session
from voice_sim.guard.words import content, sentences
from voice_sim.person.persona import MustAsk
from voice_sim.understanding.acts import acts_of
from voice_sim.understanding.cues import touches_any

FAR = {"meaning": 0.35, "words": 0.15}
"""Below this nearness to the card's answers and the question, nothing that was said can be an answer."""
_YES = re.compile(
    r"\b(yes|yeah|all right|okay|ok|fine|agreed|deal|good|do that|go ahead|suits? me|works for me|thank you"
    r"|thanks|please do|let's|i will|i'll)\b|好|行|可以|成|同意|没问题|谢谢|就这么|听您的",
    re.IGNORECASE,
)


def satisfied_without_cause(session: Session) -> list[Finding]:
    """At most one finding."""
    if session.ended != "satisfied" or not session.caller_turns():
        return []
    agent = [turn.text for turn in session.turns if turn.speaker == "agent"]
    if any(GOODBYE.search(text) for text in agent[-2:]):
        return []  # the agent took leave: whoever goes along need not be satisfied
    last = session.caller_turns()[-1]
    why = ""
    if unmet := [
        must.id for must in session.persona.must_ask if _put(session, must) and _unmet(session, must)
    ]:
        why = f"ended satisfied, but nothing that the agent said answers: {', '.join(unmet)}"
    elif _refused_to_the_end(session):
        why = "ended satisfied after a refusal, without a yes to anything that the agent proposed"
    if not why:
        return []
    return [Finding(kind="satisfied_without_cause", turn=last, quote=session.turns[last].text, detail=why)]


def _put(session: Session, must: MustAsk) -> bool:
    return any(is_line(session.turns[n].text, must.ask) for n in session.caller_turns())


def _unmet(session: Session, must: MustAsk) -> bool:
    if not must.answerable or not must.answered_by:
        return False
    evidence = evidence_for(session.persona.language)
    said = [turn.text for turn in session.turns if turn.speaker == "agent"]
    about = frozenset[str]().union(*(content(form) for form in must.ask))
    for text in said:
        if touches_any(must.answered_by, text) or acts_of(text, session.persona.language).admits_ignorance:
            return False
        statements = [s for s in sentences(text) if not s.rstrip().endswith(("?", "？"))]
        if any(content(part) & about for part in statements) or answers(session, must, text):
            return False
        card = [line for line in session.card.lines if touches_any(must.answered_by, line)]
        near = nearest(statements, [[*must.ask, *card]], evidence)
        if near[0] >= FAR[evidence]:
            return False
    return True


def _refused_to_the_end(session: Session) -> bool:
    persona = session.persona
    noes = (*persona.phrases.decline, *persona.willingness.say)
    objections = tuple(line for obstacle in persona.obstacles for line in obstacle.say)
    said = {n: session.turns[n].text for n in session.caller_turns()}
    refused = [n for n, text in said.items() if is_line(text, (*noes, *objections))]
    if not refused:
        return False
    if not is_line(said[refused[-1]], noes) and any(
        facts_said(text, persona) for n, text in said.items() if n > refused[-1]
    ):
        return False  # a small objection, let go by answering on
    yes_lines = (*persona.phrases.agree, *(line for one in persona.cooperation for line in one.say))
    after = session.turns[refused[-1] + 1 :]
    proposed = any(
        turn.speaker == "agent"
        and any(sentence.proposes for sentence in acts_of(turn.text, persona.language).sentences)
        for turn in after
    )
    agreed = any(
        turn.speaker == "caller" and (_YES.search(turn.text) or is_line(turn.text, yes_lines))
        for turn in after
    )
    return proposed and not agreed
