"""A scenario with a person's record filled in: what was short with placeholders may be too long now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from harness.scenarios.rules.card import Problem
from harness.scenarios.scenario import Callee, Scenario
from metrics.dialogue.task_flow import TaskFlow

SHOWN_CHARS = 60


def filling_problems(scenario: Scenario, callee: Callee) -> Iterator[Problem]:
    """Where in ``scenario.yaml`` the values of this person's record do not fit in."""
    archetype = callee.persona.archetype
    try:
        scenario.model_copy(update={"callees": (callee,)}).entry(archetype)
    except ValidationError as error:
        part = "flow" if error.title == TaskFlow.__name__ else "agent"
        for problem in error.errors():
            what = problem["msg"]
            if problem["type"] == "string_too_long":
                what = (
                    f"{len(problem['input'])} characters, at most {problem['ctx']['max_length']} can be used"
                )
            place = (part, *problem["loc"])
            filled = f"with what persona-{archetype.value}.yaml has in its record"
            yield ".".join(map(str, place)), f"{_written(scenario, place)} {filled}: {what}"


def _written(scenario: Scenario, place: tuple[int | str, ...]) -> str:
    """What stands at a place of the file, by the name of its node where it has one."""
    there: Any = scenario.model_dump()
    node = ""
    for step in place:
        there = there[step]
        if isinstance(there, dict) and "criterion" in there:
            node = f"'{there['id']}': "
    text = str(there)
    return f"{node}'{text[:SHOWN_CHARS]}{'…' if len(text) > SHOWN_CHARS else ''}'"
