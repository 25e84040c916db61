"""An agent that takes leave before what the person has to know was spoken of."""

from __future__ import annotations

import pytest

from tests.unit.voice_sim.policies.agenda.people import Talk, greeted, person

STIMULI = [{"dimension": "intent", "kind": "sarcasm", "say": ["Cold cheese, my favourite."]}]


def _has_come_to_nothing(talk: Talk, goodbye: str) -> None:
    line = talk.hears(goodbye)
    assert not line.parting, "an agent that hangs up now has cut the call short"
    assert not line.takes_leave
    assert line.ends_call is None
    assert not talk.policy.state(talk.dialogue).took_leave


@pytest.mark.parametrize("archetype", ["efficient", "hesitant", "resistant", "cooperative", "analytical"])
def test_a_goodbye_before_anything_was_asked_is_not_the_end_for_the_person(archetype: str) -> None:
    _has_come_to_nothing(greeted(person(archetype)), "Goodbye.")


def test_nor_is_it_where_all_that_they_say_is_a_planted_place() -> None:
    talk = greeted(person(stimuli=STIMULI))
    line = talk.hears("Goodbye.")
    assert line.text == "Cold cheese, my favourite."
    assert not line.parting
    nothing_to_ask = greeted(person(stimuli=STIMULI, must_ask=[])).hears("Goodbye.")
    assert (nothing_to_ask.text, nothing_to_ask.parting) == (line.text, True)


def test_an_agent_that_says_it_once_more_is_asked_all_the_same() -> None:
    talk = greeted()
    _has_come_to_nothing(talk, "Goodbye.")
    line = talk.hears("Well then, goodbye.")
    assert line.why.startswith("must_ask")
    assert not line.parting


def test_an_agent_that_goes_on_is_followed_as_if_it_had_not_said_it() -> None:
    talk = greeted()
    _has_come_to_nothing(talk, "Goodbye.")
    assert "half past eight" in talk.hears("Sorry, one thing: when did you order?").text
