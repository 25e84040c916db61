"""What becomes of the yes: who is asked for it again, who was told enough, who was never asked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest

from tests.unit.voice_sim.policies.agenda.people import Talk, greeted, person
from voice_sim.person.archetypes import Archetype
from voice_sim.person.examples import Item
from voice_sim.policies.agenda.course.persuasion import notice_persuasion
from voice_sim.policies.agenda.course.state import State
from voice_sim.policies.agenda.lines import Role
from voice_sim.policies.agenda.perception import Perceiver, Perception
from voice_sim.policies.agenda.steps.consenting import SOUR
from voice_sim.policies.agenda.temper import TEMPERS
from voice_sim.understanding.words import spoken_words

PROPOSAL = "Shall we send a new pizza?"
PLEASED = {
    "positive": [
        {"when": "Admits it.", "cues": ["our mistake"], "say": ["Well, that's honest."]},
        {"when": "A drink.", "cues": ["free drink"], "say": ["A drink, nice."]},
    ]
}


def resistant() -> Talk:
    """Somebody whom two things that please them win."""
    return greeted(person("resistant", must_ask=[], obstacles=[], triggers=PLEASED))


@pytest.fixture
def sounds_like_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proposal is taken for a question for leave to begin, as the encoder takes "Shall we start?"."""
    plain = Perceiver.perceive

    def perceived(self: Perceiver, text: str, *, expected: Collection[Item] = ()) -> Perception:
        seen = plain(self, text, expected=expected)
        return replace(seen, does="permission") if PROPOSAL in text else seen

    monkeypatch.setattr(Perceiver, "perceive", perceived)


@pytest.mark.usefixtures("sounds_like_leave")
def test_who_is_won_says_yes_in_their_own_words_to_what_sounds_like_leave_to_begin() -> None:
    talk = resistant()
    talk.hears("It was our mistake.")
    talk.hears("There is a free drink with the pizza.")
    assert talk.hears(PROPOSAL).text == "Fine."
    assert talk.policy.state(talk.dialogue).agreed


@pytest.mark.parametrize("archetype", ["hesitant", "resistant"])
def test_who_did_not_say_yes_may_be_asked_the_same_again(archetype: str) -> None:
    talk = greeted(person(archetype, must_ask=[], obstacles=[]))
    assert talk.hears(PROPOSAL).why.startswith(("two_minds", "no"))
    assert talk.hears(PROPOSAL).why != "repeated"


def test_who_did_not_say_yes_may_be_asked_the_same_again_later() -> None:
    talk = greeted(person("hesitant", must_ask=[], obstacles=[]))
    talk.hears(PROPOSAL)
    talk.hears("The pizza oven is number one.")
    assert talk.hears(PROPOSAL).why != "repeated"


@pytest.mark.parametrize(("asked_before", "understood"), [(True, True), (False, False)])
def test_what_is_proposed_after_a_doubt_is_the_same_matter_in_whatever_words(
    asked_before: bool, understood: bool
) -> None:
    talk = greeted(person("hesitant", must_ask=[], obstacles=[]))
    if asked_before:
        talk.hears(PROPOSAL)
    line = talk.hears("Shall we wrap the striped zebra for you?")
    assert ("not understood" not in line.why) is understood


def test_after_a_yes_the_same_question_is_one_too_many() -> None:
    talk = greeted(person(must_ask=[]))
    assert talk.hears(PROPOSAL).text == "Fine."
    assert talk.hears(PROPOSAL).why == "repeated"


@pytest.mark.parametrize(
    ("before", "reasons"),
    [
        ("The pizza is fresh. Our oven burns hot all night.", 4),
        ("Our fresh pizza comes hot. The oven burns all night.", 3),
    ],
)
def test_one_in_two_minds_takes_any_statement_that_was_not_made_before(before: str, reasons: int) -> None:
    """Late in a call all its words have been heard; the same sentence again is no reason."""
    now = "Our fresh pizza comes hot."
    persona = person("hesitant")
    perceiver = Perceiver(persona)
    heard = [spoken_words(before), spoken_words(now)]
    state = State(mood=0.0, heard_turns=9, last_no=8, reasons=[1, 2, 3], heard_before=heard)
    state.last_roles = (Role(kind="stock", ref="two_minds"),)
    state.topics = perceiver.perceive(f"{before} {now}").content
    notice_persuasion(state, perceiver.perceive(now), persona, TEMPERS[Archetype.HESITANT], learnt=False)
    assert len(state.reasons) == reasons


@pytest.mark.parametrize(("archetype", "closes"), [("efficient", True), ("hesitant", False)])
def test_who_has_yet_to_say_yes_does_not_close_because_it_is_called_settled(
    archetype: str, closes: bool
) -> None:
    ending = {"when": "It is settled.", "cues": ["settled then"], "say": ["Friday it is."]}
    talk = greeted(person(archetype, must_ask=[], obstacles=[], termination=[ending]))
    for nth in range(8):
        talk.hears(f"The pizza oven is number {nth}.")
    assert talk.hears("Then that is settled then, with the pizza.").takes_leave is closes


def test_who_has_no_words_left_for_a_no_does_not_say_yes() -> None:
    talk = greeted(person("efficient", must_ask=[], obstacles=[]))
    talk.hears("You idiot.")
    said = [
        "Dear valued customer, our pizza comes fresh from a brick oven.",
        "The pizza dough rests overnight under cool linen cloths.",
        "A pizza baker from Naples taught every cook here.",
        "Each pizza carries basil grown behind the kitchen garden.",
        "Our pizza boxes keep warmth inside during winter rides.",
    ]
    lines = [talk.hears(f"{one} {PROPOSAL}") for one in said]
    assert talk.policy.state(talk.dialogue).mood <= SOUR
    assert ["no: the mood is sour" in line.why for line in lines] == [True, True, True, False, False]
    assert not any(word in line.why for line in lines for word in ("agree", "yes", "clear"))
