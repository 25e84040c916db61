"""Leaving the call: when a person hangs up, with which words, and when the talk is at its natural end."""

from __future__ import annotations

import re

from voice_sim.policies.agenda.draft import Piece
from voice_sim.policies.agenda.lines import Role
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import Perception
from voice_sim.policies.agenda.steps.willing import closes_as, has_refused, never, say_no, stands_refused
from voice_sim.policies.agenda.temper import MOOD_MIN
from voice_sim.policies.base import EndReason
from voice_sim.understanding.proposals import wants_the_floor
from voice_sim.understanding.topic import shared_content

REPEATS_BORNE = 2
IDLE_PER_LOST = 2
"""Turns that are about the call, and yet touch no concern, try the patience half as much as lost ones."""
_ANSWERS_NO = re.compile(r"\W*(?:no|nope|nothing)\b|没有?了|没别的|不用了", re.IGNORECASE)
"""Last words that answer "anything else?"."""
TURNS_BEFORE_THE_END = 8
"""Words of parting without a goodbye end a call only after this many of the agent's turns."""


def both_said_goodbye(now: Moment, seen: Perception) -> bool:
    """Nobody owes the other a word any more: one more goodbye would bring back another one."""
    return now.state.took_leave and seen.acts.farewell and not _awaits_answer(seen)


def leave(now: Moment, seen: Perception) -> EndReason | None:
    """Drafts the last words where the person has had enough; an insult may also just be answered."""
    state, temper = now.state, now.temper
    if seen.hang_up and not _makes_up_for_it(seen):
        number = seen.hang_up[0]
        now.draft.line(now.persona.hang_up[number].say[:1], Role(kind="hang_up", ref=str(number)))
        return "refused" if now.draft.pieces else give_up(now, "hang_up condition")
    if seen.acts.insults and state.insults >= 2:
        return _refuse(now, "insulted again")
    if state.mood <= MOOD_MIN:
        return _refuse(now, "the mood is at its end")
    if state.pushed >= temper.pushed:
        return _refuse(now, "pressed on after a no")
    if _nothing_is_answered(now):
        return _refuse(now, "no question gets an answer")
    if seen.acts.insults:
        now.draft.stock("insulted")
        return None
    if state.repeated > REPEATS_BORNE:
        return give_up(now, "the agent repeats itself")
    if state.waits > temper.waits:
        return give_up(now, "kept waiting")
    if state.lost >= temper.lost_turns or state.idle >= IDLE_PER_LOST * temper.lost_turns:
        return give_up(now, "the agent leads nowhere")
    if state.turns >= temper.turns:
        return give_up(now, "the call takes too long")
    return None


def _makes_up_for_it(seen: Perception) -> bool:
    """What would drive them away comes with an apology, or with what they wanted to hear: nobody hangs up on
    that, and it may well be that we misunderstood."""
    return seen.soothes or bool(seen.overcome or seen.positive)


def give_up(now: Moment, why: str) -> EndReason:
    """Something comes up: an ending of the persona that no words of the agent bring about."""
    now.draft.pieces.clear()
    for number, ending in enumerate(now.persona.termination):
        if not ending.cues and ending.say and now.state.heard_turns >= TURNS_BEFORE_THE_END:
            now.draft.pieces.append(Piece(text=ending.say[0], why=f"termination {number}: {why}"))
            return "gave_up"
    leaving = now.draft.book.stock["leave"]
    now.draft.pieces.append(Piece(text=now.draft.least_said(leaving) or leaving[0], why=why))
    return "gave_up"


def is_the_end(now: Moment, seen: Perception) -> bool:
    """Whether the agent has come to the end of its matter, or the person to that of theirs."""
    late = now.state.heard_turns >= TURNS_BEFORE_THE_END
    if seen.acts.farewell:
        goes_on = seen.question is not None and wants_the_floor(seen.question.text, seen.language)
        return not _awaits_answer(seen) or (late and not seen.facts and not goes_on)
    if now.temper.reasons and not now.state.agreed and not has_refused(now):
        return False  # "then that's settled" ends nothing for one who has not been asked
    all_asked = not now.state.open_questions(now.persona)
    return late and all_asked and bool(seen.termination) and seen.question is None


def _awaits_answer(seen: Perception) -> bool:
    return seen.question is not None and seen.question.awaits_answer


def wrap_up(now: Moment, seen: Perception) -> None:
    """Drafts what sums the call up, or a goodbye."""
    declines = stands_refused(now)
    agrees = not declines and closes_as(now) != "declined"
    if declines and never(now) and not now.state.noes:
        say_no(now, "cannot be won")
    for number in (*seen.termination, *range(len(now.persona.termination))) if agrees else ():
        ending = now.persona.termination[number]
        answers = bool(ending.say) and bool(_ANSWERS_NO.match(ending.say[0]))
        if ending.cues and ending.say and (seen.acts.asks_for_more or not answers):
            if seen.acts.asks_for_more:
                now.draft.stock("no_more")
            now.draft.line(ending.say[:1], Role(kind="termination", ref=str(number)))
            return
    now.draft.phrase("goodbye", "the call is over")


def _nothing_is_answered(now: Moment) -> bool:
    """Own questions were put twice each, and not one has got an answer, or a word about it."""
    state = now.state
    enough = min(now.temper.ignored_questions, len(now.persona.must_ask))
    return not (state.settled or state.put_off) and 0 < enough <= len(state.failed)


def _refuse(now: Moment, why: str) -> EndReason:
    """Hang up with the words of a hang-up condition about answers that stay away, where there is one."""
    failed = [question.ask[0] for question in now.persona.must_ask if question.id in now.state.failed]
    for number, ending in enumerate(now.persona.hang_up):
        if ending.say and any(shared_content(ending.when, ask) for ask in failed):
            now.draft.pieces.append(Piece(text=ending.say[0], why=f"hang_up {number}: {why}"))
            return "refused"
    now.draft.stock("leave", why=why) or now.draft.phrase("goodbye", why)
    return "refused"
