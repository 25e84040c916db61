"""A set of five: what makes five different people, each true to its type."""

from __future__ import annotations

import pytest

from harness._files.shipped import shipped_folder
from harness.scenarios.authoring.checks import likeness_problems
from harness.scenarios.folders import read_folder
from voice_sim.authoring.scale import scale_problems
from voice_sim.person.archetypes import Archetype
from voice_sim.person.persona import Persona

LIBRARY = shipped_folder("scenarios")
SETS = (
    "en/customer_service/bank_complaint",
    "en/finance/credit_card_collection",
    "zh/customer_service/bank_complaint",
)


def people(folder: str) -> dict[Archetype, Persona]:
    return {callee.persona.archetype: callee.persona for _, callee in read_folder(LIBRARY / folder).callees}


def changed(persona: Persona, path: str, value: object) -> Persona:
    head, _, tail = path.partition(".")
    if not tail:
        return persona.model_copy(update={head: value})
    return persona.model_copy(update={head: getattr(persona, head).model_copy(update={tail: value})})


@pytest.mark.parametrize("folder", SETS)
def test_the_benchmarks_own_sets_are_five_people(folder: str) -> None:
    assert scale_problems(people(folder), compare=likeness_problems) == []


@pytest.mark.parametrize(
    ("archetype", "path", "value", "told"),
    [
        (Archetype.EFFICIENT, "manner.pace", "slow", "pace: analytical"),
        (Archetype.EFFICIENT, "manner.pauses", "long", "pauses: efficient"),
        (Archetype.HESITANT, "manner.interrupts", "often", "interruptions: hesitant"),
        (Archetype.RESISTANT, "manner.backchannels", "often", "backchannels: resistant"),
        (Archetype.RESISTANT, "obstacles", (), "obstacles: cooperative"),
        (Archetype.RESISTANT, "archetype", Archetype.EFFICIENT, "says of itself that it is efficient"),
    ],
)
def test_a_person_untrue_to_their_type_is_told(
    archetype: Archetype, path: str, value: object, told: str
) -> None:
    five = people(SETS[0])
    five[archetype] = changed(five[archetype], path, value)
    problems = scale_problems(five, compare=lambda _: [])
    assert any(told in problem for problem in problems), problems


def test_a_talkative_efficient_person_is_told() -> None:
    five = people(SETS[0])
    long = tuple(
        f"Well, let me tell you, and stop me if I go on for too long, what number {n} was about."
        for n in range(60)
    )
    five[Archetype.EFFICIENT] = changed(five[Archetype.EFFICIENT], "style.good", long)
    told = [problem for problem in scale_problems(five, compare=lambda _: []) if "words in a line" in problem]
    assert len(told) == 3


def test_copies_missing_types_and_one_name_for_two_are_told() -> None:
    five = people(SETS[0])
    five[Archetype.COOPERATIVE] = changed(five[Archetype.HESITANT], "archetype", Archetype.COOPERATIVE)
    del five[Archetype.ANALYTICAL]
    problems = scale_problems(five, compare=likeness_problems)
    assert "analytical: is missing" in problems
    assert any("too much like" in problem for problem in problems)
    assert any("say the same" in problem for problem in problems)
    assert any(problem.startswith("the name '") for problem in problems)
