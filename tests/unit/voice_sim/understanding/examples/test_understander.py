"""What is taken to be meant: thresholds, what goes with what, what the course of the call makes likely."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from voice_sim.person.archetypes import Archetype
from voice_sim.person.examples import Item
from voice_sim.person.persona import Fact, Obstacle, Persona
from voice_sim.understanding.encoders.base import Vectors
from voice_sim.understanding.examples.evidence import NAMES
from voice_sim.understanding.examples.understander import (
    EXPECTED,
    UnderstandsByExamples,
    lines_of,
    meant,
)
from voice_sim.understanding.examples.weights import Weights, weights_for

AGE, HOME = Item("fact", "age"), Item("fact", "home")
REFUSAL = Item("obstacle", "too_private")
WEIGHTS = Weights(
    version="test",
    bias=0.0,
    of=dict.fromkeys(NAMES, 0.0) | {"best part": 10.0},
    taken_from=0.5,
    also_from=0.9,
    beside_from=0.3,
)


def odds(probability: float) -> float:
    return math.log(probability / (1 - probability))


def taken(likely: dict[Item, float], **more: list[Item]) -> list[Item]:
    return [one.item for one in meant({item: odds(p) for item, p in likely.items()}, WEIGHTS, **more)]


def test_the_likeliest_is_taken_from_the_threshold_on() -> None:
    assert taken({AGE: 0.51, HOME: 0.2}) == [AGE]
    assert taken({AGE: 0.49, HOME: 0.2}) == []
    assert meant({}, WEIGHTS) == ()


def test_a_second_fact_has_to_be_nearly_certain_an_obstacle_beside_it_need_not() -> None:
    assert taken({AGE: 0.95, HOME: 0.89}) == [AGE]
    assert taken({AGE: 0.95, HOME: 0.91}) == [AGE, HOME]
    assert taken({AGE: 0.8, REFUSAL: 0.31}) == [AGE, REFUSAL]
    assert taken({AGE: 0.8, REFUSAL: 0.29}) == [AGE]
    assert taken({REFUSAL: 0.8, AGE: 0.31}) == [REFUSAL, AGE]


def test_what_is_expected_needs_less() -> None:
    for item, below in ((Item("must_ask", "price"), 0.4), (Item("overcome", "too_private"), 0.15)):
        assert taken({item: below}) == []
        assert taken({item: below}, expected=[item]) == [item]
        [one] = meant({item: odds(below)}, WEIGHTS, expected=[item])
        more = EXPECTED[item.kind]  # type: ignore[index]
        assert one.probability == pytest.approx(1 / (1 + math.exp(-(odds(below) + more))))
    assert taken({AGE: 0.4}, expected=[AGE]) == [], "of facts nothing is expected"


class Letters:
    """A vector for the first letter of a text."""

    name = "letters"

    def encode(self, texts: Sequence[str]) -> Vectors:
        return np.stack([np.eye(26, dtype=np.float32)[ord(text[0].lower()) - 97] for text in texts])


PERSONA = Persona(
    archetype=Archetype.COOPERATIVE,
    language="en",
    role="Somebody",
    facts=(
        Fact(key="age", value="30", examples={"x": ("apples",)}),
        Fact(key="home", value="Rome", examples={"x": ("bananas",), "y": ("berries",)}),
        Fact(key="unasked", value="nobody asks"),
    ),
    obstacles=(Obstacle(id="too_private", when="asked", say=("No.",), examples={"y": ("cherries",)}),),
    nothing={"x": ("dates",)},
)


def test_the_nearest_example_decides_and_an_item_without_examples_is_never_meant() -> None:
    understander = UnderstandsByExamples(PERSONA, Letters(), weights=WEIGHTS)
    found = understander.odds("blueberries")
    assert set(found) == {AGE, HOME, REFUSAL}
    assert found[HOME] == pytest.approx(10.0)
    assert found[AGE] == pytest.approx(0.0)
    assert understander.odds("...") == {}


def test_lines_are_told_once_with_those_that_mean_nothing() -> None:
    assert lines_of(PERSONA) == ["apples", "bananas", "berries", "cherries", "dates"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_weights_that_come_along_have_every_column_and_thresholds_in_order(language: str) -> None:
    weights = weights_for(language)  # type: ignore[arg-type]
    assert set(weights.of) == set(NAMES)
    assert 0 < weights.beside_from < weights.also_from < 1
    assert 0 < weights.taken_from < weights.also_from
    assert len(weights.version) == 8
