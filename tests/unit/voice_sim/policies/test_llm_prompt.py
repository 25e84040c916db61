"""The caller's prompt: everything of the persona is in it, and it does not change unnoticed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.unit.voice_sim.policies.people import nobody, person
from voice_sim.person.archetypes import Archetype
from voice_sim.person.persona import Persona
from voice_sim.policies.llm_prompt import PROMPT_VERSION, prompt_file, system_prompt

DIGESTS = {
    1: {"en": "1edf9b9fd53f93c3", "zh": "674847c3eef9eb6e"},
}
"""Of the prompt's words. A changed file is a new version with a new line here: dialogues that were held under
another prompt are not of one kind."""

READ_BY_OTHERS = {"cues", "answered_by", "overcome_cues", "id", "key", "needs", "backchannels", "pauses"}
"""Evidence phrases and names are for programs; noises and pauses are timed, not written."""


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("version", DIGESTS)
def test_prompt_does_not_change_without_a_version(language: str, version: int) -> None:
    digest = hashlib.sha256(prompt_file(language, version).read_bytes()).hexdigest()[:16]
    assert digest == DIGESTS[version][language]
    assert max(DIGESTS) == PROMPT_VERSION


@pytest.mark.parametrize("language", ["en", "zh"])
def test_whole_persona_is_in_the_prompt(language: str) -> None:
    persona = person(language=language)
    prompt = system_prompt(persona)
    only_first = {line for fact in persona.facts for line in fact.say[1:]}
    missing = [text for text in _texts(persona.model_dump()) if text not in prompt and text not in only_first]
    assert missing == []
    assert "21" in prompt


def _texts(content: Any) -> Iterator[str]:
    """Every text that a reader of the persona would see; values of closed lists are worded anew."""
    closed = {
        "cooperative",
        "hesitant",
        "male",
        "fast",
        "often",
        "freely",
        "asked",
        "trusted",
        "never",
        "always",
        "en",
        "zh",
    }
    if isinstance(content, dict):
        for name, part in content.items():
            if name not in READ_BY_OTHERS:
                yield from _texts(part)
    elif isinstance(content, list | tuple):
        for part in content:
            yield from _texts(part)
    elif isinstance(content, str) and content not in closed:
        yield content


def test_facts_say_when_they_are_told() -> None:
    lines = {
        line.split(":")[0]: line for line in system_prompt(person()).splitlines() if line.startswith("- ")
    }
    assert "of your own accord" in lines["- bike"]
    assert "when you are asked" in lines["- city"]
    assert "keep it back until" in lines["- phone tail"]
    assert "never tell it" in lines["- debt"]


def test_question_without_an_answer_says_so() -> None:
    lines = system_prompt(person()).splitlines()
    assert [("may not know" in line) for line in lines if "per order" in line or "if I fall" in line][:2] == [
        False,
        True,
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_empty_elements_leave_no_headings(language: str) -> None:
    prompt = system_prompt(nobody(language))
    headings = [line for line in prompt.splitlines() if line.startswith("## ")]
    assert len(headings) == 3, headings  # how to speak, who it is, how to hang up
    assert "{" not in prompt
    assert "[[hang up: satisfied]]" in prompt


def test_user_types_differ_in_the_persona_s_language() -> None:
    for language in ("en", "zh"):
        prompts = {system_prompt(person(language=language, archetype=each)) for each in Archetype}
        assert len(prompts) == 5
    assert Archetype.RESISTANT.definition.split()[-1].strip(".") in system_prompt(
        person(archetype=Archetype.RESISTANT)
    )


def test_text_of_a_persona_is_not_taken_for_a_place() -> None:
    persona = Persona.model_validate(
        {"language": "en", "archetype": "efficient", "role": "{facts} and {nonsense}", "scenario": "{role}"}
    )
    prompt = system_prompt(persona)
    assert "{facts} and {nonsense}" in prompt
    assert "\n{role}" in prompt
