"""Scripted callers and agents for dialogues in text. Each keeps what it was asked with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from harness.calls.conversation import Held
from harness.calls.text.agents.base import AgentReply
from harness.calls.text.converse import converse
from harness.calls.text.talk import Participants
from harness.plans.benchmark import text_units
from harness.plans.call import CallPlan, Limits
from harness.plans.unit import Unit
from harness.records.call import Event
from harness.records.usage import SideUsage
from harness.scenarios.folders import load_entry, load_library
from harness.scenarios.scenario import Entry, Scenario
from spoken_language.dialogue import DialogueTurn
from voice_sim.caller.turn_taking import Patience
from voice_sim.policies.base import THINKING, Decision, Dialogue, Leave, Line, Said

ENTRY = "cs-bank-complaint/hesitant"


@cache
def entry(entry_id: str = ENTRY) -> Entry:
    return load_entry(entry_id)


def library(folders: Sequence[Path]) -> list[Scenario]:
    """``load_library``, read once for all tests."""
    return _library(tuple(folders))


@cache
def _library(folders: tuple[Path, ...]) -> list[Scenario]:
    return load_library(folders)


def job(entry_id: str = ENTRY, **limits: Any) -> Unit:
    return text_units([entry(entry_id)], policy="agenda", agent="sop", limits=Limits(**limits))[0]


def plan(**limits: Any) -> CallPlan:
    return job(**limits).plan


class ScriptedAgent:
    """Gives its answers in turn: words, a whole reply, an error to raise, or something to await."""

    name = "scripted"

    def __init__(self, *answers: str | AgentReply | BaseException | Callable[[], Any]) -> None:
        self._answers = list(answers)
        self.asked: list[list[DialogueTurn]] = []

    async def reply(self, turns: Sequence[DialogueTurn]) -> AgentReply:
        self.asked.append(list(turns))
        answer = self._answers[min(len(self.asked), len(self._answers)) - 1]
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, str):
            return AgentReply(text=answer)
        if isinstance(answer, AgentReply):
            return answer
        return AgentReply(text=str(await answer()))


class ScriptedCaller:
    """Decides by how often it has spoken; beyond its last decision everything is said.

    ``thoughts`` has the parts (or the error) of the turns at which the decision is THINKING.
    """

    hears_words = True
    hang_up_after_s = 1.0

    def __init__(
        self,
        *decisions: Any,
        wait_for_greeting: bool = True,
        when_silent: Decision = None,
        thoughts: Sequence[Sequence[Line | Leave] | BaseException] = (),
    ) -> None:
        self._decisions = decisions
        self._wait_for_greeting = wait_for_greeting
        self._when_silent = when_silent
        self._thoughts = list(thoughts)
        self.dialogues: list[Dialogue] = []

    @property
    def wait_for_greeting(self) -> bool:
        return self._wait_for_greeting

    def prepared_lines(self) -> list[str]:
        return []

    def interruption(self, dialogue: Dialogue) -> Line | None:
        raise AssertionError("there are no interruptions in text")

    def next_line(self, dialogue: Dialogue) -> Any:
        self.dialogues.append(dialogue)
        spoken = sum(isinstance(turn, Said) for turn in dialogue)
        decision = self._decisions[spoken] if spoken < len(self._decisions) else None
        if isinstance(decision, BaseException):
            raise decision
        return Line(text=decision, pause_s=0.5) if isinstance(decision, str) else decision

    def when_silent(self, dialogue: Dialogue, *, times: int) -> Decision:
        return self._when_silent

    async def think(self, dialogue: Dialogue) -> AsyncIterator[Line | Leave]:
        thought = self._thoughts.pop(0)
        if isinstance(thought, BaseException):
            raise thought
        for part in thought:
            await asyncio.sleep(0)
            yield part


def sides(
    caller: Any,
    agent: Any,
    *,
    patience: Patience | None = None,
    agent_usage: Callable[[], SideUsage] = SideUsage,
) -> Participants:
    return Participants(
        policy=caller,
        patience=patience or Patience(call_s=900.0),
        agent=agent,
        agent_usage=agent_usage,
    )


def hold(
    caller: Any,
    agent: Any,
    *,
    patience: Patience | None = None,
    on_event: Callable[[Event], None] = lambda event: None,
    **limits: Any,
) -> Held:
    """Holds one dialogue to its end."""
    return asyncio.run(converse(plan(**limits), sides(caller, agent, patience=patience), on_event=on_event))


THINKS = THINKING
