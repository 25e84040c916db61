"""What was asked for and passed over, on small calls; by words, as where no encoder is installed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.unit.voice_sim.guard.people import call, kinds
from voice_sim.guard.check import check
from voice_sim.guard.session import MustHave

OPENING = "A: Hello, this is Li Ming from Changjiang Bank. Is that Mr. Zhao?"


@pytest.mark.parametrize(
    ("question", "reply", "guilty"),
    [
        ("How many card payments did you make?", "I don't know.", True),
        ("How many card payments did you make?", "Mm.", True),
        ("How many card payments did you make?", "Forty-one card payments.", False),
        ("How many card payments did you make?", "It must have been forty-one.", False),
        ("How many card payments did you make?", "Why do you want to know that?", False),
        ("How many card payments did you make?", "Sorry? I didn't catch that.", False),
        ("Which films do you like?", "I don't know.", False),
        ("I have noted your card payments.", "Mm.", False),
    ],
)
def test_passed_over(question: str, reply: str, guilty: bool) -> None:
    every = kinds(OPENING, "C: Yes.", f"A: {question}", f"C: {reply}", "A: All right.")
    found = [one for one in every if one[0] != "talked_past"]
    assert found == ([("did_not_answer", 3)] if guilty else [])


def test_a_turn_at_fault_keeps_the_call_and_says_what_it_was_told_by() -> None:
    lines = (OPENING, "C: Yes.", "A: How many card payments did you make?", "C: I don't know.", "A: Well.")
    answer = check(call(*lines))
    assert (answer.verdict, answer.evidence) == ("guilty_turns", "words")
    assert [finding.aside for finding in answer.findings] == ["turn"]


NODE = MustHave(criterion="The number of card payments is taken down.", evidence=("I have put down",))
PASSED = (OPENING, "C: Yes.", "A: How many card payments did you make?", "C: I don't know.")


@pytest.mark.parametrize(
    ("after", "nodes", "verdict"),
    [
        (("A: All right.",), (NODE,), "guilty"),
        (("A: All right.",), (), "guilty_turns"),
        (
            ("A: I have put down what I could.",),
            (NODE,),
            "guilty_turns",
        ),  # the node was achieved all the same
        (("A: Really?", "C: Forty-one card payments."), (NODE,), "guilty_turns"),  # told in the end
        (("A: All right.",), (MustHave(criterion="The agent thanks.", evidence=("thank",)),), "guilty_turns"),
    ],
)
def test_the_call_goes_only_where_a_must_have_node_hung_on_it(
    after: tuple[str, ...], nodes: tuple[MustHave, ...], verdict: str
) -> None:
    assert check(replace(call(*PASSED, *after), must_have=nodes)).verdict == verdict
