"""Courtesy in the course of a call: thanks said again, and a good moment that was asked for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.voice_sim.policies.agenda.people import greeted, person
from voice_sim.policies.agenda.lines import LineBook

REPEATED = LineBook(person()).stock["repeated"]
GOOD_TIME: dict[str, Any] = {
    "key": "good_time",
    "value": "any time",
    "say": ["Yes, now is fine."],
    "cues": ["is now a good time"],
}


@pytest.mark.parametrize(
    "short",
    [
        "Thank you.",
        "Okay.",
        "Thanks a lot.",
        "I see.",
        "All right, thank you.",
        "Great.",
        "Okay, got it.",
        "Understood.",
        "Very good.",
        "Thank you very much.",
    ],
)
def test_thanks_may_come_again(short: str) -> None:
    talk = greeted(person(must_ask=[]))
    talk.hears(short)
    mood = talk.policy.state(talk.dialogue).mood
    talk.hears("Your pizza was late.")
    assert not any(line in talk.hears(short).text for line in REPEATED)
    assert talk.policy.state(talk.dialogue).repeated == 0
    assert talk.policy.state(talk.dialogue).mood >= mood


def test_a_short_turn_is_repeated_only_lately() -> None:
    talk = greeted()
    talk.hears("A pizza, yes.")
    for number in (5, 6, 7):
        talk.hears(f"The pizza driver has {number} boxes in the van.")
    talk.hears("A pizza, yes.")
    assert talk.policy.state(talk.dialogue).repeated == 0
    talk.hears("A pizza, yes.")
    talk.hears("A pizza, yes.")
    assert talk.policy.state(talk.dialogue).repeated > 0


def test_a_long_turn_is_repeated_wherever_it_was_said() -> None:
    talk = greeted(person(must_ask=[]))
    said = "The pizza driver carries seven boxes in the old van."
    talk.hears(said)
    for number in (5, 6, 7):
        talk.hears(f"The oven has {number} pizza trays from Naples.")
    talk.hears(said)
    assert talk.policy.state(talk.dialogue).repeated > 0


def test_a_good_moment_is_not_owed() -> None:
    talk = greeted(person(facts=[*person().model_dump()["facts"], GOOD_TIME]))
    talk.hears("Is now a good time?")
    assert talk.policy.state(talk.dialogue).owed == ()


def test_what_is_owed_is_told_to_a_question_that_touches_it_alone() -> None:
    def owing() -> Any:
        talk = greeted(person(facts=[*person().model_dump()["facts"]], must_ask=[]))
        talk.hears("When did you order? By the way, you can have a voucher.")
        return talk

    assert owing().policy.state(owing().dialogue).owed == ("hour",)
    assert "half past eight" not in owing().hears("What colour is the pizza oven upstairs?").text
    assert "half past eight" in owing().hears("And when was that?").text
    assert "half past eight" in owing().hears("How late was the order?").text


@pytest.mark.parametrize("question", ["What do you mean?", "And who was that?", "Where was that?"])
def test_what_is_owed_is_no_answer_to_a_short_question_of_another_kind(question: str) -> None:
    talk = greeted(person(must_ask=[]))
    talk.hears("When did you order? By the way, you can have a voucher.")
    assert "half past eight" not in talk.hears(question).text
