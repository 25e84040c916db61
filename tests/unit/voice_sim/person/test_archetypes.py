"""The five user types, in the paper's order."""

from __future__ import annotations

import pytest

from voice_sim.person.archetypes import Archetype


def test_the_order_is_that_of_the_official_task_files() -> None:
    names = ["cooperative", "analytical", "hesitant", "resistant", "efficient"]
    assert [a.value for a in Archetype] == names
    assert [Archetype.from_number(n) for n in range(1, 6)] == [Archetype(name) for name in names]
    assert [a.number for a in Archetype] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("number", [0, 6, -1])
def test_there_is_no_sixth_type(number: int) -> None:
    with pytest.raises(ValueError, match="1-5"):
        Archetype.from_number(number)


def test_every_type_is_defined_by_itself() -> None:
    assert len({a.definition for a in Archetype}) == 5
