"""Who plays the caller: from a call plan to its policy and its patience."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any

from harness.errors import UserError
from harness.plan import CallPlan
from voice_sim.policies.base import Policy
from voice_sim.policies.script import ScriptPolicy
from voice_sim.registry import MissingExtraError, Part, Table, UnknownPartError
from voice_sim.turn_taking import Patience

POLICIES = Table(
    kind="caller policy",
    group="outboundeval.policies",
    parts={
        "agenda": Part(target="voice_sim.policies.agenda:AgendaPolicy"),
        "llm": Part(target="voice_sim.policies.llm:LLMPolicy"),
    },
)
"""What plays a persona; each is made from ``persona`` and ``seed``, the ``llm`` one also from ``model``."""

_MODEL_ACCESS = Table(
    kind="language models",
    group="outboundeval.language_models",
    parts={
        "check": Part(target="harness.language_models:check_language_model"),
        "open": Part(target="harness.language_models:open_language_model"),
    },
)
"""Loaded for the calls that need them: they bring a second of imports."""


def policy_of(plan: CallPlan, *, model: Any = None) -> Policy:
    """What decides what the caller says.

    Args:
        model: The opened language model (``pydantic_ai.models.Model``), for the policy ``llm``.

    Raises:
        UserError: The policy is not to be had.
    """
    if plan.script is not None:
        return ScriptPolicy(plan.script)
    assert plan.task is not None, "a plan without a script has a task"
    made_from: dict[str, Any] = {"persona": plan.task.persona, "seed": plan.seed}
    if plan.language_model is not None:
        made_from["model"] = model
    try:
        policy: Policy = POLICIES.load(plan.policy)(**made_from)
    except (UnknownPartError, MissingExtraError) as error:
        raise UserError(f"call {plan.call_id}: {error}") from error
    return policy


def check_language_model(name: str) -> None:
    """Whether a language model can be opened, as far as that can be told without the network.

    Raises:
        UserError: It cannot.
    """
    _MODEL_ACCESS.load("check")(name)


def open_language_model(name: str) -> AbstractAsyncContextManager[Any]:
    """The ``MeteredModel`` of that name while in the ``async with`` block.

    Raises (on entering): UserError as for :func:`check_language_model`, and where its server does not answer.
    """
    opened: AbstractAsyncContextManager[Any] = _MODEL_ACCESS.load("open")(name)
    return opened


def patience_of(plan: CallPlan) -> Patience:
    """How long the caller waits."""
    limits = plan.limits
    return Patience(
        first_speech_s=limits.first_speech_s,
        silence_s=limits.silence_s,
        call_s=limits.call_s,
        prompt_s=limits.prompt_s,
    )
