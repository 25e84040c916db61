"""What a step that only adds must not change: who the person is, their facts and what they have to ask."""

from __future__ import annotations

from collections.abc import Iterator

from voice_sim.authoring.writing import Check
from voice_sim.person.persona import Persona


def with_kept_facts(before: Persona, check: Check) -> Check:
    """The check, and that nothing of ``before`` was lost or changed."""
    return lambda after: [*kept_problems(before, after), *check(after)]


def kept_problems(before: Persona, after: Persona) -> Iterator[str]:
    """Names, facts and questions that are there no longer, or with another value."""
    for name in ("name", "age", "gender"):
        old, new = getattr(before.demographics, name), getattr(after.demographics, name)
        if old not in (None, "") and new != old:
            yield f"demographics.{name}: was '{old}' and has to stay so"
    facts = {fact.key: fact.value for fact in after.facts}
    for fact in before.facts:
        if fact.key not in facts:
            yield f"facts: '{fact.key}' is missing"
        elif facts[fact.key] != fact.value:
            yield f"facts: '{fact.key}' was '{fact.value}' and has to stay so"
    asked = {question.id for question in after.must_ask}
    for question in before.must_ask:
        if question.id not in asked:
            yield f"must_ask: '{question.id}' is missing"
