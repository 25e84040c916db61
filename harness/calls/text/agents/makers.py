"""One function for each agent of our own: from its setup to the agent."""

from __future__ import annotations

from harness.calls.text.agents import FAULTY, AgentSetup
from harness.calls.text.agents.faulty import FaultyAgent
from harness.calls.text.agents.human import HumanAgent
from harness.calls.text.agents.llm import LlmAgent
from harness.calls.text.agents.sop import SopAgent
from harness.errors import UserError


def sop(setup: AgentSetup) -> SopAgent:
    """Follows the card by rule, without a language model."""
    return SopAgent(setup.entry)


def llm(setup: AgentSetup) -> LlmAgent:
    """A language model that plays the card."""
    if setup.model is None:
        raise UserError(
            "--agent llm needs a language model: give --model NAME, for instance --model openai:gpt-4.1"
        )
    return LlmAgent(
        model=setup.model,
        name=setup.model_name,
        prompt=setup.entry.prompt(),
        language=setup.entry.scenario.language,
        temperature=setup.temperature,
        seed=setup.seed,
    )


def human(setup: AgentSetup) -> HumanAgent:
    """The person at the terminal."""
    return HumanAgent(ask=setup.ask)


def faulty(setup: AgentSetup) -> FaultyAgent:
    """Does its job badly in the way that its name says."""
    return FaultyAgent(entry=setup.entry, fault=setup.name.removeprefix(FAULTY))
