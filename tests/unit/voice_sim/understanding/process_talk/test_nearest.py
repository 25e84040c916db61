"""The vote of the nearest lines: by hand on a circle, and by the encoder on lines of an unknown author."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import pytest

from voice_sim.understanding.encoders.base import MissingEncoderError, Vectors
from voice_sim.understanding.encoders.e5 import E5Encoder
from voice_sim.understanding.process_talk.lines import PROCESS_ACTS, all_process_lines, process_lines
from voice_sim.understanding.process_talk.nearest import NearestActs

SECTOR = 2 * math.pi / (len(PROCESS_ACTS) + 1)


def _at(angle: float) -> Vectors:
    return np.array([math.cos(angle), math.sin(angle)], np.float32)


def _on_a_circle() -> dict[str, Vectors]:
    """The lines of each act close together, the acts apart."""
    return {
        line: _at(number * SECTOR + 0.001 * nth)
        for number, act in enumerate(PROCESS_ACTS)
        for nth, line in enumerate(line for said in process_lines("en")[act].values() for line in said)
    }


def test_all_votes_go_to_what_lies_there() -> None:
    nearest = NearestActs("en", _on_a_circle(), np.zeros((0, 2), np.float32))
    for number, act in enumerate(PROCESS_ACTS):
        assert nearest.shares(_at(number * SECTOR + 0.02)) == pytest.approx({act: 1.0})


def test_what_means_something_to_the_person_votes_too() -> None:
    others = np.stack([_at(len(PROCESS_ACTS) * SECTOR + 0.001 * nth) for nth in range(40)])
    nearest = NearestActs("en", _on_a_circle(), others)
    assert nearest.shares(_at(len(PROCESS_ACTS) * SECTOR + 0.02)) == {}


@pytest.mark.long
@pytest.mark.parametrize(("language", "least"), [("en", 0.8), ("zh", 0.8)])
def test_lines_of_an_author_who_is_left_out_are_told(language: Literal["en", "zh"], least: float) -> None:
    try:
        encoder = E5Encoder()
    except MissingEncoderError as error:
        pytest.skip(str(error))
    every = all_process_lines(language)
    vectors = dict(zip(every, encoder.encode(every), strict=True))
    right = tried = 0
    for left_out in "abcd":
        known = [author for author in "abcd" if author != left_out]
        nearest = NearestActs(language, vectors, np.zeros((0, 384), np.float32), authors=known)
        for act in PROCESS_ACTS:
            for line in process_lines(language)[act][left_out]:
                shares = nearest.shares(vectors[line])
                tried += 1
                right += max(shares, key=lambda one: shares[one]) == act
    print(f"{language}: {right} of {tried} lines told")
    assert right / tried >= least
