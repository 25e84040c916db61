"""A persona written by a language model, with what is wrong in it sent back to be mended."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_ai import Agent, ModelRetry, NativeOutput, PromptedOutput, RunContext, StructuredDict
from pydantic_ai.exceptions import AgentRunError, UsageLimitExceeded
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from spoken_language.outside_text import harmless_content
from voice_sim.asking import why_failed
from voice_sim.authoring.prompts import prompt
from voice_sim.person.examples import without_examples
from voice_sim.person.persona import Persona

Read = TypeVar("Read")
Check = Callable[[Persona], Sequence[str]]
"""What is wrong with a persona, a line each."""

ROUNDS = 3
"""How often an answer is sent back."""
MAX_TOKENS = 12_000
_MAX_PROBLEMS = 20
LANGUAGES = {"en": "English", "zh": "Chinese (simplified)"}
_EXAMPLES = ("examples", "overcome_examples", "nothing")
"""Fields that a step of their own fills."""
_LIMITS = ("maxLength", "minLength", "maxItems", "minItems", "pattern", "default", "title")


class NotWritten(Exception):
    """The model gave no usable persona; the message says why."""


@dataclass(frozen=True, kw_only=True)
class Written:
    """A persona, and what the checks still find in it after all rounds."""

    persona: Persona
    problems: tuple[str, ...] = ()


async def write_persona(
    model: Model,
    step: str,
    material: str,
    *,
    language: str,
    fixed: Mapping[str, Any],
    check: Check,
) -> Written:
    """Asks for one persona.

    Args:
        step: Whose prompt to use.
        material: What it is made from.
        fixed: Fields that are not the model's to choose (``language``, ``archetype``); they are set, whatever
            it answers.
        check: Its problems are sent back, with those of the schema, until there are none or :data:`ROUNDS`
            are over. What the schema refuses is never accepted.

    Raises:
        NotWritten: No answer that the schema accepts.
        UsageLimitExceeded: A cap is reached.
    """
    schema = _schema(without=frozenset(fixed))
    instructions = f"{prompt(step)}\n\n{prompt('persona')}\n\nLanguage of all content: {LANGUAGES[language]}."
    persona, problems = await write_checked(
        model,
        instructions=instructions,
        material=material,
        answer_type=StructuredDict(schema, name="persona"),
        read=lambda answer: Persona.model_validate({**answer, **fixed}),
        check=check,
        whole="persona",
    )
    return Written(persona=persona, problems=problems)


async def write_checked(
    model: Model,
    *,
    instructions: str,
    material: str,
    answer_type: Any,
    read: Callable[[dict[str, Any]], Read],
    check: Callable[[Read], Sequence[str]],
    whole: str,
) -> tuple[Read, tuple[str, ...]]:
    """Asks for JSON, and sends back what is wrong in it, at most :data:`ROUNDS` times.

    Args:
        answer_type: Its schema (``StructuredDict``).
        read: Makes of the answer what is wanted; raises ValidationError where that is not possible.
        check: What is wrong with it, a line each.
        whole: What the answer is, in the request to mend it.

    Returns:
        What was read of the best answer, and what is still wrong with it.

    Raises:
        NotWritten: No answer that could be read.
        UsageLimitExceeded: A cap is reached.
    """
    native = bool(model.profile.get("supports_json_schema_output"))
    agent = Agent(
        model,
        output_type=NativeOutput(answer_type) if native else PromptedOutput(answer_type),
        instructions=instructions,
        retries=ROUNDS,
        model_settings=ModelSettings(temperature=0.0, max_tokens=MAX_TOKENS),
    )
    accepted: list[tuple[Read, tuple[str, ...]]] = []

    @agent.output_validator
    def mend(ctx: RunContext[object], answer: dict[str, Any]) -> dict[str, Any]:
        try:
            found = read(harmless_content(answer))
        except ValidationError as error:
            raise ModelRetry(_told(_schema_problems(error), whole)) from error
        problems = tuple(check(found))
        accepted.append((found, problems))
        if problems and ctx.retry < ROUNDS:
            raise ModelRetry(_told(problems, whole))
        return answer

    try:
        await agent.run(material)
    except UsageLimitExceeded:
        raise
    except AgentRunError as error:
        if not accepted:
            raise NotWritten(why_failed(error)) from error
    return min(accepted, key=lambda one: len(one[1]))


def persona_json(persona: Persona) -> str:
    """A persona as a model reads it, without empty fields and examples."""
    alone = without_examples(persona)
    content = alone.model_dump(mode="json", exclude={"extra_sections"}, exclude_defaults=True)
    return json.dumps(content, ensure_ascii=False, indent=1)


def _told(problems: Sequence[str], whole: str) -> str:
    shown = "\n".join(f"- {problem}" for problem in problems[:_MAX_PROBLEMS])
    return f"Mend this and answer with the whole {whole} again:\n{shown}"


def _schema_problems(error: ValidationError) -> list[str]:
    return [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]


@cache
def _schema(*, without: frozenset[str]) -> dict[str, Any]:
    """The persona's JSON schema without limits (some servers cannot enforce long ones), and without fields
    that are set here. What it no longer says is checked afterwards."""
    schema: dict[str, Any] = _bare(Persona.model_json_schema())
    for name in (*without, "extra_sections"):
        schema["properties"].pop(name, None)
        schema["required"] = [each for each in schema["required"] if each != name]
    schema["$defs"].pop("ExtraSection", None)
    return schema


def _bare(schema: Any) -> Any:
    if isinstance(schema, dict):
        names = schema.get("properties")
        bare = {
            key: _bare(value) for key, value in schema.items() if key not in _LIMITS and key != "properties"
        }
        if isinstance(names, dict):
            bare["properties"] = {
                name: _bare(value) for name, value in names.items() if name not in _EXAMPLES
            }
        return bare
    return [_bare(value) for value in schema] if isinstance(schema, list) else schema
