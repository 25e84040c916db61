"""Planted places: each said once, where there is room, and again only where the agent asks to hear it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tests.unit.voice_sim.policies.agenda.people import Talk, greeted, person
from voice_sim.policies.base import Line, Said

STIMULI: list[dict[str, Any]] = [
    {"dimension": "intent", "kind": "sarcasm", "say": ["Cold cheese, my favourite.", "I mean it was cold."]},
    {"dimension": "noise", "kind": "broken", "say": ["The … the drill … which day?", "Which day, please?"]},
    {"dimension": "safety", "kind": "abuse", "say": ["Are you deaf or just stupid?"]},
]
PIZZA = "About your pizza order, the margherita."
TELLS = [f"Your pizza was number {number} in the oven." for number in ("three", "four", "five", "six")]


def _talk(**changes: Any) -> Talk:
    return greeted(person(**({"stimuli": STIMULI, "must_ask": [], "obstacles": []} | changes)))


def _said(talk: Talk) -> list[str]:
    return [turn.text for turn in talk.dialogue if isinstance(turn, Said)]


def _times(talk: Talk) -> list[int]:
    text = " | ".join(_said(talk))
    return [text.count(place["say"][0]) for place in STIMULI]


def test_each_is_said_once_in_order_never_in_the_first_two_turns_nor_in_two_running() -> None:
    talk = _talk()
    for number in range(14):
        talk.hears(f"Your pizza was made at oven {number}, as the order says.")
    said = _said(talk)
    assert _times(talk) == [1, 1, 1]
    at = [next(n for n, text in enumerate(said) if place["say"][0] in text) for place in STIMULI]
    assert at == sorted(at)
    assert at[0] >= 2
    assert all(later - earlier >= 2 for earlier, later in pairwise(at))


def test_the_mark_says_what_it_tries() -> None:
    talk = _talk()
    whys = [talk.hears(line).why for line in (PIZZA, *TELLS)]
    assert next(why for why in whys if "stimulus" in why).endswith("stimulus 0: intent, sarcasm")


def test_nothing_is_planted_while_the_person_says_who_they_are_or_objects() -> None:
    talk = greeted(person(stimuli=STIMULI, must_ask=[]))
    for _ in range(3):
        assert "stimulus" not in talk.hears("Is that Mr. Zhang?").why
    assert talk.hears("We offer you a voucher.").why == "obstacle no_voucher"


def test_asked_to_say_it_again_the_person_puts_it_plainly_and_it_still_counts_once() -> None:
    talk = _talk()
    ovens = iter(range(20))
    while "stimulus 1" not in talk.hears(f"Your pizza was in oven {next(ovens)} then.").why:
        pass
    again = talk.hears("Sorry, could you repeat that?")
    assert again.text == "Which day, please?"
    assert again.why == "stimulus 1, again"
    assert _times(talk)[1] == 1


def test_what_is_left_at_the_natural_end_comes_before_the_goodbye() -> None:
    talk = _talk()
    assert talk.hears(PIZZA).text == "Cold cheese, my favourite."
    for left in STIMULI[1:]:
        line = talk.hears("That is all about your pizza. Goodbye!")
        assert line.text == left["say"][0]
        assert line.ends_call is None
        assert line.parting  # an agent that has said goodbye and hangs up now has cut nobody off
        assert not line.takes_leave
    assert talk.hears("Well then, goodbye!").takes_leave


def test_the_reply_to_a_place_leads_somewhere_though_it_touches_no_concern() -> None:
    """What an agent says to abuse or prying is about nothing that the person knows."""
    talk = _talk()
    assert "stimulus 0" in talk.hears(PIZZA).why
    lost = talk.policy.state(talk.dialogue).lost
    talk.hears("Our handbook forbids gossip.")
    assert talk.policy.state(talk.dialogue).lost <= lost


def test_a_wish_for_a_place_beside_an_answer_is_kept() -> None:
    wish = [STIMULI[0] | {"when": "answer"}]
    talk = _talk(stimuli=wish)
    talk.hears(PIZZA)
    line = talk.hears("When did you order?")
    assert line.text == "Cold cheese, my favourite."
    assert "half past eight" in talk.hears("When did you order?").text


def test_a_call_with_many_places_has_them_in_a_quarter_of_the_turns_at_most() -> None:
    many = [STIMULI[0] | {"say": [f"Wonderful number {name}."]} for name in "abcdefgh"]
    talk = _talk(stimuli=many)
    lines: list[Line] = [talk.hears(f"Your pizza was in oven {number} then.") for number in range(15)]
    own = sum(isinstance(turn, Said) for turn in talk.dialogue)
    assert sum("stimulus" in line.why for line in lines) <= max(3, own // 4)


def test_none_stands_in_for_what_shows_who_they_are() -> None:
    for asked, planted in (
        ("When did you order?", True),
        ("Your date of birth, and when did you order?", False),
    ):
        talk = _talk(stimuli=[STIMULI[0] | {"when": "answer"}])
        talk.hears(PIZZA)
        assert ("stimulus" in talk.hears(asked).why) is planted
