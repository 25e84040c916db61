"""The caller ends the call too soon.

Sees: ended satisfied, though a must-ask was neither put nor answered (unless the agent said goodbye first);
ended before the agent could say what it wants; ended as refused, though no condition of the persona was met
(no hang-up cue in the agent's words, no hang-up line of its own said), the agent neither pressed nor
insulted nor went round in circles.

Whether a must-ask was put is seen by words in common with one of its forms: a question asked in quite other
words counts as never asked only if no question of the caller's is left that could have been it.
Cannot see: an early end that the persona would find fair ("my battery is dying").
"""

from __future__ import annotations

import re

from voice_sim.guard.session import BY_CALLER, Finding, Session
from voice_sim.guard.words import alike, content, sentences, words
from voice_sim.person.persona import Ending, MustAsk
from voice_sim.understanding.cues import says_any, touches_any

GOODBYE = re.compile(
    r"\b(good-?bye|bye|farewell|good night|take care|have a (?:good|nice|great|lovely|quiet|pleasant) \w+)\b"
    r"|再见|拜拜|再会|回头见|祝您|挂了",
    re.IGNORECASE,
)
_PRESSES = re.compile(
    r"\b(right now|immediately|at once|today only|only today|last chance|must|have to|hurry"
    r"|quick(?:ly)?|deadline"
    r"|otherwise|sign up|buy|password|pin|code|stupid|idiot|liar|shut up|nonsense|ridiculous|rude"
    r"|your fault|calm down)\b"
    r"|必须|马上|立刻|赶紧|抓紧|最后|验证码|密码|起诉|法院|否则|有病|闭嘴|胡说|无理|推荐",
    re.IGNORECASE,
)
_BUSINESS_WORDS = {"en": 15, "zh": 24}
_IN_COMMON = 0.34
_MAX_EARLY_TURNS = 3
_LOOP = 0.85


def hung_up_early(session: Session) -> list[Finding]:
    """At most one finding."""
    if session.ended not in BY_CALLER:
        return []
    last = session.caller_turns()[-1] if session.caller_turns() else None
    quote = session.turns[last].text if last is not None else ""
    if why := _before_business(session):
        return [Finding(kind="hung_up_early", turn=last, quote=quote, detail=why)]
    if session.ended == "satisfied" and not _agent_said_goodbye(session):
        open_ = [must.id for must in session.persona.must_ask if not _settled(session, must)]
        if open_:
            detail = f"ended satisfied, but never asked: {', '.join(open_)}"
            return [Finding(kind="hung_up_early", turn=last, quote=quote, detail=detail)]
    if session.ended == "refused" and not _has_reason(session):
        turns = len([turn for turn in session.turns if turn.speaker == "agent"])
        detail = f"refused after {turns} turns of the agent, with no condition of the persona met"
        certain = turns <= _MAX_EARLY_TURNS
        return [Finding(kind="hung_up_early", turn=last, quote=quote, detail=detail, certain=certain)]
    return []


def _before_business(session: Session) -> str:
    """Why the agent cannot have said what it wants; "" where it could, or never tried."""
    agent = [turn.text for turn in session.turns if turn.speaker == "agent"]
    said = sum(len(words(text)) for text in agent)
    if session.ended == "gave_up" or not agent or _has_reason(session, hang_up_only=True):
        return ""
    if len(agent) == 1 or said < _BUSINESS_WORDS[session.persona.language]:
        return f"ended as {session.ended} after {len(agent)} turns and {said} words of the agent"
    return ""


def _settled(session: Session, must: MustAsk) -> bool:
    """Whether a must-ask was put, or answered unasked."""
    subject = frozenset[str]().union(*(content(form) for form in must.ask))
    for turn in session.turns:
        if turn.speaker == "agent" and (
            says_any(must.answered_by, turn.text)
            or (touches_any(must.answered_by, turn.text) and content(turn.text) & subject)
        ):
            return True
    for position in session.caller_turns():
        for sentence in sentences(session.turns[position].text):
            about = content(sentence)
            for form in must.ask:
                meant = content(form)
                if alike(sentence, form) >= 0.6 or (meant and len(about & meant) / len(meant) >= _IN_COMMON):
                    return True
    return False


def _agent_said_goodbye(session: Session) -> bool:
    said = [turn.text for turn in session.turns if turn.speaker == "agent"]
    return any(GOODBYE.search(text) for text in said[-2:]) and len(session.caller_turns()) >= 4


def _has_reason(session: Session, *, hang_up_only: bool = False) -> bool:
    agent = [turn.text for turn in session.turns if turn.speaker == "agent"]
    endings = (*session.persona.hang_up, *(() if hang_up_only else session.persona.termination))
    if any(_met(session, ending) for ending in endings):
        return True
    if any(_PRESSES.search(text) for text in agent):
        return True
    return any(alike(a, b) >= _LOOP for n, a in enumerate(agent) for b in agent[:n] if len(words(a)) >= 5)


def _met(session: Session, ending: Ending) -> bool:
    """Whether an ending's cue came, or the caller said its own line for it."""
    if any(says_any(ending.cues, turn.text) for turn in session.turns if turn.speaker == "agent"):
        return True
    last = [session.turns[n].text for n in session.caller_turns()[-2:]]
    return any(
        alike(sentence, part) >= 0.75
        for text in last
        for sentence in (text, *sentences(text))
        for say in ending.say
        for part in (say, *sentences(say))
        if len(words(part)) >= 4
    )
