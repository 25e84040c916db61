"""Each author's lines are tried with the other authors' alone; counts by hand, vectors of first letters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from harness.selfcheck.understanding import left_out as module
from harness.selfcheck.understanding.left_out import left_out, left_out_by_language, recall, recall_by_kind
from voice_sim.person.archetypes import Archetype
from voice_sim.person.persona import Fact, Obstacle, Persona
from voice_sim.understanding.encoders.base import Vectors
from voice_sim.understanding.examples.evidence import NAMES
from voice_sim.understanding.examples.understander import UnderstandsByExamples
from voice_sim.understanding.examples.weights import Weights

WEIGHTS = Weights(
    version="test",
    bias=-6.0,
    of=dict.fromkeys(NAMES, 0.0) | {"nearest example": 10.0},
    taken_from=0.5,
    also_from=0.9,
    beside_from=0.3,
)


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
        Fact(key="home", value="Rome", examples={"x": ("bananas",), "y": ("berries",), "z": ("figs",)}),
        Fact(key="alone", value="one author's", examples={"x": ("grapes",)}),
        Fact(key="card", value="the card's", examples={"card": ("apples",), "y": ("avocados",)}),
    ),
    obstacles=(Obstacle(id="no", when="asked", say=("No.",), examples={"x": ("kiwis",), "y": ("limes",)}),),
)


def test_each_authors_lines_are_tried_without_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        module,
        "understander_of",
        lambda persona, *, keeps: UnderstandsByExamples(persona, Letters(), weights=WEIGHTS),
    )
    tried = left_out(PERSONA)
    # Nobody else has lines for "alone"; the card's lines are not tried, others are tried on them.
    found = {one.line: one.understood for one in tried}
    assert found == {
        "bananas": True,
        "berries": True,
        "figs": False,
        "avocados": True,
        "kiwis": False,
        "limes": False,
    }
    assert (recall(tried).hits, recall(tried).n) == (3, 6)
    by_kind = recall_by_kind(tried)
    assert (by_kind["fact"].hits, by_kind["fact"].n, by_kind["obstacle"].hits) == (3, 4, 0)
    assert by_kind["hang_up"].value is None


def test_several_people_are_told_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        module,
        "understander_of",
        lambda persona, *, keeps: UnderstandsByExamples(persona, Letters(), weights=WEIGHTS),
    )
    told: list[str] = []
    found = left_out_by_language({"a/1": PERSONA, "b/2": PERSONA}, on_person=told.append)
    assert told == ["a/1, 1 of 2", "b/2, 2 of 2"]
    assert {language: len(tried) for language, tried in found.items()} == {"en": 12}
