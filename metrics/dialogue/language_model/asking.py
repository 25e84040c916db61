"""One question to a language model, answered in a schema, or the reason why not; kept for the next time."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_ai import Agent, NativeOutput, PromptedOutput
from pydantic_ai.exceptions import AgentRunError, ContentFilterError, UnexpectedModelBehavior
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from spoken_language.outside_text import harmless_content, one_line

A = TypeVar("A", bound=BaseModel)

RETRIES = 2
"""How often an answer that does not fit the schema is asked for again."""
_REASON_CHARS = 300
_CUT_OFF = "token limit"
"""In pydantic-ai's words for an answer that ``max_tokens`` ended before it was whole."""


class AnswerStore(Protocol):
    """Keeps answers, so that judging the same again is free. Keys are hexadecimal digests."""

    def get(self, key: str) -> str | None:
        """The kept answer as JSON; None if there is none."""
        ...

    def put(self, key: str, answer: str) -> None:
        """Keeps an answer."""
        ...


class NoStore:
    """Keeps nothing."""

    def get(self, key: str) -> str | None:
        return None

    def put(self, key: str, answer: str) -> None:
        return None


@dataclass(frozen=True, kw_only=True)
class Asked(Generic[A]):
    """An answer, or in words why there is none."""

    answer: A | None
    failure: str = ""


async def ask(
    model: Model,
    question: str,
    answer_type: type[A],
    *,
    instructions: str,
    max_tokens: int,
    key: str,
    store: AnswerStore,
    temperature: float = 0.0,
    seed: int | None = None,
) -> Asked[A]:
    """Asks a question. Only good answers are kept: a failure is asked again the next time.

    Args:
        answer_type: What the answer is parsed into; one that does not fit is asked for again, at most
            :data:`RETRIES` times.
        key: See :func:`answer_key`.
    """
    if (kept := store.get(key)) is not None:
        try:
            return Asked(answer=answer_type.model_validate_json(kept))
        except ValidationError:
            pass  # kept by another release, or damaged: asked again
    settings = ModelSettings(temperature=temperature, max_tokens=max_tokens)
    if seed is not None:
        settings["seed"] = seed
    # A schema that the provider itself enforces, where it can; else one that is asked for in words.
    native = bool(model.profile.get("supports_json_schema_output"))
    output = NativeOutput(answer_type) if native else PromptedOutput(answer_type)
    agent = Agent(
        model, output_type=output, instructions=instructions, retries=RETRIES, model_settings=settings
    )
    try:
        said = (await agent.run(question)).output
        answer = answer_type.model_validate(harmless_content(said.model_dump()))
    except ContentFilterError as error:
        return Asked(answer=None, failure=_reason("the model refused to answer", error))
    except UnexpectedModelBehavior as error:
        cut_off = _CUT_OFF in str(error)
        what = "the answer was cut off" if cut_off else "the answer does not fit"
        return Asked(answer=None, failure=_reason(what, error))
    except AgentRunError as error:
        return Asked(
            answer=None, failure=_reason("no answer in time" if _is_late(error) else "no answer", error)
        )
    store.put(key, answer.model_dump_json())
    return Asked(answer=answer)


def answer_key(*, model: str, version: str, question: str, sample: int = 0) -> str:
    """What an answer is kept under: the model, the version of the prompts, everything that was asked, and
    which of several samples it is."""
    content = json.dumps([model, version, question, sample], ensure_ascii=False)
    return hashlib.sha256(content.encode()).hexdigest()


def _is_late(error: AgentRunError) -> bool:
    """Whether the time is up, as the caller's model says it: pydantic-ai has no one word for it."""
    return getattr(error, "kind", None) == "timeout" or getattr(error, "what", None) == "model_s"


def _reason(what: str, error: Exception) -> str:
    cause = error.__cause__
    detail = " ".join(str(error).split())
    if cause is not None and str(cause) and str(cause) not in detail:
        detail += " (" + " ".join(str(cause).split()) + ")"
    return one_line(f"{what}: {detail}", most=_REASON_CHARS)
