"""Planted places: what a person says to try the agent (sarcasm, noise, abuse), each once, over the call.

A place waits for a turn that fits it, and then for any turn that has room: never in the first two turns,
never in two turns running, never while the person says who they are, never beside an objection or a goodbye.
At the natural end of the talk those that are left come first, one a turn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from voice_sim.person.stimulus import Stimulus
from voice_sim.policies.agenda.draft import Piece
from voice_sim.policies.agenda.lines import Role
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import Perception
from voice_sim.understanding.question_forms import form_of

FIRST_TURN = 2
"""Own turns before the first planted place."""
APART = 2
"""From one to the next, in own turns: one turn without lies between them at least."""
PATIENCE = 2
"""Own turns, for each place, after which it no longer waits for a turn that fits."""
TOO_LATE = 2
"""Own turns beyond that, after which it is said even beside a question of the person's own."""
ALWAYS_FIT = 3
SHARE = 4
"""At most one turn in so many has a planted place; :data:`ALWAYS_FIT` have room in any call."""

_VERIFIES = re.compile(
    r"\b(?:identity|id (?:card|number)|your id|digits|date of birth|birth ?date|born)\b"
    r"|身份证|出生|[后末]四位|核对.{0,4}身份",
    re.IGNORECASE,
)
_CLAIMED = (
    "obstacle",
    "confirm_identity",
    "repeat_please",
    "ask_back",
    "termination",
    "goodbye",
    "hang_up",
    "stimulus",
)
"""Nothing is planted beside these: by their piece's reason."""


def plant(now: Moment, seen: Perception, *, before_the_end: bool = False) -> bool:
    """Drafts a planted place where this turn has room for one; whether it did.

    Args:
        before_the_end: The talk is at its natural end: what is left is said now, whatever it waits for.
    """
    if not _has_room(now, seen, apart=1 if before_the_end else APART):
        return False
    waiting = [number for number in range(len(now.persona.stimuli)) if str(number) not in now.state.planted]
    late = now.state.turns - (FIRST_TURN + PATIENCE * len(now.state.planted))
    asks = any(piece.why.startswith("must_ask") for piece in now.draft.pieces)
    for number in waiting:
        stimulus = now.persona.stimuli[number]
        if before_the_end or late >= (TOO_LATE if asks else 1) or _fits(now, stimulus):
            return _say(now, number, stimulus)
    return False


def say_it_again(now: Moment, seen: Perception) -> bool:
    """To an agent that asks to hear a planted place again: its second line."""
    if not seen.acts.asks_to_repeat or _wants_its_own_words_back(seen):
        return False
    for role in now.state.last_roles:
        if role.kind == "stimulus" and role.nth == 0:
            said = now.persona.stimuli[int(role.ref)].say
            return now.draft.line(said[1:2], Role(kind="stimulus", ref=role.ref, nth=1))
    return False


def _wants_its_own_words_back(seen: Perception) -> bool:
    """ "Could you repeat the day for me?": what the agent said, and nothing of ours."""
    return seen.question is not None and form_of(seen.question.text, seen.language) == "say_back"


def only_planted(pieces: Sequence[Piece]) -> bool:
    """Whether a turn is nothing but a planted place: the person has nothing of their own left to say."""
    return bool(pieces) and all(piece.why.startswith("stimulus") for piece in pieces)


def _has_room(now: Moment, seen: Perception, *, apart: int) -> bool:
    state = now.state
    if seen.empty or _makes_sure_who_it_is(seen) or state.wrapped_up or state.turns < FIRST_TURN:
        return False
    if state.turns + 1 - state.last_planted < apart:
        return False
    if len(state.planted) >= max(ALWAYS_FIT, (state.turns + 1) // SHARE):
        return False
    trusted = {fact.key for fact in now.persona.facts if fact.share == "trusted"} | {"name"}
    return not any(_claims(piece, trusted) for piece in now.draft.pieces)


def _makes_sure_who_it_is(seen: Perception) -> bool:
    """Whether the agent asks who they are, or for what shows it: that is answered, and nothing else."""
    question = seen.question
    return seen.acts.asks_identity or (question is not None and bool(_VERIFIES.search(question.text)))


def _claims(piece: Piece, identity: set[str]) -> bool:
    head, _, ref = piece.why.replace(":", " ").partition(" ")
    return head in _CLAIMED or (head == "fact" and ref.split(" ")[0] in identity)


def _fits(now: Moment, stimulus: Stimulus) -> bool:
    """Whether this turn is of the kind that the place waits for; without a wish, one of listening."""
    heads = {piece.why.partition(" ")[0].rstrip(":") for piece in now.draft.pieces}
    match stimulus.when:
        case "opening":
            return True
        case "answer":
            return "fact" in heads
        case "question":
            return "must_ask" in heads
        case "end":
            return not now.state.open_questions(now.persona)
        case "anywhere":
            return not heads & {"fact", "must_ask", "cooperation"}


def _say(now: Moment, number: int, stimulus: Stimulus) -> bool:
    """Alone in place of an answer; else after an answer, and before a question of one's own."""
    before, after = now.draft.pieces, list[Piece]()
    if stimulus.when == "answer" and before and all(piece.why.startswith("fact ") for piece in before):
        before = []
    for place, piece in enumerate(before):
        if piece.why.startswith("must_ask"):
            before, after = before[:place], before[place:]
            break
    why = f"stimulus {number}: {stimulus.dimension}, {stimulus.kind}"
    kept, now.draft.pieces = now.draft.pieces, list(before)
    if not now.draft.line(stimulus.say[:1], Role(kind="stimulus", ref=str(number)), why=why):
        now.draft.pieces = kept
        return False
    now.draft.pieces += after
    return True
