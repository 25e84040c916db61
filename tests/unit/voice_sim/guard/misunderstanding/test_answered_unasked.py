"""A fact or an objection that nothing called for."""

from __future__ import annotations

import pytest

from tests.unit.voice_sim.guard.people import PERSON, call, kinds
from voice_sim.guard.check import check
from voice_sim.person.persona import Obstacle

OPENING = "A: Hello, this is Li Ming from Changjiang Bank. Is that Mr. Zhao?"
PAYMENTS = "How many card payments did you make?"
WARY = PERSON.model_copy(
    update={
        "obstacles": (
            Obstacle(
                id="dog",
                when="When a technician is to come in.",
                cues=("technician",),
                say=("My dog bites every stranger.",),
            ),
        )
    }
)


@pytest.mark.parametrize(
    ("question", "reply", "guilty"),
    [
        (PAYMENTS, "Two hundred even.", True),
        (PAYMENTS, "Forty-one card payments.", False),
        (PAYMENTS, "Two hundred even. Forty-one card payments.", False),
        ("How much was it? And how many card payments?", "Two hundred even.", False),
        ("Isn't that a lovely day?", "Two hundred even.", False),
    ],
)
def test_another_fact_than_was_asked_for(question: str, reply: str, guilty: bool) -> None:
    found = kinds(OPENING, "C: Yes.", f"A: {question}", f"C: {reply}", "A: All right.")
    assert (("answered_unasked", 3) in found) is guilty


def test_what_is_told_instead_is_one_fault_and_not_two() -> None:
    lines = (OPENING, "C: Yes.", f"A: {PAYMENTS}", "C: Two hundred even.", "A: All right.")
    answer = check(call(*lines))
    assert [finding.kind for finding in answer.findings] == ["answered_unasked"]
    assert answer.verdict == "guilty_turns"


@pytest.mark.parametrize(
    ("before", "guilty"),
    [(OPENING, True), (f"{OPENING} A technician would come to you.", False)],
)
def test_an_objection_to_what_never_came_up(before: str, guilty: bool) -> None:
    objects = "C: My dog bites every stranger."
    found = kinds(before, "C: Yes.", f"A: {PAYMENTS}", objects, "A: All right.", person=WARY)
    assert (("answered_unasked", 3) in found) is guilty
