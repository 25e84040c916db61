"""Whether words answer a question by their kind, and what a person does who was answered so."""

from __future__ import annotations

import pytest

from tests.unit.voice_sim.policies.agenda.people import greeted
from voice_sim.policies.agenda.course.in_kind import answers_in_kind
from voice_sim.policies.agenda.perception import Perception
from voice_sim.understanding.acts import Language, acts_of


def heard(text: str, language: Language) -> Perception:
    return Perception(text=text, acts=acts_of(text, language), language=language)


@pytest.mark.parametrize(
    ("language", "question", "text", "answers"),
    [
        ("en", "How many boxes?", "Of those boxes there are thirty. Is that enough?", True),
        ("en", "How many boxes?", "We are glad to have you. What is your name?", False),
        ("en", "How many boxes?", "The road to our house is closed until the twenty third of May.", False),
        ("en", "How many boxes?", "Thirty.", True),
        ("en", "How many boxes?", "Just one moment, I look.", False),
        ("en", "When does it open?", "On Tuesday, as always.", True),
        ("en", "Is it free?", "No, it costs nothing at all.", True),
        ("en", "Is it free?", "The garden has a pond. Do you like ponds?", False),
        ("en", "Is it free?", "I'm afraid I don't know.", False),
        ("en", "Why so late?", "Because the road was closed.", True),
        ("en", "Why so late?", "The road is a nice one.", False),
        ("en", "Red one or blue one?", "Take the blue, I'd say.", True),
        ("zh", "钱退了没有？", "没退，还在处理。", True),
        ("zh", "钱退了没有？", "我们公司在东边。", False),
        ("zh", "要多少天？", "三天就够了。", True),
        ("zh", "要多少天？", "我们尽快给您办。", False),
    ],
)
def test_an_answer_is_told_by_its_kind(language: Language, question: str, text: str, answers: bool) -> None:
    assert answers_in_kind(heard(text, language), question) is answers


def test_a_question_that_got_its_kind_of_answer_is_not_put_again() -> None:
    talk = greeted()
    assert "Why so late?" in talk.hears("Your pizza was late.").text
    assert "I asked why." not in talk.hears("Because the mule was ill.").text
    state = talk.policy.state(talk.dialogue)
    assert "why" in state.told
    assert "why" not in state.settled, "by its kind alone it is no reason for anything"


def test_what_is_no_answer_of_its_kind_is_asked_for_again() -> None:
    talk = greeted()
    assert "Why so late?" in talk.hears("Your pizza was late.").text
    assert "I asked why." in talk.hears("It was a margherita pizza.").text
