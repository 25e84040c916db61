"""The columns of evidence, worked out by hand on vectors in the plane."""

from __future__ import annotations

import math

import numpy as np
import pytest

from voice_sim.understanding.cues import Found
from voice_sim.understanding.encoders.base import Vectors
from voice_sim.understanding.examples.evidence import NAMES, evidence_of
from voice_sim.understanding.examples.shared_words import WordsShared


def at(*degrees: float) -> Vectors:
    return np.array(
        [[math.cos(math.radians(one)), math.sin(math.radians(one))] for one in degrees], np.float32
    )


def cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))


SHARED = WordsShared(items=np.array([0.5, 0.2]), nothing=0.1)


def column(evidence: np.ndarray[tuple[int, int], np.dtype[np.float64]], name: str) -> list[float]:
    return [float(value) for value in evidence[:, NAMES.index(name)]]


def test_nearness_is_the_mean_of_the_three_nearest_examples_over_the_parts() -> None:
    evidence = evidence_of(
        at(0, 90),
        examples=[at(0, 10, 20, 180), at(60)],
        nothing=at(120),
        kinds=["fact", "obstacle"],
        asks=True,
        cues=[Found.EXACTLY, Found.NOT],
        shared=SHARED,
    )
    first_whole = (1 + cos(10) + cos(20)) / 3
    assert column(evidence, "whole") == pytest.approx([first_whole, cos(60)], abs=1e-6)
    # The second part lies at 90 degrees: 30 from the second item, 70 and more from the first.
    assert column(evidence, "best part") == pytest.approx([first_whole, cos(30)], abs=1e-6)
    assert column(evidence, "nearest example") == pytest.approx([1.0, cos(30)], abs=1e-6)
    assert column(evidence, "ahead of the rest") == pytest.approx(
        [first_whole - cos(30), cos(30) - first_whole], abs=1e-6
    )
    of_first_there = (cos(70) + cos(80) + cos(90)) / 3
    assert column(evidence, "ahead in that part") == pytest.approx(
        [first_whole - cos(60), cos(30) - of_first_there], abs=1e-6
    )
    assert column(evidence, "ahead of nothing") == pytest.approx(
        [first_whole - cos(120), cos(30) - cos(30)], abs=1e-6
    )


def test_kind_question_cues_and_words_have_columns_of_their_own() -> None:
    evidence = evidence_of(
        at(0),
        examples=[at(0), at(90)],
        nothing=np.zeros((0, 2), np.float32),
        kinds=["fact", "hang_up"],
        asks=True,
        cues=[Found.NEARLY, Found.EXACTLY],
        shared=SHARED,
    )
    assert column(evidence, "is fact") == [1, 0]
    assert column(evidence, "is fact, asks") == [1, 0]
    assert column(evidence, "is hang_up") == [0, 1]
    assert column(evidence, "cue nearly") == [1, 0]
    assert column(evidence, "cue exactly") == [0, 1]
    assert column(evidence, "shared words") == [0.5, 0.2]
    assert column(evidence, "shared ahead of the rest") == pytest.approx([0.3, -0.3])
    assert column(evidence, "shared ahead of nothing") == pytest.approx([0.4, 0.1])
    # Where no line means nothing, everything is as far ahead of it as can be.
    assert column(evidence, "ahead of nothing") == pytest.approx([2.0, 1.0], abs=1e-6)


def test_what_asks_nothing_has_no_question() -> None:
    evidence = evidence_of(
        at(0),
        examples=[at(0)],
        nothing=at(90),
        kinds=["fact"],
        asks=False,
        cues=[Found.NOT],
        shared=WordsShared(items=np.array([0.0]), nothing=0.0),
    )
    assert column(evidence, "is fact, asks") == [0]
    assert column(evidence, "is fact") == [1]
