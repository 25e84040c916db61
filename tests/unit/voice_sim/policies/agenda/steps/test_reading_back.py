"""What the agent reads back of the person's facts is confirmed only where it is right."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.voice_sim.policies.agenda.people import Talk, person
from voice_sim.guard.read_back import read_back
from voice_sim.person.persona import Persona

READING = {
    "key": "reading",
    "value": "48213",
    "say": ["It says four eight two one three."],
    "cues": ["meter reading"],
}
CARD = {"key": "card", "value": "5127", "say": ["Five one two seven."], "cues": ["last digits"]}
COST = {"key": "cost", "value": "200 yuan", "say": ["Two hundred yuan."], "cues": ["how much"]}
DAY = {"key": "day", "value": "January 13", "say": ["On January thirteenth."], "cues": ["which day was it"]}


def _talk(*facts: dict[str, Any], seed: int = 3, **changes: Any) -> Talk:
    persona: Persona = person(facts=list(facts), must_ask=[], cooperation=[], **changes)
    talk = Talk(persona, seed=seed)
    talk.picks_up()
    talk.hears("Hello, this is Li Ming from Huanghe Pizza.")
    return talk


@pytest.mark.parametrize(
    "text",
    [
        "Let me repeat that to be safe: 9 9 1 7 5. Did I get every digit right?",
        "Let me repeat that: nine, nine, one, seven, five. Is that right?",
        "So the display says 48214, right?",
        "So your meter reading is 48214, is that correct?",
        "The meter reading was 4-8-2-1-4, did I hear that correctly?",
        "Is it 48214?",
    ],
)
@pytest.mark.parametrize("told", [True, False])
def test_wrong_digits_are_denied_and_told_again(text: str, told: bool) -> None:
    talk = _talk(READING, COST)
    if told:
        assert "four eight two one three" in talk.hears("What is the meter reading?").text
    line = talk.hears(text)
    assert line.text.startswith("No, that's")
    assert "It says four eight two one three." in line.text
    assert "Yes" not in line.text


@pytest.mark.parametrize(
    "text",
    [
        "Let me repeat that: four eight two one three. Is that right?",
        "Let me repeat that: 4, 8, 2, 1, 3. Did I get every digit right?",
        "So the display says 48213, right?",
        "That's forty-eight two one three, correct?",
    ],
)
def test_right_digits_are_confirmed(text: str) -> None:
    talk = _talk(READING, CARD, COST)
    assert talk.hears(text).text.startswith("Yes")


def test_of_two_rows_the_one_as_long_is_meant() -> None:
    line = _talk(READING, CARD).hears("So that's 9917, is that right?")
    assert "Five one two seven." in line.text


@pytest.mark.parametrize(
    ("fact", "asks", "wrong", "right"),
    [
        (COST, "How much was it?", "So it was 300 yuan, right?", "So it was 200 yuan, right?"),
        (DAY, "Which day was it?", "That's January 30, is that right?", "That's the 13th of January, right?"),
    ],
)
def test_amounts_and_dates_just_told(fact: dict[str, Any], asks: str, wrong: str, right: str) -> None:
    talk = _talk(fact)
    talk.hears(asks)
    line = talk.hears(wrong)
    assert line.text.startswith("No, that's")
    assert fact["say"][0] in line.text
    assert talk.hears(right).text.startswith("Yes")


def test_the_agents_own_figures_are_none_of_the_facts() -> None:
    for text in (
        "That's 40 euros a month, is that right?",
        "We open on January 30, right?",
        "You applied for 150,000, right?",
    ):
        assert not _talk(READING, COST, DAY).hears(text).text.startswith("No, that's")


def test_what_is_kept_back_is_not_confirmed_either() -> None:
    line = _talk({**CARD, "share": "trusted"}).hears("So your card ends in 5127, is that right?")
    assert not line.text.startswith("Yes")


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("我重复一遍：九九一七。对吗？", False),
        ("尾号是9 9 1 7，对吧？", False),
        ("您的尾号是9917吗？", False),
        ("我重复一遍：五、一、二、七。对吗？", True),
        ("尾号是5127，对不对？", True),
    ],
)
def test_in_chinese(text: str, right: bool) -> None:
    card = {"key": "card", "value": "5127", "say": ["尾号五一二七。"], "cues": ["尾号"]}
    talk = _talk(card, language="zh")
    line = talk.hears(text)
    assert line.text.startswith(("对。", "是的。")) if right else "尾号五一二七。" in line.text
    assert right or line.text.startswith("不")


def test_a_question_that_only_speaks_of_a_value_is_no_read_back() -> None:
    facts = person(facts=[DAY, CARD]).facts
    text = "It's on January 13, would that suit you?"
    assert read_back(text, facts, language="en") is None
    assert (
        read_back("Is it all right if we come to you on January 13 for that?", facts, language="en") is None
    )
    chinese = person(facts=[{"key": "day", "value": "昨天下午四点", "say": ["昨天四点。"]}]).facts
    assert read_back("昨天下午四点零五分有一笔取款，是您办的吗？", chinese, language="zh") is None
