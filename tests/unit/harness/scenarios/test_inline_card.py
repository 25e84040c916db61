"""The card that is sent to an agent: every line of the procedure once, one question at a time."""

from __future__ import annotations

import json

import pytest

from fixtures.agents.pipecat_agent.brain import CardBrain
from fixtures.agents.pipecat_agent.gate import MAX_BODY_BYTES
from fixtures.agents.pipecat_agent.inline_card import read_inline_task
from harness.plans.entries import told_to_agent
from harness.scenarios.folders import load_entry, load_library
from harness.scenarios.inline_card import inline_card
from harness.scenarios.scenario import Entry


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return [entry for scenario in load_library() for entry in scenario.entries()]


def test_the_procedure_is_said_whole_and_one_question_at_a_time(entries: list[Entry]) -> None:
    for entry in entries:
        card = inline_card(entry)
        lines = [line for step in entry.card.sop for line in step.say]
        said = " ".join([*card["steps"], card["closing"]])
        positions = [said.index(line) for line in lines]
        assert positions == sorted(positions), entry.id
        for step in card["steps"]:
            questions = [line for line in lines if line in step and line.rstrip().endswith(("?", "？"))]
            assert len(questions) <= 1, step


def test_what_the_person_is_known_to_ask_leads_to_the_answer() -> None:
    entry = load_entry("cs-bank-complaint/hesitant")
    answers = {
        question: item["answer"] for item in inline_card(entry)["faq"] for question in item["questions"]
    }
    for must_ask in entry.persona.must_ask:
        for question in must_ask.ask:
            assert question in answers
    again = "Will they take it again next month? I've only got the pension."
    assert "block this charge" in answers[again]


def test_the_pipecat_agent_plays_every_english_entry_to_its_end(entries: list[Entry]) -> None:
    """A person who only ever says "okay" is led through the whole procedure, and told goodbye."""
    english = [entry for entry in entries if entry.scenario.language == "en"]
    assert len(english) == 150
    for entry in english:
        data = told_to_agent(entry)
        assert len(json.dumps(data)) < MAX_BODY_BYTES / 2
        brain = CardBrain(read_inline_task(data).card)
        said = [brain.open()]
        while not brain.is_over and len(said) < 60:
            said.append(brain.reply("Okay, I see."))
        assert brain.is_over, entry.id
        assert said[0] == entry.card.opening
        assert said[-1].lower().count("goodbye") >= 1
        assert not any("goodbye" in text.lower() for text in said[:-1])


def test_it_answers_what_its_own_people_ask(entries: list[Entry]) -> None:
    """By the words of the question, also where a listener missed one in six of them."""
    asked = answered = 0
    for entry in entries:
        if entry.scenario.language != "en":
            continue
        task = read_inline_task(told_to_agent(entry))
        replies = {
            question: item["answer"] for item in inline_card(entry)["faq"] for question in item["questions"]
        }
        for must_ask in entry.persona.must_ask:
            question = must_ask.ask[0]
            if question not in replies:
                continue
            words = question.split()
            brain = CardBrain(task.card)
            brain.open()
            reply = brain.reply(" ".join(word for place, word in enumerate(words) if place % 6 != 4))
            asked += 1
            answered += reply.startswith(replies[question].split(". ")[0][:40])
    assert asked > 200
    assert answered / asked > 0.8
