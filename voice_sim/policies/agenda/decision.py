"""What the persona does next: the agenda, from what cannot wait to what can.

A turn is made of one to three of the persona's own lines. The order in which they are considered:

1. leaving: hang-up conditions, insults, a mood at its end, patience spent, the call's natural end;
2. what was not understood: asked to say again, twice at most in a row;
3. an obstacle that the agent's words bring up;
4. the no of one who cannot be won;
5. the answer to what was asked: who it is, facts, consent, "not sure";
6. own questions: one that was not answered, then the next of the agenda;
7. a reaction, or just a sign of listening;
8. a planted place, alone or beside what is said, where the call has room for one.

Each is a file beside this one; here is only the order.
"""

from __future__ import annotations

from random import Random

from voice_sim.person.persona import Persona
from voice_sim.policies.agenda.course.state import State
from voice_sim.policies.agenda.draft import Draft, Turn
from voice_sim.policies.agenda.lines import LineBook
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import Perception
from voice_sim.policies.agenda.steps.answering import answer, no_more
from voice_sim.policies.agenda.steps.leaving import both_said_goodbye, give_up, is_the_end, leave, wrap_up
from voice_sim.policies.agenda.steps.not_understood import MISSED_AT_MOST, ask_to_say_again
from voice_sim.policies.agenda.steps.own_questions import (
    ask_again,
    ask_back_to_the_point,
    ask_next,
    has_heard_too_little,
    make_sure,
    may_ask,
    unasked,
)
from voice_sim.policies.agenda.steps.planted import only_planted, plant, say_it_again
from voice_sim.policies.agenda.steps.reacting import feel, raise_obstacle
from voice_sim.policies.agenda.steps.willing import closes_as, has_refused, refuse
from voice_sim.policies.agenda.temper import Temper


def decide(state: State, *, persona: Persona, temper: Temper, book: LineBook, random: Random) -> Turn:
    """The next turn of the persona."""
    draft = Draft(state=state, persona=persona, book=book, random=random)
    now = Moment(state=state, persona=persona, temper=temper, draft=draft)
    seen = state.hearing
    if seen is None:
        return _first_words(now)
    if both_said_goodbye(now, seen):
        return Turn(pieces=(), ends=closes_as(now), why="both have said goodbye")
    wraps_up = False
    ends = leave(now, seen)
    if ends is None and not say_it_again(now, seen) and not ask_to_say_again(now, seen):
        wraps_up = _respond(now, seen)
        if not wraps_up:
            plant(now, seen)
        if state.wrapped_up and not draft:
            if not draft.phrase("goodbye", "the call is over"):
                return Turn(pieces=(), ends=closes_as(now), why="the call is over")
            ends = closes_as(now)
    if not draft:
        _listen(now, seen)
    if not draft:
        ends = give_up(now, "nothing is left to say")
    return Turn(
        pieces=tuple(draft.pieces),
        ends=ends,
        parting=_would_part(now, seen, wraps_up=wraps_up),
        takes_leave=wraps_up,
        closes_as=closes_as(now),
    )


def _respond(now: Moment, seen: Perception) -> bool:
    """To what was understood; whether the person wraps the call up with that."""
    state, draft = now.state, now.draft
    if state.wrapped_up and (seen.acts.farewell or state.after_the_end >= 2):
        return False
    if is_the_end(now, seen) and not state.wrapped_up:
        if not _wants_no_more(now) and (ask_next(now, seen, lead_in=True) or has_heard_too_little(now)):
            return False
        if plant(now, seen, before_the_end=True):
            return False
        wrap_up(now, seen)
        return True
    if raise_obstacle(now, seen):
        return False
    if refuse(now, seen):
        return True
    if draft:
        return False
    feel(now, seen)
    asked = answer(now, seen)
    if has_refused(now):
        return False
    if asked and len(draft.pieces) >= now.temper.parts:
        return False
    if ask_again(now) or make_sure(now, asked=asked) or not may_ask(now, seen, answered=asked):
        return False
    ask_next(now, seen, lead_in=bool(draft.pieces) and not seen.acts.asks_for_more)
    return False


def _would_part(now: Moment, seen: Perception, *, wraps_up: bool) -> bool:
    """Whether an agent that has said goodbye would end nothing now: they have asked what they meant to."""
    says_no_more = wraps_up or only_planted(now.draft.pieces)
    return seen.acts.farewell and says_no_more and (_wants_no_more(now) or not unasked(now))


def _wants_no_more(now: Moment) -> bool:
    """They ask nothing of an agent that takes its leave, whatever is open: they have refused."""
    return has_refused(now) or now.state.has_just_refused


def _listen(now: Moment, seen: Perception) -> None:
    lost = now.state.missed >= MISSED_AT_MOST and not seen.about_the_call
    if lost and ask_back_to_the_point(now):
        return
    if seen.acts.asks_for_more and seen.question is not None:
        no_more(now, seen)
    if not now.draft:
        now.draft.phrase("acknowledge", "listens")
    if not now.draft:
        now.draft.stock("acknowledge")


def _first_words(now: Moment) -> Turn:
    if now.state.turns:
        now.draft.stock("silence", why="the agent has not said a word")
        if not now.draft:
            return Turn(pieces=tuple(now.draft.pieces), ends=give_up(now, "nobody answers"))
    else:
        now.draft.phrase("pick_up", "picks up")
    if not now.draft:
        now.draft.stock("silence", why="picks up")
    return Turn(pieces=tuple(now.draft.pieces))
