"""Answers of another kind than the question wants are suspected; what a person may say is left alone."""

from __future__ import annotations

import pytest

from tests.unit.voice_sim.guard.people import call
from voice_sim.guard.check import check
from voice_sim.guard.misunderstanding.wrong_kind import wrong_kind

OPENING = "A: Hello, this is Li Ming from Changjiang Bank. Is that Mr. Zhao?"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which of the colours would you pick?", "Yes."),
        ("What would you like to know?", "Sure, go on."),
        ("Where do you keep the key?", "Mm-hm."),
    ],
)
def test_a_bare_yes_or_a_murmur_to_a_question_that_wants_words(question: str, answer: str) -> None:
    session = call(OPENING, "C: Speaking.", f"A: {question}", f"C: {answer}")
    [finding] = wrong_kind(session)
    assert (finding.kind, finding.turn, finding.certain) == ("wrong_kind", 3, False)
    assert check(session).verdict == "suspected"
    assert wrong_kind(session, known={3}) == []


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is that all right?", "Yes."),
        ("Which of the colours would you pick?", "The green one."),
        ("Where do you keep the key?", "Why do you want to know that?"),
        ("Do you have a minute?", "Sure, go on."),
    ],
)
def test_answers_of_the_right_kind_and_questions_in_place_of_one(question: str, answer: str) -> None:
    assert wrong_kind(call(OPENING, "C: Speaking.", f"A: {question}", f"C: {answer}")) == []
