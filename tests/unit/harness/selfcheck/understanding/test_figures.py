"""Shares of labelled lines, against counts by hand."""

from __future__ import annotations

import pytest

from harness.selfcheck.understanding.figures import Tried, as_meant, false, false_on_nothing
from harness.selfcheck.understanding.labelled import Labelled
from tests.unit.voice_sim.authoring.people import persona
from voice_sim.person.examples import Item

AGE, CARD, HELP = Item("fact", "age"), Item("fact", "card"), Item("overcome", "fear")


def _tried(means: set[Item], taken: set[Item]) -> Tried:
    line = Labelled(entry="a/b", persona=persona(), says="x", means=frozenset(means))
    return Tried(line=line, taken=frozenset(taken))


TRIED = [
    _tried({AGE}, {AGE}),
    _tried({AGE, HELP}, {HELP}),  # of the two the second; right as a whole, and nothing of the fact
    _tried({AGE}, {CARD}),
    _tried({AGE}, set()),
    _tried(set(), set()),
    _tried(set(), {CARD}),
]


def test_as_meant_is_of_lines_that_mean_something_and_of_a_kind_its_own_items_count() -> None:
    assert (as_meant(TRIED).hits, as_meant(TRIED).n) == (2, 4)
    assert (as_meant(TRIED, "fact").hits, as_meant(TRIED, "fact").n) == (1, 4)
    assert (as_meant(TRIED, "overcome").hits, as_meant(TRIED, "overcome").n) == (1, 1)
    assert as_meant(TRIED, "hang_up").value is None
    assert as_meant(TRIED, "hang_up").interval is None


def test_false_is_of_all_lines_and_on_nothing_of_those_that_mean_nothing() -> None:
    assert (false(TRIED).hits, false(TRIED).n) == (2, 6)
    assert (false(TRIED, "fact").hits, false(TRIED, "overcome").hits) == (2, 0)
    assert (false_on_nothing(TRIED).hits, false_on_nothing(TRIED).n) == (1, 2)


def test_the_interval_is_wilsons() -> None:
    interval = as_meant(TRIED).interval
    assert interval is not None
    # 2 of 4, z = 1.96: 0.5 +- 0.3500 (Wilson 1927).
    assert (interval.low, interval.high) == (pytest.approx(0.150, abs=1e-3), pytest.approx(0.850, abs=1e-3))
