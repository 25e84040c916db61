"""What a call is about: an entry of the benchmark, resolved and self-contained.

It travels in the plan, so that whoever has the plan (another machine, next month's ``score``) needs no
scenario files.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from harness.scenarios.scenario import Entry, KeyValue
from metrics.dialogue.task_flow import TaskFlow
from voice_sim.person.persona import Persona


class TaskPlan(BaseModel):
    """One entry: who calls about what, who answers, and what the call will be judged by.

    Attributes:
        entry: Id, for instance ``cs-bank-complaint/hesitant``.
        domain, sub_scenario: As in Tables 8-13.
        agent_prompt: Everything that the agent was given; what it says beyond it is invented (Table 22).
        flow: Nodes of the task (section 5.1.2), placeholders filled in.
        persona: The person who answers.
        proper_nouns, key_values: What has to be recognised and pronounced right.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    entry: str
    domain: str
    sub_scenario: str
    title: str = ""
    language: Literal["en", "zh"]
    agent_prompt: str
    flow: TaskFlow
    persona: Persona
    proper_nouns: tuple[str, ...] = ()
    key_values: tuple[KeyValue, ...] = Field(default=())


def task_of(entry: Entry) -> TaskPlan:
    """The plan's part for an entry."""
    scenario = entry.scenario
    return TaskPlan(
        entry=entry.id,
        domain=scenario.domain,
        sub_scenario=scenario.sub_scenario,
        title=scenario.title,
        language=scenario.language,
        agent_prompt=entry.prompt(),
        flow=entry.flow,
        persona=entry.persona,
        proper_nouns=entry.proper_nouns,
        key_values=entry.key_values,
    )
