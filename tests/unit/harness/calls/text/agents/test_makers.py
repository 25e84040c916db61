"""Every agent of the table can be made, and is what its name says."""

from __future__ import annotations

import asyncio

import pytest
from pydantic_ai.models.test import TestModel

from harness.calls.text.agents import FAULTY, TEXT_AGENTS, AgentSetup
from harness.calls.text.agents.base import TextAgent
from harness.calls.text.agents.faulty import FAULTS
from harness.errors import UserError
from tests.unit.harness.stand_ins.chatting import entry


def _made(name: str, **setup: object) -> TextAgent:
    agent: TextAgent = TEXT_AGENTS.load(name)(AgentSetup(name=name, entry=entry(), **setup))  # type: ignore[arg-type]
    return agent


def test_every_way_of_going_wrong_is_in_the_table() -> None:
    named = {name.removeprefix(FAULTY) for name in TEXT_AGENTS.names() if name.startswith(FAULTY)}
    assert named == set(FAULTS)


@pytest.mark.parametrize("name", [name for name in TEXT_AGENTS.names() if name not in ("llm", "human")])
def test_an_agent_by_rule_opens_the_call(name: str) -> None:
    reply = asyncio.run(_made(name).reply([]))
    assert "Changjiang Bank" in reply.text
    assert not reply.hangs_up


def test_a_language_model_gets_the_card_of_the_entry() -> None:
    agent = _made("llm", model=TestModel(custom_output_text="Hello."), model_name="test:model")
    assert agent.name == "test:model"
    assert asyncio.run(agent.reply([])).text == "Hello."
    assert getattr(agent, "prompt", None) == entry().prompt()


def test_a_language_model_has_to_be_named() -> None:
    with pytest.raises(UserError, match="give --model NAME"):
        _made("llm")


def test_a_person_is_asked() -> None:
    assert asyncio.run(_made("human", ask=lambda prompt: "Good day.").reply([])).text == "Good day."
