"""Rules for what a scenario says about itself: place in the catalogue, placeholders, names and values."""

from __future__ import annotations

from collections.abc import Iterator

from harness.scenarios.catalogue import find
from harness.scenarios.rules.card import Problem
from harness.scenarios.scenario import Scenario, placeholders

RECORD_ALWAYS = ("customer_name", "salutation")
PROPER_NOUNS_MIN = 3
KEY_VALUES_MIN = 3


def head_problems(scenario: Scenario, *, benchmark: bool) -> Iterator[Problem]:
    """Every rule that the fields of ``scenario.yaml`` beside agent and flow break."""
    yield from _catalogue(scenario)
    if scenario.orientation is not scenario.domain.orientation:
        yield "orientation", f"the orientation of {scenario.domain} is {scenario.domain.orientation}"
    yield from _placeholders(scenario)
    yield from _names_and_values(scenario)
    if not benchmark:
        return
    for field in ("core_objective", "main_challenge"):
        if not getattr(scenario, field):
            yield field, "is empty"
    for name in RECORD_ALWAYS:
        if name not in scenario.record_fields:
            yield "record_fields", f"'{name}' is missing"
    for group, least in (("proper_nouns", PROPER_NOUNS_MIN), ("key_values", KEY_VALUES_MIN)):
        if (have := len(getattr(scenario, group))) < least:
            yield group, f"{have}; at least {least}"


def _catalogue(scenario: Scenario) -> Iterator[Problem]:
    row = find(scenario.domain, scenario.sub_scenario)
    if row is None:
        return
    expected = row.id if scenario.language == "en" else f"{row.id}-{scenario.language}"
    if scenario.id != expected:
        yield "id", f"is '{scenario.id}'; in the catalogue this sub-scenario is '{expected}'"
    if scenario.language == "en" and scenario.title != row.title:
        yield "title", f"in the catalogue: '{row.title}'"


def _placeholders(scenario: Scenario) -> Iterator[Problem]:
    used = placeholders([scenario.agent.model_dump(), scenario.flow.model_dump()])
    for name in sorted(used - set(scenario.record_fields)):
        yield "record_fields", f"'{{{name}}}' is used in the agent card or flow, but not declared"
    for name in sorted(set(scenario.record_fields) - used - set(RECORD_ALWAYS)):
        yield f"record_fields.{name}", "is used nowhere in the agent card or flow"


def _names_and_values(scenario: Scenario) -> Iterator[Problem]:
    text = " ".join(line for _, line in scenario.agent.spoken_lines()).casefold()
    for number, noun in enumerate(scenario.proper_nouns):
        if noun.casefold() not in text:
            yield f"proper_nouns.{number}", f"'{noun}' occurs in no line that the agent speaks"
    for number, value in enumerate(scenario.key_values):
        if not any(way.casefold() in text for way in (value.value, *value.spoken)):
            yield f"key_values.{number}", f"'{value.value}' occurs in no line that the agent speaks"
