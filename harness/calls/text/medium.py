"""Conversations in text: opens language models, makes policies and agents, and lets both sides talk."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, Self

from harness.calls.callers import caller_policy, patience_of, person_of
from harness.calls.conversation import Held, Watcher
from harness.calls.text.agents import TEXT_AGENTS, AgentSetup
from harness.calls.text.agents.base import TextAgent
from harness.calls.text.agents.human import Ask, HumanCaller, typed_line
from harness.calls.text.converse import converse
from harness.calls.text.talk import Participants
from harness.errors import UserError
from harness.models.language.metered import Limits, MeteredModel, OnRetry, Retry
from harness.models.language.opening import open_language_model
from harness.models.language.prices import Price
from harness.models.language.usage import Ledger
from harness.plans.call import CallPlan
from harness.plans.understanding_here import check_understanding
from harness.plans.unit import Unit
from harness.records.call import Event, Side
from harness.records.usage import SideUsage, side_usage
from harness.versions import library_versions
from voice_sim.policies.base import Policy
from voice_sim.registry import MissingExtraError, Table, UnknownPartError

HUMAN = "human"


class TextMedium:
    """Makes the sides of dialogues; keeps language models open while in the ``async with`` block.

    Args:
        units: All that are to be held: what they name is opened before the first.
        limits: Of each language model.
        prices: By model name.
        ledger: Where all usage is booked.
        ask: What a person at the terminal is asked with.

    Raises (on entering): UserError for a name that is not to be had.
    """

    def __init__(
        self,
        units: Sequence[Unit],
        *,
        limits: Limits | None = None,
        prices: Mapping[str, Price] | None = None,
        ledger: Ledger | None = None,
        ask: Ask = typed_line,
    ) -> None:
        self._plans = [unit.plan for unit in units]
        self._limits = limits or Limits()
        self._prices = prices or {}
        self._ledger = ledger or Ledger(self._limits.run)
        self._ask = ask
        self._stack = AsyncExitStack()
        self._models: dict[str, MeteredModel] = {}

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            wanted = {
                name for plan in self._plans for name in (plan.agent_model, plan.language_model) if name
            }
            for name in sorted(wanted):
                opened = open_language_model(
                    name, limits=self._limits, price=self._prices.get(name), ledger=self._ledger
                )
                self._models[name] = await stack.enter_async_context(opened)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    def check(self, unit: Unit) -> None:
        _part(TEXT_AGENTS, unit.plan.agent)
        if unit.plan.policy != HUMAN:
            caller_policy(unit.plan.policy)
        check_understanding(unit.plan.understanding, unit.plan.language)

    async def prepare(self, unit: Unit, watcher: Watcher) -> TextConversation:
        """Both sides of one dialogue.

        Raises:
            UserError: A name stands for nothing, or a side cannot be made for this entry.
        """
        return TextConversation(
            plan=unit.plan,
            sides=self.sides(unit),
            on_event=lambda event: watcher.on_event(unit.plan, event),
            versions=self.versions(),
        )

    @property
    def usage(self) -> SideUsage:
        """Of all dialogues so far."""
        return side_usage(self._ledger.usage)

    def versions(self) -> dict[str, str]:
        return library_versions()

    def sides(self, unit: Unit) -> Participants:
        """Both sides of one dialogue.

        Raises:
            UserError: A name stands for nothing, or a side cannot be made for this entry.
        """
        plan = unit.plan
        sides = _Sides(plan, self._models)
        return Participants(
            policy=self._policy(plan, sides),
            patience=patience_of(plan),
            agent=self._agent(unit, sides),
            agent_usage=lambda: sides.usage("agent"),
            caller_usage=lambda: sides.usage("caller"),
            people=HUMAN in (plan.policy, plan.agent),
            happened=sides.happened,
        )

    def _policy(self, plan: CallPlan, sides: _Sides) -> Policy:
        if plan.policy == HUMAN:
            return HumanCaller(ask=self._ask)
        return person_of(
            plan.policy,
            persona=plan.about.persona,
            seed=plan.seed,
            understanding=plan.understanding,
            model=sides.model("caller", plan.language_model) if plan.language_model else None,
        )

    def _agent(self, unit: Unit, sides: _Sides) -> TextAgent:
        plan = unit.plan
        if unit.entry is None:
            raise UserError(f"{plan.call_id}: an agent in text needs the entry whose card it plays")
        agent: TextAgent = _part(TEXT_AGENTS, plan.agent)(
            AgentSetup(
                name=plan.agent,
                entry=unit.entry,
                seed=plan.seed,
                model=sides.model("agent", plan.agent_model) if plan.agent_model else None,
                model_name=plan.agent_model,
                temperature=plan.temperature,
                ask=self._ask,
            )
        )
        return agent


@dataclass(frozen=True, kw_only=True)
class TextConversation:
    """A dialogue whose two sides stand ready."""

    plan: CallPlan
    sides: Participants
    on_event: Callable[[Event], None] = lambda event: None
    versions: dict[str, str] = field(default_factory=dict)

    async def hold(self) -> Held:
        return await converse(self.plan, self.sides, on_event=self.on_event, versions=self.versions)


class _Sides:
    """The language models of one dialogue: each side with a ledger of its own, retries in its timeline."""

    def __init__(self, plan: CallPlan, opened: Mapping[str, MeteredModel]) -> None:
        self.happened: deque[tuple[Side, str, dict[str, Any]]] = deque()
        self._plan = plan
        self._opened = opened
        self._own: dict[Side, MeteredModel] = {}

    def model(self, side: Side, name: str) -> MeteredModel:
        label = f"{self._plan.call_id}/{side}"
        self._own[side] = self._opened[name].for_dialogue(label, on_retry=self._noting(side))
        return self._own[side]

    def usage(self, side: Side) -> SideUsage:
        return side_usage(self._own[side].usage) if side in self._own else SideUsage()

    def _noting(self, side: Side) -> OnRetry:
        def note(retry: Retry) -> None:
            about = {"attempt": retry.attempt, "kind": retry.kind, "reason": retry.reason}
            self.happened.append((side, "retry", {**about, "wait_s": round(retry.wait_s, 3)}))

        return note


def _part(table: Table, name: str) -> Any:
    try:
        return table.load(name)
    except (UnknownPartError, MissingExtraError) as error:
        raise UserError(str(error)) from error
