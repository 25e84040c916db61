"""Who is won by reasons, by pressing and by reading out; and that the same person of another type is not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from harness.calls.text.agents.base import TextAgent
from harness.plans.task import TaskPlan
from harness.scenarios.scenario import Entry
from metrics.dialogue.rules.nodes import judge_nodes
from metrics.dialogue.task_flow import FlowNode
from metrics.dialogue.verdict_checks import checked_nodes
from metrics.dialogue.verdicts import NodeVerdict
from spoken_language.dialogue import Dialogue, DialogueTurn
from tests.unit.harness.calls.text.agenda_calls import AgendaCall, entries, hold
from tests.unit.harness.calls.text.winning_agents import reader, winner
from voice_sim.person.archetypes import Archetype

HARD = (Archetype.HESITANT, Archetype.RESISTANT)
AGENTS: dict[str, Callable[[Entry], TextAgent]] = {
    "wins": winner,
    "pushes": lambda entry: winner(entry, pushes=True),
    "reads out": reader,
}


@cache
def call(entry_id: str, agent: str) -> AgendaCall:
    entry = next(entry for entry in entries() if entry.id == entry_id)
    return hold(entry, AGENTS[agent](entry))


def calls(agent: str, types: tuple[Archetype, ...], *, winnable: bool, every: int) -> list[AgendaCall]:
    own = [entry for entry in entries() if entry.persona.archetype in types][::every]
    found = [call(entry.id, agent) for entry in own]
    return [one for one in found if task(one).winnable is winnable]


def task(one: AgendaCall) -> TaskPlan:
    assert one.record.plan.task is not None
    return one.record.plan.task


def share_won(found: list[AgendaCall]) -> float:
    return sum(one.record.end_reason == "satisfied" for one in found) / len(found)


def nodes_of(one: AgendaCall) -> list[tuple[FlowNode, NodeVerdict]]:
    """Every node with its verdict by the rules."""
    turns = [DialogueTurn(speaker=turn.speaker, text=turn.text) for turn in one.record.turns]
    dialogue, flow = Dialogue(turns=tuple(turns)), task(one).flow
    verdicts = judge_nodes(dialogue, flow, task(one).agent_prompt)
    return list(zip(flow.nodes, checked_nodes(dialogue, flow, verdicts), strict=True))


def check_shares(every: int) -> None:
    won = {agent: share_won(calls(agent, HARD, winnable=True, every=every)) for agent in AGENTS}
    print("\nshare won of the hesitant and resistant who can be won: " + str(won))
    assert won["wins"] >= 0.9
    assert won["pushes"] <= won["wins"] / 2
    assert won["reads out"] <= won["wins"] / 2


def test_reasons_win_and_pressing_and_reading_out_win_less_than_half_as_many() -> None:
    check_shares(every=5)


@pytest.mark.long
def test_the_same_over_all_of_them() -> None:
    check_shares(every=1)


def test_nobody_wins_those_who_cannot_be_won_and_respecting_their_no_is_what_counts() -> None:
    lost = calls("wins", (Archetype.RESISTANT,), winnable=False, every=3)
    assert len(lost) >= 4
    assert {one.record.end_reason for one in lost} == {"declined"}
    assert {one.record.end_reason for one in calls("pushes", HARD, winnable=False, every=3)} <= {
        "declined",
        "refused",
    }
    for one in lost:
        for node, verdict in nodes_of(one):
            assert not node.needs_yes or verdict.outcome == "not_applicable"
            assert node.key or not node.instead_when_declined
    pressed = calls("pushes", (Archetype.RESISTANT,), winnable=False, every=3)
    print(
        f"their no is seen to be respected in {respected(lost)} by reasons, {respected(pressed)} by pressing"
    )
    assert respected(lost) >= 0.8
    assert respected(pressed) <= respected(lost) / 2


def respected(found: list[AgendaCall]) -> float:
    """The share of calls in which the node that stands for a yes is achieved."""
    outcomes = [
        verdict.outcome for one in found for node, verdict in nodes_of(one) if node.instead_when_declined
    ]
    return outcomes.count("achieved") / len(outcomes)


def test_the_same_person_of_another_type_takes_another_course() -> None:
    """Of people who can be won, with the agent that gives reasons: turns and refusals by type."""
    rows: dict[Archetype, list[AgendaCall]] = {}
    for entry in [one for one in entries() if one.persona.archetype is Archetype.COOPERATIVE][::5]:
        for archetype in (Archetype.COOPERATIVE, *HARD):
            persona = entry.persona.model_copy(update={"archetype": archetype})
            swapped = replace(entry, callee=entry.callee.model_copy(update={"persona": persona}))
            rows.setdefault(archetype, []).append(hold(swapped, winner(swapped, pushes=True)))
    won = {archetype: share_won(found) for archetype, found in rows.items()}
    print(won)
    assert won[Archetype.COOPERATIVE] - won[Archetype.RESISTANT] > 0.4
    assert won[Archetype.COOPERATIVE] - won[Archetype.HESITANT] > 0.2
