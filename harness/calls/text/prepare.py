"""From a plan to the two sides of a dialogue in text: opens language models, makes policies and agents."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any, Self

from harness.calls.callers import caller_policy, check_understanding, person_of
from harness.calls.text.agents import TEXT_AGENTS, AgentSetup
from harness.calls.text.agents.base import TextAgent
from harness.calls.text.agents.human import Ask, HumanCaller, typed_line
from harness.calls.text.talk import Participants
from harness.errors import UserError
from harness.models.language.metered import Limits, MeteredModel, OnRetry, Retry
from harness.models.language.opening import open_language_model
from harness.models.language.prices import Price
from harness.models.language.usage import Ledger
from harness.plans.chat import ChatJob, ChatPlan
from harness.records.call import Side
from harness.records.dialogue import SideUsage
from harness.records.usage import side_usage
from harness.versions import library_versions
from voice_sim.caller.turn_taking import Patience
from voice_sim.person.manners import manners_of
from voice_sim.policies.base import Policy
from voice_sim.registry import MissingExtraError, Table, UnknownPartError

HUMAN = "human"
FIRST_SPEECH_S = 15.0


class ChatBuilder:
    """Makes the sides of dialogues; keeps language models open while in the ``async with`` block.

    Args:
        jobs: All dialogues that are to be held: what they name is opened before the first.
        limits: Of each language model.
        prices: By model name.
        ledger: Where all usage is booked.
        ask: What a person at the terminal is asked with.

    Raises (on entering): UserError for a name that is not to be had.
    """

    def __init__(
        self,
        jobs: Sequence[ChatJob],
        *,
        limits: Limits | None = None,
        prices: Mapping[str, Price] | None = None,
        ledger: Ledger | None = None,
        ask: Ask = typed_line,
    ) -> None:
        self._plans = [job.plan for job in jobs]
        self._limits = limits or Limits()
        self._prices = prices or {}
        self._ledger = ledger or Ledger(self._limits.run)
        self._ask = ask
        self._stack = AsyncExitStack()
        self._models: dict[str, MeteredModel] = {}

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            for name in sorted({plan.agent for plan in self._plans}):
                _part(TEXT_AGENTS, name)
            for name in sorted({plan.policy for plan in self._plans} - {HUMAN}):
                caller_policy(name)
            for understanding in {plan.understanding for plan in self._plans}:
                check_understanding(understanding)
            wanted = {name for plan in self._plans for name in (plan.model, plan.caller_model) if name}
            for name in sorted(wanted):
                opened = open_language_model(
                    name, limits=self._limits, price=self._prices.get(name), ledger=self._ledger
                )
                self._models[name] = await stack.enter_async_context(opened)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    @property
    def usage(self) -> SideUsage:
        """Of all dialogues so far."""
        return side_usage(self._ledger.usage)

    def versions(self) -> dict[str, str]:
        return library_versions()

    def sides(self, job: ChatJob) -> Participants:
        """Both sides of one dialogue.

        Raises:
            UserError: A name stands for nothing, or a side cannot be made for this entry.
        """
        plan = job.plan
        sides = _Sides(plan, self._models)
        return Participants(
            policy=self._policy(plan, sides),
            patience=_patience(plan),
            agent=self._agent(job, sides),
            agent_usage=lambda: sides.usage("agent"),
            caller_usage=lambda: sides.usage("caller"),
            people=HUMAN in (plan.policy, plan.agent),
            happened=sides.happened,
        )

    def _policy(self, plan: ChatPlan, sides: _Sides) -> Policy:
        if plan.policy == HUMAN:
            return HumanCaller(ask=self._ask)
        return person_of(
            plan.policy,
            persona=plan.task.persona,
            seed=plan.seed,
            understanding=plan.understanding,
            model=sides.model("caller", plan.caller_model) if plan.caller_model else None,
        )

    def _agent(self, job: ChatJob, sides: _Sides) -> TextAgent:
        plan = job.plan
        agent: TextAgent = _part(TEXT_AGENTS, plan.agent)(
            AgentSetup(
                name=plan.agent,
                entry=job.entry,
                seed=plan.seed,
                model=sides.model("agent", plan.model) if plan.model else None,
                model_name=plan.model,
                temperature=plan.temperature,
                ask=self._ask,
            )
        )
        return agent


class _Sides:
    """The language models of one dialogue: each side with a ledger of its own, retries in its timeline."""

    def __init__(self, plan: ChatPlan, opened: Mapping[str, MeteredModel]) -> None:
        self.happened: deque[tuple[Side, str, dict[str, Any]]] = deque()
        self._plan = plan
        self._opened = opened
        self._own: dict[Side, MeteredModel] = {}

    def model(self, side: Side, name: str) -> MeteredModel:
        label = f"{self._plan.dialogue_id}/{side}"
        self._own[side] = self._opened[name].for_dialogue(label, on_retry=self._noting(side))
        return self._own[side]

    def usage(self, side: Side) -> SideUsage:
        return side_usage(self._own[side].usage) if side in self._own else SideUsage()

    def _noting(self, side: Side) -> OnRetry:
        def note(retry: Retry) -> None:
            about = {"attempt": retry.attempt, "kind": retry.kind, "reason": retry.reason}
            self.happened.append((side, "retry", {**about, "wait_s": round(retry.wait_s, 3)}))

        return note


def _patience(plan: ChatPlan) -> Patience:
    """The person's own, with the agent's first words awaited as long as in a call."""
    person = plan.task.persona
    manners = manners_of(person.archetype, person.manner)
    return manners.patience(call_s=plan.limits.call_s, first_speech_s=FIRST_SPEECH_S)


def _part(table: Table, name: str) -> Any:
    try:
        return table.load(name)
    except (UnknownPartError, MissingExtraError) as error:
        raise UserError(str(error)) from error
