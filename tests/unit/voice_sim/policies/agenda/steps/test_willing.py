"""Yes and no to the agent's matter, in dialogues with one small person."""

from __future__ import annotations

import pytest

from tests.unit.voice_sim.policies.agenda.people import Talk, greeted, person
from voice_sim.policies.agenda.course.state import State

VOUCHER = "Would a voucher be all right with you?"
PROPOSAL = "Shall we send a new pizza?"
NEVER = {"wins": "never", "why": "Had enough.", "say": ["No, I don't want it.", "I said no."]}


def state_of(talk: Talk) -> State:
    return talk.policy.state(talk.dialogue)


def answered(talk: Talk) -> Talk:
    """All that the person has to know is asked and answered; the last is honestly not known."""
    asked = {
        "Why so late?": "It had a flat tyre.",
        "I asked why.": "It had a flat tyre.",
        "When is the money back?": "It's there on Friday.",
        "Which day?": "It's there on Friday.",
        "Who baked it?": "I'm sorry, I don't know that.",
        "A name?": "I'm sorry, I don't know that.",
    }
    said = "Our pizza oven is number 12."
    for number in range(9):
        line = talk.hears(said)
        said = next(
            (answer for question, answer in asked.items() if question in line.text),
            f"The pizza oven number {number} is a good one.",
        )
    return talk


@pytest.mark.parametrize(("asked", "end"), [(True, "satisfied"), (False, "unanswered")])
def test_satisfied_is_who_has_refused_nothing_and_knows_what_they_wanted_to_know(
    asked: bool, end: str
) -> None:
    talk = answered(greeted()) if asked else greeted()
    for farewell in (
        "Thank you, goodbye.",
        "All right, bye.",
        "Goodbye now.",
        "Bye, then.",
        "Goodbye to you.",
    ):
        line = talk.hears(farewell)
        if line.takes_leave:
            break
    assert (line.takes_leave, line.closes_as) == (True, end)


def test_an_objection_that_was_met_is_given_up_and_one_that_was_not_stands() -> None:
    talk = greeted(person("resistant", must_ask=[]))
    assert talk.hears(VOUCHER).text == "Vouchers, great."
    assert state_of(talk).standing() == ["no_voucher"]
    talk.hears("You get your money back.")
    assert state_of(talk).standing() == []


def test_asking_again_without_a_reason_sours_the_mood_and_is_remembered() -> None:
    pushed, reasoned = greeted(person("resistant", must_ask=[])), greeted(person("resistant", must_ask=[]))
    for talk in (pushed, reasoned):
        talk.hears(VOUCHER)
    pushed.hears(VOUCHER + " Come on.")
    reasoned.hears("You get your money back. " + VOUCHER)
    assert (state_of(pushed).pushed, state_of(reasoned).pushed) == (1, 0)
    assert state_of(pushed).mood < state_of(reasoned).mood
    assert state_of(pushed).standing() == ["no_voucher"]


def test_pressed_twice_a_resistant_person_refuses_to_go_on() -> None:
    talk = greeted(person("resistant", must_ask=[]))
    for nth in range(6):
        line = talk.hears(f"{VOUCHER} It is number {nth}.")
        if line.ends_call:
            break
    assert line.ends_call == "refused"
    assert state_of(talk).pushed == 2


def test_one_who_cannot_be_won_says_no_twice_and_closes_courteously() -> None:
    talk = greeted(person(willingness=NEVER, must_ask=[]))
    first = talk.hears(PROPOSAL)
    second = talk.hears("It is a good pizza. " + PROPOSAL + " Really.")
    assert (first.text, second.text) == ("No, I don't want it.", "I said no.")
    last = talk.hears("And it is free. " + PROPOSAL)
    assert (last.text, last.takes_leave, last.closes_as) == ("Bye.", True, "declined")


def test_a_no_that_is_respected_ends_the_call_with_a_goodbye() -> None:
    talk = greeted(person(willingness=NEVER, must_ask=[]))
    talk.hears(PROPOSAL)
    line = talk.hears("I respect that. Goodbye.")
    assert (line.text, line.takes_leave, line.closes_as) == ("Bye.", True, "declined")


def test_who_cannot_be_won_says_so_though_nothing_is_proposed() -> None:
    talk = greeted(person(willingness=NEVER, must_ask=[]))
    said = [talk.hears(f"The pizza oven has number {nth}.").text for nth in range(6)]
    assert "No, I don't want it." in said


def test_an_offer_wins_by_reasons_and_hesitant_people_need_more_than_one() -> None:
    quick, slow = greeted(person()), greeted(person("hesitant"))
    assert quick.hears(PROPOSAL).text.startswith("Fine.")
    assert slow.hears(PROPOSAL).why.startswith("two_minds")
    assert not state_of(slow).agreed
    for reason in ("It had a flat tyre, our mistake.", "The money is there on Friday."):
        slow.hears(reason)
    for nth in range(3):
        slow.hears(f"The money is there on Friday, number {nth}. {PROPOSAL}")
    assert state_of(slow).agreed


def test_what_is_not_understood_twice_is_said_so_and_held_against_nobody() -> None:
    talk = greeted()
    before = state_of(talk).mood
    assert talk.hears("Trombones rust.").text == "Say again?"
    assert "follow" in talk.hears("Owls hoot at dusk.").text
    assert state_of(talk).mood == before
    assert state_of(talk).not_understood == 2


def test_who_is_asked_for_a_yes_says_again_what_stands_in_its_way() -> None:
    talk = greeted(person("hesitant", must_ask=[]))
    assert talk.hears("We have a voucher for you.").text.endswith("Vouchers, great.")
    assert talk.hears(PROPOSAL).text.endswith("Keep your voucher.")


def test_something_new_that_is_not_understood_is_no_pressing() -> None:
    talk = greeted(person("resistant", must_ask=[]))
    talk.hears(PROPOSAL)
    talk.hears("Our oven burns beech wood and the dough rests overnight. " + PROPOSAL)
    assert state_of(talk).pushed == 0
    talk.hears(PROPOSAL + " Come on.")
    assert state_of(talk).pushed == 1


def test_who_lacks_reasons_says_no_word_that_could_be_a_yes() -> None:
    for archetype in ("hesitant", "resistant"):
        talk = greeted(person(archetype, must_ask=[], obstacles=[]))
        for nth in range(8):
            line = talk.hears(f"The pizza oven is number {nth}. {PROPOSAL}")
            assert not any(word in line.why for word in ("agree", "clear", "either"))
            if line.ends_call:
                break
        assert not state_of(talk).agreed


def test_leave_to_go_on_is_no_proposal_and_drives_nobody_away() -> None:
    talk = greeted(person("resistant", willingness=NEVER, must_ask=[]))
    assert talk.hears(PROPOSAL).text == NEVER["say"][0]
    assert talk.hears("Our pizza oven is new. " + PROPOSAL).text == NEVER["say"][1]
    assert not talk.hears("Our oven is hot. Is it all right if I tell you about the pizza next?").takes_leave
