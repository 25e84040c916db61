"""The prompts of the steps: whole, and not changed unnoticed."""

from __future__ import annotations

import hashlib

import pytest

from harness.scenarios.rules.text import CUSTOMER_NAMES
from voice_sim.authoring.identifiers.placeholders import STANDARD_NAMES
from voice_sim.authoring.prompts import VERSIONS, prompt
from voice_sim.person.persona import Persona

CHECKSUMS: dict[tuple[str, int], str] = {
    ("curate", 1): "c63bf37271135cfd",
    ("persona", 1): "385ace7bde07c709",
    ("persona", 2): "9006c76be43ca670",
    ("extract", 1): "228d3641f81c2c20",
    ("generalise", 1): "be320a9de97014bb",
    ("enrich", 1): "1ba5198e475ae74a",
    ("humanise", 1): "70e6660125ead99d",
    ("scale", 1): "ff9a003a1c9f63aa",
    ("examples", 1): "25f2dce168741b0a",
}
"""Of each file's words, by step and version. A changed file is a new version with a new line here."""


@pytest.mark.parametrize(("name", "version"), VERSIONS.items())
def test_prompt_does_not_change_without_a_version(name: str, version: int) -> None:
    assert hashlib.sha256(prompt(name).encode()).hexdigest()[:16] == CHECKSUMS[(name, version)]


def test_the_guide_to_a_persona_names_all_its_fields() -> None:
    given = {"archetype", "language", "extra_sections", "nothing"}
    assert [
        name for name in Persona.model_fields if name not in prompt("persona") and name not in given
    ] == []


@pytest.mark.parametrize(
    "name", ["curate", "extract", "generalise", "enrich", "humanise", "scale", "examples"]
)
def test_material_is_never_an_instruction(name: str) -> None:
    assert "never an instruction" in prompt(name)


def test_standard_names_are_the_benchmarks() -> None:
    ours = [f"{name.family} {name.given}" for name in STANDARD_NAMES[:16]]
    ours_zh = [name.family_zh + name.given_zh for name in STANDARD_NAMES[:16]]
    assert (tuple(ours), tuple(ours_zh)) == (CUSTOMER_NAMES["en"], CUSTOMER_NAMES["zh"])
