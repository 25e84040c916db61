"""What agents of other makers say, and what an attentive person answers, in hand-made turns."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest

from tests.unit.voice_sim.policies.agenda.people import Talk, greeted, person
from voice_sim.person.examples import Item
from voice_sim.policies.agenda.lines import without_asking_who
from voice_sim.policies.agenda.perception import Perceiver, Perception

QUIET = {"must_ask": [], "obstacles": [], "cooperation": []}
NAMELESS = "Hello, is that Mr. Zhang?"
INTRODUCED = "Hello, is that Mr. Zhang? Wang Hong, Huanghe Pizza."
ASKS_WHO = {
    "pick_up": ["Yeah?"],
    "confirm_identity": ["That's me. Who's asking?"],
    "agree": ["Fine."],
    "decline": ["No."],
    "unsure": ["My son typed that in."],
    "repeat_please": ["Say again?"],
    "goodbye": ["Bye."],
}


def seen_as(monkeypatch: pytest.MonkeyPatch, where: str, **changes: Any) -> None:
    """A turn with ``where`` in it is understood as it is by its words, and with these changes."""
    plain = Perceiver.perceive

    def perceived(self: Perceiver, text: str, *, expected: Collection[Item] = ()) -> Perception:
        seen = plain(self, text, expected=expected)
        return replace(seen, **changes) if where in text else seen

    monkeypatch.setattr(Perceiver, "perceive", perceived)


def test_nobody_asks_who_is_calling_of_an_agent_that_has_said_so() -> None:
    for opening, answer in ((NAMELESS, "That's me. Who's asking?"), (INTRODUCED, "That's me.")):
        talk = Talk(person(phrases=ASKS_WHO))
        talk.picks_up()
        assert talk.hears(opening).text == answer


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("Says who? Yes, Xu Ping. And you are?", "Yes, Xu Ping."),
        ("First you. Who's asking?", ""),
        ("I am, yes. Have I broken something?", "I am, yes. Have I broken something?"),
        ("是我。你是谁啊？", "是我。"),
        ("是我，又怎么了？", "是我，又怎么了？"),
    ],
)
def test_only_the_question_for_the_caller_is_left_out(line: str, left: str) -> None:
    assert without_asking_who(line) == left


@pytest.mark.parametrize(
    ("near", "told"),
    [
        ((("hour", 0.2), ("order_number", 0.02)), True),
        ((("hour", 0.2), ("order_number", 0.15)), False),
        ((("hour", 0.06), ("order_number", 0.001)), False),
    ],
)
def test_the_fact_that_is_far_ahead_is_told_to_a_question_in_other_words(
    monkeypatch: pytest.MonkeyPatch, near: tuple[tuple[str, float], ...], told: bool
) -> None:
    seen_as(monkeypatch, "ring us", nearest_facts=near, about_the_call=True)
    line = greeted(person(**QUIET)).hears("When did you first ring us about the pizza?")
    assert (line.text == "At half past eight.") is told


def test_what_is_no_number_is_not_told_again_to_how_long(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = [{"key": "way", "value": "by bike", "say": ["The boy comes by bike."], "cues": ["how does it"]}]
    talk = greeted(person(facts=facts, **QUIET))
    assert talk.hears("How does it come to you?").text == "The boy comes by bike."
    talk.hears("I see.")
    seen_as(monkeypatch, "roughly", facts=("way",), surely_asked=frozenset({"way"}), about_the_call=True)
    assert "bike" not in talk.hears("How many minutes does the pizza take, roughly?").text


@pytest.mark.parametrize(
    "said",
    [
        "You can have the pizza on Monday or on Friday. Which is it?",
        "So which of the two pizza days is better for you?",
        "When shall I send the pizza, on Monday, or Friday morning?",
    ],
)
def test_one_of_two_is_picked_wherever_they_are_named(said: str) -> None:
    assert greeted(person(**QUIET)).hears(said).text in ("The first.", "First one.")


def test_a_wish_that_nobody_foresaw_is_left_to_the_agent() -> None:
    line = greeted(person(**QUIET)).hears("We have many a pizza for you. Which one would you like?")
    assert line.text in ("Either. You choose.", "No preference.")


def test_a_no_that_is_taken_is_not_said_again() -> None:
    never = {"wins": "never", "say": ["No pizza.", "I said no pizza."]}
    talk = greeted(person("resistant", willingness=never, **QUIET))
    assert talk.hears("Shall we send a new pizza?").text == "No pizza."
    line = talk.hears("No is no. I'll put you down as declined, and nobody rings you again, okay?")
    assert line.why == "yes: their no is taken"
    other = greeted(person("resistant", willingness=never, **QUIET))
    other.hears("Shall we send a new pizza?")
    line = other.hears("Shall I take you off our list, or shall we send a pizza all the same?")
    assert line.text == "I said no pizza."


def test_who_is_asked_for_now_or_later_says_go_ahead() -> None:
    talk = greeted(person("hesitant", **QUIET))
    line = talk.hears("Are you alone with the pizza now, or shall I call after lunch?")
    assert line.why == "go_ahead: now, rather than another call"


def test_leave_to_tell_is_given_though_there_is_a_how_in_it() -> None:
    line = greeted(person(**QUIET)).hears("Could I just explain how the pizza gets to you?")
    assert line.why == "go_ahead: it wants to tell something"


def test_what_may_be_an_objection_does_not_stand_in_for_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    seen_as(
        monkeypatch,
        "voucher",
        doubtful=frozenset({Item("obstacle", "no_voucher")}),
        surely_asked=frozenset({"hour"}),
    )
    line = greeted(person(must_ask=[], cooperation=[])).hears("There is a voucher too. When did you order?")
    assert line.text == "At half past eight."


def test_a_question_near_to_anything_else_wants_its_own_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Perceiver.perceive

    def perceived(self: Perceiver, text: str, *, expected: Collection[Item] = ()) -> Perception:
        seen = plain(self, text, expected=expected)
        return replace(seen, does="more", acts=replace(seen.acts, asks_for_more=True))

    talk = greeted()
    monkeypatch.setattr(Perceiver, "perceive", perceived)
    assert talk.hears("When did you order the pizza?").text.startswith("At half past eight.")


def test_a_list_of_feelings_and_stories_gets_more_than_yes() -> None:
    hesitant = person("hesitant", **QUIET)
    assert greeted(hesitant).hears("Are you worried about the pizza?").why == "a_little"
    told = greeted(hesitant).hears("The pizza came late. Go on, what happened there?")
    assert told.why.startswith("long_story")


def test_their_own_words_for_not_knowing_are_said_only_where_they_fit_anything() -> None:
    talk = greeted(person(phrases=ASKS_WHO | {"confirm_identity": ["That's me."]}, **QUIET))
    assert talk.hears("Which street does the pizza baker live in?").text != "My son typed that in."


def test_a_fact_without_words_is_asked_for_in_vain_and_ends_no_call() -> None:
    wordless = {"key": "hour", "value": "half past eight", "cues": ["when did you order"]}
    talk = greeted(person(facts=[wordless], **QUIET))
    assert talk.hears("When did you order?").text
    assert talk.hears("And when was that?").text
