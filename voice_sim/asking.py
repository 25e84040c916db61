"""One question to a language model, answered in a schema, or in words why there is no answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput, PromptedOutput
from pydantic_ai.exceptions import (
    AgentRunError,
    ContentFilterError,
    UnexpectedModelBehavior,
    UsageLimitExceeded,
)
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from spoken_language.outside_text import harmless_content, one_line

A = TypeVar("A", bound=BaseModel)

RETRIES = 2
"""How often an answer that does not fit is asked for again."""
_REASON_CHARS = 300


@dataclass(frozen=True, kw_only=True)
class Asked(Generic[A]):
    """An answer, or in words why there is none."""

    answer: A | None
    failure: str = ""


async def ask(
    model: Model, question: str, answer_type: type[A], *, instructions: str, max_tokens: int
) -> Asked[A]:
    """Asks a question at temperature 0.

    Raises:
        UsageLimitExceeded: A cap is reached: there is no point in asking on.
    """
    # A schema that the provider itself enforces, where it can; else one that is asked for in words.
    native = bool(model.profile.get("supports_json_schema_output"))
    agent = Agent(
        model,
        output_type=NativeOutput(answer_type) if native else PromptedOutput(answer_type),
        instructions=instructions,
        retries=RETRIES,
        model_settings=ModelSettings(temperature=0.0, max_tokens=max_tokens),
    )
    try:
        said = (await agent.run(question)).output
        return Asked(answer=answer_type.model_validate(harmless_content(said.model_dump())))
    except UsageLimitExceeded:
        raise
    except AgentRunError as error:
        return Asked(answer=None, failure=why_failed(error))


def why_failed(error: AgentRunError) -> str:
    """What went wrong with a question, in a line."""
    what = "no answer"
    if isinstance(error, ContentFilterError):
        what = "the model refused to answer"
    elif isinstance(error, UnexpectedModelBehavior):
        what = "the answer does not fit"
    detail = " ".join(str(error).split())
    cause = error.__cause__
    if cause is not None and str(cause) and str(cause) not in detail:
        detail += " (" + " ".join(str(cause).split()) + ")"
    return one_line(f"{what}: {detail}", most=_REASON_CHARS)
