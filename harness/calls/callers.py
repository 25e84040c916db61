"""Who plays the caller: from a call plan to its policy and its patience."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from functools import cache
from typing import Any

from harness.errors import UserError
from harness.paths import vectors_file
from harness.plans.call import CallPlan
from harness.plans.understanding import BY_WORDS
from harness.plans.understanding_here import check_understanding
from voice_sim.caller.turn_taking import Patience
from voice_sim.person.persona import Persona
from voice_sim.policies.agenda.beside import UnderstandsBeside
from voice_sim.policies.base import Policy
from voice_sim.policies.script import ScriptPolicy
from voice_sim.registry import MissingExtraError, Part, Table, UnknownPartError
from voice_sim.understanding.encoders.base import SentenceEncoder, Vectors
from voice_sim.understanding.encoders.e5 import E5Encoder
from voice_sim.understanding.examples.answered import Answered
from voice_sim.understanding.examples.understander import Understander, UnderstandsByExamples, lines_of
from voice_sim.understanding.examples.weights import weights_for
from voice_sim.understanding.vectors import VectorCache

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
    """What decides what the caller says in a call by voice. One who understands by examples is an
    :class:`UnderstandsBeside`, and has to be told before the call whom to ask.

    Args:
        model: The opened language model (``pydantic_ai.models.Model``), for the policy ``llm``.

    Raises:
        UserError: The policy is not to be had.
    """
    if plan.script is not None:
        return ScriptPolicy(plan.script)
    assert plan.task is not None, "a plan without a script has a task"
    persona, by_examples = plan.task.persona, plan.understanding != BY_WORDS
    answered = Answered(weights_for(persona.language)) if by_examples else None
    try:
        policy = person_of(
            plan.policy,
            persona=persona,
            seed=plan.seed,
            understanding=plan.understanding,
            understander=answered,
            model=model if plan.language_model is not None else None,
        )
    except UserError as error:
        raise UserError(f"call {plan.call_id}: {error}") from error
    return policy if answered is None else UnderstandsBeside(policy, answered, language=persona.language)


def person_of(
    name: str,
    *,
    persona: Persona,
    seed: int,
    understanding: str = BY_WORDS,
    understander: Understander | None = None,
    model: Any = None,
) -> Policy:
    """What plays a persona, in a call or in text.

    Args:
        name: Of :data:`POLICIES`.
        understanding: How.
        understander: Tells by examples what words mean; None: in this process, where the encoder is loaded
            now and reads the persona's.
        model: The language model, for those that have one.

    Raises:
        UserError: There is no such policy, or a package that it needs is not installed.
    """
    made_from: dict[str, Any] = {"persona": persona, "seed": seed}
    if model is not None:
        made_from["model"] = model
    if understanding != BY_WORDS:
        check_understanding(understanding, persona.language)
        made_from["understander"] = understander or _understander(persona)
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


def read_examples(persona: Persona) -> dict[str, Vectors]:
    """The vectors of a person's example lines; kept, so that they are worked out once.

    Raises:
        MissingEncoderError: The encoder is not installed.
    """
    return VectorCache(vectors_file()).encode(lines_of(persona), _encoder())


def _understander(persona: Persona) -> UnderstandsByExamples:
    return UnderstandsByExamples(persona, _encoder(), vectors=read_examples(persona))


@cache
def _encoder() -> SentenceEncoder:
    """One for all callers of the process: the model is 90 MB."""
    return E5Encoder()


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
