"""Personas for the tests of authoring, and a language model that writes what it is told to."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from voice_sim.person.archetypes import Archetype
from voice_sim.person.persona import Persona


def persona(**fields: Any) -> Persona:
    """A small whole persona."""
    content: dict[str, Any] = {
        "archetype": Archetype.HESITANT,
        "language": "en",
        "role": "A shop assistant who was charged twice.",
        "demographics": {"name": "Zhang Qiang", "age": 40, "gender": "male"},
        "must_ask": [{"id": "refund_when", "ask": ["When do I get it back?", "So when?"]}],
        "facts": [{"key": "card", "value": "a blue card", "say": ["The blue one."]}],
        "phrases": {"pick_up": ["Hello?"]},
        "style": {"good": ["Hm, I don't know."]},
    }
    return Persona.model_validate({**content, **fields})


def answer(written: Persona, **changes: Any) -> dict[str, Any]:
    """What a model writes for a persona: without the fields that are not its own."""
    content = written.model_dump(mode="json", exclude={"archetype", "language", "extra_sections"})
    return {**content, **changes}


class Writer:
    """A model that answers each request with the next of the answers (the last again and again).

    ``asked`` has every request's text, ``schemas`` the schema that came with it.
    """

    def __init__(self, answers: Sequence[dict[str, Any] | str]) -> None:
        self.asked: list[str] = []
        self.settings: list[Any] = []
        self._answers = answers
        self.model = FunctionModel(self._write)

    def _write(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        request = messages[-1]
        assert isinstance(request, ModelRequest)
        parts = [str(part.content) for part in request.parts if hasattr(part, "content")]
        self.asked.append("\n".join([info.instructions or "", *parts]))
        self.settings.append(info.model_settings)
        given = self._answers[min(len(self.asked), len(self._answers)) - 1]
        return ModelResponse(parts=[TextPart(given if isinstance(given, str) else json.dumps(given))])


def nothing(_: Persona) -> list[str]:
    """A check that finds nothing."""
    return []


Check = Callable[[Persona], list[str]]
