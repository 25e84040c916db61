"""What a turn of our own changes: what was asked, told, objected to, agreed to."""

from __future__ import annotations

from voice_sim.policies.agenda.course.persuasion import proposes, wants_more
from voice_sim.policies.agenda.course.state import NOT_UNDERSTOOD, OPENING, State
from voice_sim.policies.agenda.lines import Role
from voice_sim.policies.agenda.temper import Temper
from voice_sim.understanding.acts import Language, acts_of

ASSENTS = ("yes", "clear", "either", "first", "fine", "go_ahead")
"""What is said in place of a yes."""

ANSWERED_BY = ("go_ahead", "yes", "confirm_identity")
"""Words that answer a question for a moment, or for yes, and leave no fact owed."""


def note_said(
    state: State, text: str, roles: tuple[Role, ...], temper: Temper, *, language: Language
) -> None:
    """Notes a turn that we said, made of these lines."""
    state.turns += 1
    told = {role.ref for role in roles if role.kind == "fact"}
    asked = (
        state.hearing.facts if state.hearing is not None and not _courtesy_is_answered(state, roles) else ()
    )
    state.owed = tuple(key for key in asked if key != "name" and key not in told)
    state.last_text, state.last_roles = text, roles
    state.missed = state.missed + 1 if Role(kind="phrase", ref="repeat_please") in _kinds(roles) else 0
    for role in roles:
        state.lines[role] += 1
        match role.kind:
            case "phrase" if role.ref == "repeat_please":
                state.last_overwhelmed = state.turns
                state.not_understood += 1
            case "must_ask":
                state.asked[role.ref] += 1
                state.pending = role.ref
                state.last_question = state.turns
            case "obstacle":
                state.voiced[role.ref] += 1
                state.last_objection = state.turns
                state.refusals += 1
            case "fact":
                state.facts[role.ref] += 1
                state.last_told = state.turns
            case "stimulus":
                state.planted.add(role.ref)
                state.last_planted = state.turns
            case "no":
                state.noes += 1
                state.last_no = state.heard_turns
                state.refusals += 1
                state.agreed = False
            case "cooperation":
                _agree(state)
            case "phrase" if role.ref == "agree":  # said to nothing but a proposal
                _agree(state)
            case "phrase" | "stock" if role.ref == "yes" and _was_proposed(state):
                _agree(state)
            case "phrase" | "stock" if role.ref in ASSENTS and _settles_it(state, temper):
                _agree(state)
            case "phrase" | "stock" if role.ref == "decline":
                state.refusals += 1
            case "stock" if role.ref == "two_minds":
                state.doubts += 1
                state.last_no = state.heard_turns
            case "phrase" | "stock" if role.ref in NOT_UNDERSTOOD:
                state.not_understood += 1
            case "phrase" if role.ref == "goodbye":
                state.wrapped_up += 1
                state.took_leave = True
            case "termination":
                state.wrapped_up += 1
                state.took_leave = state.took_leave or acts_of(text, language).farewell
            case _:
                pass


def _courtesy_is_answered(state: State, roles: tuple[Role, ...]) -> bool:
    """Whether the question was for who it is or for a moment, or got its yes: nothing is owed to it then."""
    acts = state.hearing.acts if state.hearing is not None else None
    courtesy = acts is not None and (acts.asks_for_time or acts.asks_identity)
    return courtesy or any(role.ref in ANSWERED_BY and role.kind in ("phrase", "stock") for role in roles)


def _agree(state: State) -> None:
    """A yes leaves no objection standing."""
    state.agreed = True
    state.overcome.update(state.voiced)


def _was_proposed(state: State) -> bool:
    """Whether what we answer now was a proposal, and no question of courtesy."""
    return state.hearing is not None and proposes(state.hearing)


def _settles_it(state: State, temper: Temper) -> bool:
    """Whether a yes is one to the matter, whatever question it was given to: nothing is outstanding, and who
    wants reasons has them."""
    seen = state.hearing
    if seen is None or not temper.reasons or wants_more(state, temper):
        return False
    acts = seen.acts
    courtesy = acts.asks_identity or acts.asks_for_more or acts.asks_to_wait or state.heard_turns <= OPENING
    return seen.question is not None and not courtesy and seen.does != "clear"


def _kinds(roles: tuple[Role, ...]) -> set[Role]:
    """The roles with every way of not having understood as one."""
    unheard = Role(kind="phrase", ref="repeat_please")
    return {unheard if role.ref in NOT_UNDERSTOOD else Role(kind=role.kind, ref=role.ref) for role in roles}
