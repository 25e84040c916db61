"""The person's own questions: one that was not answered, one to make sure of, and the next of the agenda."""

from __future__ import annotations

import re

from voice_sim.person.persona import MustAsk
from voice_sim.policies.agenda.course.state import ASKS_TWICE
from voice_sim.policies.agenda.lines import Role
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import Perception
from voice_sim.understanding.topic import content_words

AHEAD_OF_ITS_TOPIC = 4
"""Before so many turns of the agent nobody asks about what has not been talked about."""
TAKES_FOR_GRANTED = 8
"""Before so many turns nobody asks for more about what nobody has mentioned ("What does the second way
cost?"); later such a question has waited long enough."""
_DEFINITE = re.compile(r"\b(?:the|that|those|both) ((?:[\w'-]+ ?){1,2})", re.IGNORECASE)


def may_ask(now: Moment, seen: Perception, *, answered: bool) -> bool:
    """Whether it is the moment for a new question; ``answered``: the agent's has just been answered."""
    state, temper = now.state, now.temper
    if state.pending is not None or seen.acts.asks_identity or seen.acts.asks_for_time:
        return False
    if any(piece.why.startswith(("must_ask", "ask_back")) for piece in now.draft.pieces):
        return False
    if seen.acts.asks_for_more:
        return True
    if state.heard_turns < temper.questions_from:
        return False
    if state.turns - state.last_question < temper.question_gap:
        return False
    if answered and not now.draft:
        return False
    return not answered or (temper.parts > 1 and now.happens(temper.asks_after_answer_rate))


def make_sure(now: Moment, *, asked: bool) -> bool:
    """An answer was given just now: put the question once more in other words, to be certain of it."""
    if asked and now.temper.parts < 3:
        return False
    for role in now.state.last_roles:
        answered = role.kind == "must_ask" and role.ref in now.state.settled
        if answered and now.state.asked[role.ref] < ASKS_TWICE:
            question = next(question for question in now.persona.must_ask if question.id == role.ref)
            if question.answerable and now.happens(now.temper.makes_sure_rate):
                return ask(now, question, why="to be sure")
    return False


def ask_again(now: Moment) -> bool:
    """Puts the question that waits for its answer once more."""
    pending = now.state.pending
    if pending is None or now.state.asked[pending] >= ASKS_TWICE:
        return False
    question = next(question for question in now.persona.must_ask if question.id == pending)
    return ask(now, question, why="not answered yet")


def unasked(now: Moment) -> list[MustAsk]:
    """What they still mean to ask, in their order: who does not ask what was told already leaves that out."""
    waiting = [question for question in now.persona.must_ask if not now.state.asked[question.id]]
    if now.temper.asks_what_was_told:
        return waiting
    return [question for question in waiting if question.id not in now.state.told]


def has_heard_too_little(now: Moment) -> bool:
    """The agent takes leave before it has spoken of what they mean to ask: neither do they ask it out of the
    blue, nor is the call at its end for them."""
    return now.state.heard_turns < AHEAD_OF_ITS_TOPIC and bool(unasked(now))


def ask_next(now: Moment, seen: Perception, *, lead_in: bool, invited: bool = False) -> bool:
    """The question that fits what the agent said, or the next in the persona's order.

    Args:
        invited: The agent asks for their questions, whatever they are about.
    """
    waiting = unasked(now)
    in_earnest = now.state.heard_turns >= AHEAD_OF_ITS_TOPIC or now.state.goodbyes > 1
    takes_leave = seen.acts.farewell and in_earnest
    last_chance = invited or seen.acts.asks_for_more or takes_leave
    if now.state.heard_turns < AHEAD_OF_ITS_TOPIC and not last_chance:
        heard = now.state.topics | seen.content
        waiting = [question for question in waiting if _about(question) & heard]
    if now.state.heard_turns < TAKES_FOR_GRANTED and not last_chance:
        heard = now.state.topics | seen.content
        waiting = [question for question in waiting if not _takes_for_granted(question, heard)]
    if not waiting:
        return False
    fitting = max(waiting, key=lambda question: _fit(question, seen))
    question = fitting if _fit(fitting, seen) >= 2 else waiting[0]
    if lead_in and now.happens(now.temper.lead_in_rate) and now.state.asked:
        now.draft.stock("one_more")
    return ask(now, question)


def ask_back_to_the_point(now: Moment) -> bool:
    """The next question to an agent that cannot be followed."""
    waiting = now.state.open_questions(now.persona)
    question = next((q for q in now.persona.must_ask if q.id in waiting[:1]), None)
    return question is not None and ask(now, question, why="back to the point")


def ask(now: Moment, question: MustAsk, why: str = "") -> bool:
    """Drafts a question, the second time in its other words."""
    nth = min(now.state.asked[question.id], len(question.ask) - 1)
    role = Role(kind="must_ask", ref=question.id, nth=nth)
    return now.draft.line(question.ask[nth : nth + 1], role, why=f"{role}: {why}" if why else str(role))


def _fit(question: MustAsk, seen: Perception) -> int:
    return len(_about(question) & seen.content)


def _takes_for_granted(question: MustAsk, heard: frozenset[str]) -> bool:
    """Whether it speaks of something as known ("the second way") of which nothing was heard yet.

    English alone: Chinese has no article that would tell.
    """
    known = (content_words(phrase) for phrase in _DEFINITE.findall(question.ask[0]))
    return any(words and not words & heard for words in known)


def _about(question: MustAsk) -> frozenset[str]:
    return content_words(" ".join(question.ask[:1])) | content_words(" ".join(question.answered_by))
