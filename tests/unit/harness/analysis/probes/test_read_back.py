"""What is no read-back at all, and what is a wrong one: replies that were written down by hand."""

from __future__ import annotations

import pytest

from harness.analysis.probes.read_back import said_back
from metrics.recognition.normalize import Language
from spoken_language.entity_kinds import EntityKind

ENTITIES: dict[tuple[EntityKind, Language], str] = {
    ("code", "en"): "J6N6Q3",
    ("digits", "en"): "4821",
    ("date", "en"): "January 31st",
    ("amount", "en"): "$482.50",
    ("name", "en"): "Whitcombe",
    ("place", "en"): "Gothenburg",
    ("code", "zh"): "A8650",
    ("digits", "zh"): "130154",
    ("date", "zh"): "三月十四号",
    ("amount", "zh"): "二百四十元",
    ("name", "zh"): "李晓明",
}
STALLING = {
    "en": [
        "One moment, please.",
        "Just a second, I will look that up.",
        "Just one second.",
        "First I need to check something.",
        "Let me get back to you on that one in two minutes.",
        "We will have it within 10 minutes.",
        "We are here for you 24/7.",
        "Thank you for calling Acme Bank.",
        "We are closed, so somebody may call you.",
        "Certainly, that is noted.",
    ],
    "zh": [
        "好的，请稍等一下。",
        "我查一查。",
        "请等一会儿，大约十分钟。",
        "十分感谢，第一步是核实。",
        "好的。",
    ],
}


@pytest.mark.parametrize(("kind", "language"), list(ENTITIES))
def test_stalling_is_no_wrong_answer(kind: EntityKind, language: Language) -> None:
    entity = ENTITIES[kind, language]
    taken = [one for one in STALLING[language] if said_back(one, entity, kind, language)]
    assert taken == []


@pytest.mark.parametrize(
    ("kind", "language", "reply"),
    [
        ("code", "en", "Your code is J 6 N 6 Q 4."),
        ("code", "en", "That is J 1 N 1 Q 1."),
        ("digits", "en", "Four eight two two."),
        ("digits", "en", "You said 48."),
        ("date", "en", "On January 30th."),
        ("date", "en", "On May 5th."),
        ("date", "en", "So the fifth of March."),
        ("date", "en", "On Tuesday."),
        ("amount", "en", "Four hundred eighty dollars."),
        ("amount", "en", "That was $48.50."),
        ("name", "en", "Thank you, Whitfield."),
        ("place", "en", "It goes to Hamburg, one moment."),
        ("code", "zh", "您的订单号是A八六五一。"),
        ("digits", "zh", "是一三零一五五吗"),
        ("date", "zh", "三月十五号。"),
        ("date", "zh", "星期一。"),
        ("amount", "zh", "一共二百五十块。"),
        ("name", "zh", "李小明先生。"),
    ],
)
def test_another_thing_of_its_kind_is_a_wrong_answer(
    kind: EntityKind, language: Language, reply: str
) -> None:
    assert said_back(reply, ENTITIES[kind, language], kind, language)


def test_names_in_its_greeting_are_its_own() -> None:
    reply = "Of course, here at Acme Bank we can do that, on Monday or in June."
    assert said_back(reply, "Whitcombe", "name", "en")
    assert not said_back(reply, "Whitcombe", "name", "en", greeting="Good morning, Acme Bank, Anna speaking.")


def test_who_asks_again_says_nothing_back() -> None:
    assert not said_back("Sorry, could you repeat the 4821 numbers?", "4822", "digits", "en")
