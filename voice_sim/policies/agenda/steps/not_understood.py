"""What a person could not follow: silence on the line, words about nothing they know, too much at once."""

from __future__ import annotations

from voice_sim.policies.agenda.course.in_kind import of_the_kind, wants_a_number
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import Perception

MISSED_AT_MOST = 2
"""So often in a row a person asks to say it again; then they go on as if they had understood."""
OVERWHELMED_AT_MOST = 2
APART = 6
"""Own turns between two of them."""
LONG_TURN, LONG_TURN_ZH = 220, 90
"""Characters of an explanation that is too much at once for some."""


def ask_to_say_again(now: Moment, seen: Perception) -> bool:
    """Whether there is nothing to respond to: something has been drafted that says so."""
    if now.draft:
        return True
    if seen.acts.asks_to_wait:
        now.draft.stock("hold")
        return True
    if now.state.repeated and not seen.empty:
        return now.draft.stock("repeated")
    if _is_overwhelmed(now, seen):
        return now.draft.phrase("repeat_please", "too much at once")
    said_again = now.state.missed > 0 and now.state.heard_again
    followed = seen.about_the_call or said_again or _asks_on(now, seen)
    if (seen.empty or not followed) and now.state.missed < MISSED_AT_MOST:
        if now.state.missed and not seen.empty:
            now.draft.stock("lost", why="not understood, again")
        if not now.draft:
            now.draft.phrase("repeat_please", "not heard" if seen.empty else "not understood")
        if not now.draft:
            now.draft.stock("misheard", why="not heard" if seen.empty else "not understood")
        return bool(now.draft.pieces)
    return False


def _asks_on(now: Moment, seen: Perception) -> bool:
    """ "And when was that?", nothing else, after a question whose answer is still owed and would do here."""
    question = seen.question
    if question is None or seen.content or not wants_a_number(question.text, seen.language):
        return False
    owed = [fact for fact in now.persona.facts if fact.key in now.state.owed and fact.say]
    return any(of_the_kind(fact.say[0], question.text, seen.language) for fact in owed)


def _is_overwhelmed(now: Moment, seen: Perception) -> bool:
    often = sum(said for role, said in now.state.lines.items() if role.ref == "repeat_please")
    if often and now.state.turns - now.state.last_overwhelmed < APART:
        return False  # who has just had it once more listens for a while
    long = len(seen.text) > (LONG_TURN if now.persona.language == "en" else LONG_TURN_ZH)
    if seen.surely_asked and seen.question is not None and seen.question.open_question:
        return False  # a clear question is answered, however much came before it
    if not long or often >= OVERWHELMED_AT_MOST or now.state.heard_again:
        return False
    return now.happens(now.temper.overwhelmed_rate)
