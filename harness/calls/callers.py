"""Who plays the caller: from a call plan to its policy and its patience."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from functools import cache
from typing import Any

from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.plans.understanding import Understanding
from voice_sim.caller.turn_taking import Patience
from voice_sim.person.persona import Persona
from voice_sim.policies.apart import DecidesApart
from voice_sim.policies.base import Policy
from voice_sim.policies.script import ScriptPolicy
from voice_sim.registry import MissingExtraError, Part, Table, UnknownPartError
from voice_sim.understanding.e5 import E5Encoder, MissingModelError
from voice_sim.understanding.meaning import NearestMeaning

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
        "check": Part(target="harness.models.language:check_language_model"),
        "open": Part(target="harness.models.language:open_caller_model"),
    },
)
"""Loaded for the calls that need them: they bring a second of imports."""


def policy_of(plan: CallPlan, *, model: Any = None) -> Policy:
    """What decides what the caller says in a call by voice; asks long questions away from the media.

    Args:
        model: The opened language model (``pydantic_ai.models.Model``), for the policy ``llm``.

    Raises:
        UserError: The policy is not to be had.
    """
    if plan.script is not None:
        return ScriptPolicy(plan.script)
    assert plan.task is not None, "a plan without a script has a task"
    try:
        policy = person_of(
            plan.policy,
            persona=plan.task.persona,
            seed=plan.seed,
            understanding=plan.understanding,
            model=model if plan.language_model is not None else None,
        )
    except UserError as error:
        raise UserError(f"call {plan.call_id}: {error}") from error
    return DecidesApart(policy) if plan.understanding == "meaning" else policy


def person_of(
    name: str, *, persona: Persona, seed: int, understanding: Understanding = "words", model: Any = None
) -> Policy:
    """What plays a persona, in a call or in text.

    Args:
        name: Of :data:`POLICIES`.
        understanding: By ``meaning``, its model is loaded now, and has read the persona.
        model: The language model, for those that have one.

    Raises:
        UserError: There is no such policy, or a package that it needs is not installed.
    """
    made_from: dict[str, Any] = {"persona": persona, "seed": seed}
    if model is not None:
        made_from["model"] = model
    if understanding == "meaning":
        check_understanding(understanding)
        made_from["meaning"] = _meaning()
    policy: Policy = caller_policy(name)(**made_from)
    return policy


def caller_policy(name: str) -> Any:
    """The class of a policy that plays a persona.

    Raises:
        UserError: There is none of that name.
    """
    try:
        return POLICIES.load(name)
    except (UnknownPartError, MissingExtraError) as error:
        raise UserError(str(error)) from error


def check_understanding(understanding: Understanding) -> None:
    """Whether a caller can understand in this way here. Loads nothing.

    Raises:
        UserError: A package is missing; the message names the extra that brings it.
    """
    if understanding == "meaning":
        try:
            E5Encoder.check()
        except MissingModelError as error:
            raise UserError(str(error)) from error


@cache
def _meaning() -> NearestMeaning:
    """One for all callers of the process: the model is 90 MB."""
    return NearestMeaning(E5Encoder())


def check_language_model(name: str) -> None:
    """Whether a language model can be opened, as far as that can be told without the network.

    Raises:
        UserError: It cannot.
    """
    _MODEL_ACCESS.load("check")(name)


def open_caller_model(name: str) -> AbstractAsyncContextManager[Any]:
    """The ``MeteredModel`` of that name while in the ``async with`` block, to play callers by voice.

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
