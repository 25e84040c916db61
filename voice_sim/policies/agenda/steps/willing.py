"""Yes or no to the agent's matter: when a person can be won, how they say no, and what the call closes as."""

from __future__ import annotations

from voice_sim.policies.agenda.course.persuasion import proposes, wants_more
from voice_sim.policies.agenda.lines import Role
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import Perception
from voice_sim.policies.base import EndReason
from voice_sim.understanding.proposals import takes_a_no
from voice_sim.understanding.questions.choices import names_two

SAYS_NO_BY = 6
"""One who cannot be won says so by this turn of the agent, though it has proposed nothing."""
NOES = 2
"""So often they say no; asked once more, they take leave."""


def never(now: Moment) -> bool:
    """Whether this person cannot be won."""
    return now.persona.willingness.wins == "never"


def has_refused(now: Moment) -> bool:
    """Whether one who cannot be won has said so: then they ask nothing more."""
    return never(now) and now.state.noes > 0


def why_not(now: Moment) -> str:
    """Why there is no yes yet; "" where there is one."""
    state, temper = now.state, now.temper
    if never(now):
        return "cannot be won"
    return "" if state.agreed else wants_more(state, temper)


def say_no(now: Moment, why: str) -> bool:
    """Drafts the person's no to the matter, the second time in its other words."""
    lines = now.persona.willingness.say or now.draft.book.stock["no"]
    nth = min(now.state.noes, len(lines) - 1)
    return now.draft.line(lines[nth : nth + 1], Role(kind="no", ref="task", nth=nth), why=f"no: {why}")


def refuse(now: Moment, seen: Perception) -> bool:
    """What one who cannot be won says to a proposal; whether they take leave with it."""
    if not never(now):
        return False
    noes, asked = now.state.noes, proposes(seen)
    if not asked and (noes or now.state.heard_turns < SAYS_NO_BY):
        return False
    if noes and lets_go(seen) and now.draft.stock("clear", why="yes: their no is taken"):
        return False
    if noes < NOES:
        say_no(now, "cannot be won")
        return False
    return now.draft.phrase("goodbye", "the no stands")


def lets_go(seen: Perception) -> bool:
    """Whether their no is taken, and nothing else is offered in the same breath."""
    question = seen.question
    offers = question is not None and names_two(question.text, seen.language)
    return not offers and takes_a_no(seen.text, seen.language)


def stands_refused(now: Moment) -> bool:
    """Whether a no is the last word on the matter.

    Who takes no persuading lets a small objection go when they then went on to answer.
    """
    state = now.state
    let_go = not now.temper.reasons and state.last_told > state.last_objection
    standing = bool(state.standing()) and not let_go
    return never(now) or standing or (state.last_no >= 0 and not state.agreed)


def closes_as(now: Moment) -> EndReason:
    """What the call comes to when it is closed now.

    Who takes no persuading has agreed where they have refused nothing; the others have to have said so.
    """
    state = now.state
    if stands_refused(now) or (now.temper.reasons and not state.agreed):
        return "declined"
    met = state.settled | state.told
    for question in now.persona.must_ask:
        if question.id not in met and (question.answerable or question.id not in state.put_off):
            return "unanswered"
    return "satisfied"
