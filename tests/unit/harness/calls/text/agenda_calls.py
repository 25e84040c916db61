"""Calls in text between the agenda caller and scripted agents, with what a table about them needs."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from functools import cache

from harness.calls.text.agents.base import TextAgent
from harness.calls.text.agents.sop import SopAgent
from harness.calls.text.converse import converse
from harness.calls.text.talk import Participants
from harness.plans.benchmark import text_units
from harness.plans.call import CallPlan, Limits
from harness.records.call import CallRecord
from harness.scenarios.folders import load_library
from harness.scenarios.scenario import Entry
from voice_sim.person.manners import manners_of
from voice_sim.policies.agenda import AgendaPolicy
from voice_sim.policies.agenda.course.state import State
from voice_sim.policies.base import Heard, Said

TURNS_OF_BOTH = 200
"""Far beyond what any caller bears: a call that comes here is endless."""


@dataclass(frozen=True, kw_only=True)
class AgendaCall:
    """One call, and where it left the caller."""

    entry: Entry
    agent: TextAgent
    record: CallRecord
    state: State

    @property
    def winnable(self) -> bool:
        """Whether the person could be won, as it was drawn."""
        return self.record.plan.task is None or self.record.plan.task.winnable

    @property
    def lines(self) -> list[str]:
        """What the caller said."""
        return [turn.text for turn in self.record.turns if turn.speaker == "caller"]

    @property
    def why(self) -> list[str]:
        return [turn.why for turn in self.record.turns if turn.speaker == "caller"]

    @property
    def words_per_turn(self) -> float:
        """Words; of Chinese, characters."""
        english = self.entry.persona.language == "en"
        return sum(len(line.split()) if english else len(line) for line in self.lines) / len(self.lines)

    @property
    def asked(self) -> float:
        """Share of the must-asks that were asked."""
        questions = [question.id for question in self.entry.persona.must_ask]
        return sum(self.state.asked[question] > 0 for question in questions) / len(questions)

    @property
    def asked_or_told(self) -> float:
        """Share of the must-asks that were asked, or answered unasked."""
        questions = [question.id for question in self.entry.persona.must_ask]
        known = [self.state.asked[question] > 0 or question in self.state.told for question in questions]
        return sum(known) / len(questions)

    @property
    def most_often(self) -> int:
        """How often the caller said what it said most often."""
        return max(Counter(self.lines).values())

    def text(self) -> str:
        """The call, to be read."""
        turns = self.record.turns
        said = [f"{turn.speaker:>6}: {turn.text}" + (f"  [{turn.why}]" * bool(turn.why)) for turn in turns]
        return "\n".join([f"{self.entry.id}: {self.record.end_reason}", *said])


@cache
def entries() -> tuple[Entry, ...]:
    """All that come along, English first."""
    found = [entry for scenario in load_library() for entry in scenario.entries()]
    return tuple(sorted(found, key=lambda entry: entry.persona.language))


@cache
def sop_call(entry_id: str, seed: int = 1) -> AgendaCall:
    """The caller of an entry with an agent that follows its card."""
    entry = next(entry for entry in entries() if entry.id == entry_id)
    return hold(entry, SopAgent(entry), seed=seed)


def hold(entry: Entry, agent: TextAgent, *, seed: int = 1) -> AgendaCall:
    """One call to its end."""
    plan = _plan(entry, seed)
    assert plan.task is not None
    persona = plan.task.persona
    policy = AgendaPolicy(persona=persona, seed=seed)
    patience = manners_of(persona.archetype, persona.manner).patience(call_s=3600.0, first_speech_s=15.0)
    sides = Participants(policy=policy, patience=patience, agent=agent)
    record = asyncio.run(converse(plan, sides)).record
    dialogue = [
        Heard(onset_s=turn.start_s, end_s=turn.end_s, text=turn.text)
        if turn.speaker == "agent"
        else Said(text=turn.text, kind="turn", end_s=turn.end_s)
        for turn in record.turns
    ]
    return AgendaCall(entry=entry, agent=agent, record=record, state=policy.state(dialogue))


def _plan(entry: Entry, seed: int) -> CallPlan:
    limits = Limits(turns=TURNS_OF_BOTH, call_s=3600.0)
    return text_units([entry], policy="agenda", agent="sop", limits=limits, seed=seed)[0].plan
