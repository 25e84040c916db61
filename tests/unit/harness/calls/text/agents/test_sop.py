from __future__ import annotations

import asyncio
import dataclasses

import pytest

from harness.calls.text.agents.base import AgentReply
from harness.calls.text.agents.card_lookup import CardLookup
from harness.calls.text.agents.sop import SopAgent
from harness.scenarios.folders import load_entry
from harness.scenarios.scenario import Entry
from spoken_language.dialogue import DialogueTurn


@pytest.fixture(scope="module")
def entry() -> Entry:
    return load_entry("cs-bank-complaint/hesitant")


class Talk:
    """The agent's side of a dialogue in which the person says what the test says."""

    def __init__(self, entry: Entry) -> None:
        self.agent = SopAgent(entry)
        self.turns: list[DialogueTurn] = []

    def says(self, text: str) -> AgentReply:
        self.turns.append(DialogueTurn(speaker="caller", text=text))
        reply = asyncio.run(self.agent.reply(self.turns))
        self.turns.append(DialogueTurn(speaker="agent", text=reply.text))
        return reply


def test_with_a_person_who_only_listens_it_says_every_line_of_its_card(entry: Entry) -> None:
    talk = Talk(entry)
    reply = talk.says("Hello?")
    assert reply.text == entry.card.opening
    while not reply.hangs_up:
        reply = talk.says("Mm-hm.")
    spoken = " ".join(turn.text for turn in talk.turns if turn.speaker == "agent")
    lines = [line for step in entry.card.sop for line in step.say]
    # Who it is talking to was asked in the opening already.
    assert [line for line in lines if line not in spoken] == ["Am I speaking with Sun Li in person?"]
    positions = [spoken.index(line) for line in lines if line in spoken]
    assert positions == sorted(positions)
    assert reply.text == entry.card.termination[0].closing[0]
    assert talk.agent.finished
    assert talk.agent.steps_said == len(entry.card.sop)


def test_one_question_a_turn(entry: Entry) -> None:
    talk = Talk(entry)
    for _ in range(12):
        reply = talk.says("Mm-hm.")
        lines = [
            line for step in entry.card.sop for line in step.say if line.endswith("?") and line in reply.text
        ]
        assert len(lines) <= 1


def test_the_same_dialogue_gives_the_same_words(entry: Entry) -> None:
    said = ["Hello?", "Yes.", "Will they take it again next month?", "No, no.", "Hm."]
    one, two = Talk(entry), Talk(entry)
    assert [one.says(text).text for text in said] == [two.says(text).text for text in said]


def test_a_question_is_answered_from_the_faq(entry: Entry) -> None:
    talk = Talk(entry)
    talk.says("Hello?")
    assert entry.card.faq[2].answer in talk.says("How do I know that you're really from the bank?").text
    assert entry.card.faq[4].answer in talk.says("Will this happen again next month?").text


def test_an_unknown_question_is_not_answered_with_something_else(entry: Entry) -> None:
    talk = Talk(entry)
    for text in ("Hello?", "Yes.", "Mm-hm."):
        talk.says(text)
    reply = talk.says("Which elephants eat purple umbrellas?").text
    assert "don't know" in reply


def test_what_was_not_heard_is_said_again_shorter_and_then_it_goes_on(entry: Entry) -> None:
    talk = Talk(entry)
    talk.says("Hello?")
    first = talk.says("Yes, this is she.").text
    last_sentence = "Is now a good time, or are you in the middle of something?"
    assert first.endswith(last_sentence)
    assert first != last_sentence
    assert talk.says("A bit slower please?").text == f"Of course. {last_sentence}"
    assert last_sentence not in talk.says("Sorry, what was that?").text


def test_somebody_who_is_busy_is_offered_another_time(entry: Entry) -> None:
    talk = Talk(entry)
    talk.says("Hello?")
    assert "call you back" in talk.says("I'm driving, I can't talk.").text


def test_it_knows_the_card_and_not_the_person(entry: Entry) -> None:
    somebody_else = entry.scenario.entries()[0].callee
    assert somebody_else.persona != entry.persona
    said = ["Hello?", "Yes.", "Will they take it again next month?", "My son saw it.", "I'd rather not say."]
    own, other = Talk(entry), Talk(dataclasses.replace(entry, callee=somebody_else))
    assert [own.says(text).text for text in said] == [other.says(text).text for text in said]


@pytest.mark.parametrize(
    "said", ["Hm.", "And?", "If you say so.", "Half past eight in the morning, I think."]
)
def test_an_answer_is_no_question(entry: Entry, said: str) -> None:
    assert CardLookup(entry.card, "en").find(said, step=2, was_asked=True) is None


def test_who_wants_to_ask_somebody_first_is_heard_and_asked_once_more(entry: Entry) -> None:
    talk = Talk(entry)
    talk.says("Hello?")
    while not talk.turns[-1].text.endswith("is something missing?"):
        talk.says("Mm-hm.")
    question = "Are you all right with that plan, or is something missing?"
    assert talk.turns[-1].text.endswith(question)
    first = talk.says("Hm, I ought to ask my son first.").text
    assert first.endswith(question)
    assert len(first) > len(question)
    assert not talk.says("I ought to ask my son first.").text.endswith(question)


def test_the_wrong_person_hears_nothing_more_and_the_right_one_is_greeted(entry: Entry) -> None:
    branches = [one for step in entry.card.sop for one in step.branches if one.kind == "wrong_person"]
    talk, other = Talk(entry), Talk(entry)
    for one in (talk, other):
        one.says("Hello?")
        assert one.says("She's not here, this is her sister.").text == branches[0].say[0]
    reply = talk.says("I don't know when she's back.")
    assert reply.hangs_up
    assert other.says("Here she is.").text == entry.card.opening


def test_who_is_busy_and_says_when_is_left_in_peace(entry: Entry) -> None:
    talk = Talk(entry)
    talk.says("Hello?")
    assert not talk.says("I'm driving, I can't talk.").hangs_up
    reply = talk.says("Tomorrow at ten, please.")
    assert reply.hangs_up
    assert reply.text in [line for one in entry.card.termination for line in one.closing]
