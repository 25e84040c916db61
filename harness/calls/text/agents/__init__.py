"""Agents that are talked to in text: what plays the agent card in ``chat``.

Each is made from an :class:`AgentSetup`. A new one is a file here and a line in the table, or an entry point
of the group ``outboundeval.text_agents`` in another package.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.scenarios.scenario import Entry
from voice_sim.registry import Part, Table

if TYPE_CHECKING:
    from pydantic_ai.models import Model


@dataclass(frozen=True, kw_only=True)
class AgentSetup:
    """What an agent is made from.

    Attributes:
        name: Of the agent in the table.
        entry: Card, flow and person; ``entry.prompt()`` is all that a language model may know.
        model: The language model, where one was named; None otherwise.
        model_name: As it was named.
        temperature: Of the language model; None: its provider's default.
        ask: What a person at the terminal is asked with.
    """

    name: str
    entry: Entry
    seed: int = 0
    model: Model | None = None
    model_name: str = ""
    temperature: float | None = 0.0
    ask: Callable[[str], str] = input


FAULTY = "faulty-"
_FAULTS = (
    "stalls",
    "keeps_waiting",
    "loops",
    "ignores_questions",
    "digresses",
    "insults",
    "talks_nonsense",
)

TEXT_AGENTS = Table(
    kind="text agent",
    group="outboundeval.text_agents",
    parts={
        "sop": Part(target="harness.calls.text.agents.makers:sop"),
        "llm": Part(target="harness.calls.text.agents.makers:llm"),
        "human": Part(target="harness.calls.text.agents.makers:human"),
        **{f"{FAULTY}{fault}": Part(target="harness.calls.text.agents.makers:faulty") for fault in _FAULTS},
    },
)
"""Name -> what makes the agent from its setup."""
