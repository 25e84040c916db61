"""The state of a call, folded from its dialogue: what was heard is taken in, what we said is noted."""

from __future__ import annotations

from voice_sim.person.examples import Item
from voice_sim.person.persona import Persona
from voice_sim.policies.agenda.course.noting import note_said
from voice_sim.policies.agenda.course.state import State
from voice_sim.policies.agenda.course.taking_in import take_in
from voice_sim.policies.agenda.lines import LineBook
from voice_sim.policies.agenda.perception import Perceiver, Perception
from voice_sim.policies.agenda.temper import Temper
from voice_sim.policies.base import Dialogue, Heard


def state_of(
    dialogue: Dialogue, *, persona: Persona, temper: Temper, book: LineBook, perceiver: Perceiver
) -> State:
    """The state after ``dialogue``, with what was heard last taken in."""
    state = State(mood=temper.mood)
    fresh: list[str] | None = None
    for turn in dialogue:
        if isinstance(turn, Heard):
            fresh = [*(fresh or []), (turn.text or "").strip()]
        elif turn.kind != "backchannel":
            if fresh is not None:
                take_in(state, _perceived(fresh, state, perceiver), persona, temper)
            note_said(state, turn.text, book.roles_in(turn.text), temper, language=persona.language)
            fresh = None
    state.hearing = None
    if fresh is not None:
        take_in(state, _perceived(fresh, state, perceiver), persona, temper)
    return state


def heard_texts(dialogue: Dialogue) -> list[str]:
    """What the agent said between our turns, as it is perceived: what a decision has to understand."""
    texts: list[str] = []
    fresh: list[str] | None = None
    for turn in dialogue:
        if isinstance(turn, Heard):
            fresh = [*(fresh or []), (turn.text or "").strip()]
        elif turn.kind != "backchannel":
            texts += [_joined(fresh)] if fresh else []
            fresh = None
    return [*texts, *([_joined(fresh)] if fresh else [])]


def _joined(fresh: list[str]) -> str:
    return " ".join(filter(None, fresh))


def _perceived(fresh: list[str], state: State, perceiver: Perceiver) -> Perception:
    return perceiver.perceive(_joined(fresh), expected=_expected(state))


def _expected(state: State) -> frozenset[Item]:
    """What a person listens for: the answer to what they just asked, what would settle their objection."""
    answers = {Item("must_ask", state.pending)} if state.pending is not None else set()
    objected = {role.ref for role in state.last_roles if role.kind == "obstacle"}
    return frozenset(answers | {Item("overcome", ref) for ref in objected - state.overcome})
