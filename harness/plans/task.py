"""What a call is about: an entry of the benchmark, resolved and self-contained.

It travels in the plan, so that whoever has the plan (another machine, next month's ``score``) needs no
scenario files.
"""

from __future__ import annotations

from random import Random
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from harness.scenarios.person_called import person_called
from harness.scenarios.scenario import Entry, KeyValue
from metrics.dialogue.task_flow import TaskFlow, flow_without_yes
from voice_sim.person.persona import Persona


class TaskPlan(BaseModel):
    """One entry: who calls about what, who answers, and what the call will be judged by.

    Attributes:
        entry: Id, for instance ``cs-bank-complaint/hesitant``.
        domain, sub_scenario: As in Tables 8-13.
        agent_prompt: Everything that the agent was given; what it says beyond it is invented (Table 22).
        flow: Nodes of the task (section 5.1.2), placeholders filled in.
        persona: The person who answers.
        winnable: Whether this person can be won; where only a chance was known, it has been drawn. False: the
            flow is that of a call whose right end is a courteous close.
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
    winnable: bool = True
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
        persona=person_called(entry),
        proper_nouns=entry.proper_nouns,
        key_values=entry.key_values,
    )


def settled(task: TaskPlan, *, seed: int) -> TaskPlan:
    """The task with it settled whether the person can be won, as their card says.

    Args:
        seed: Of the call: a chance is drawn from it, so that all agents meet the same person.
    """
    will = task.persona.willingness
    draws = Random(f"{seed}|winnable").random() if will.wins == "chance" else 0.0
    winnable = will.wins == "always" or (will.wins == "chance" and draws < will.chance)
    wins = "always" if winnable else "never"
    persona = task.persona
    if will.wins != wins:
        persona = persona.model_copy(update={"willingness": will.model_copy(update={"wins": wins})})
    flow = task.flow if winnable else flow_without_yes(task.flow)
    return task.model_copy(update={"persona": persona, "winnable": winnable, "flow": flow})
