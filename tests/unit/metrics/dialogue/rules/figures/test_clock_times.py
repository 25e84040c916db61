"""Times of day, however they are said, and what only looks like one."""

from __future__ import annotations

import pytest

from metrics.dialogue.rules.figures.clock_times import clocks_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It was 10:30.", {(10, 30)}),
        ("It was 22:30.", {(10, 30)}),
        ("I call at ten thirty.", {(10, 30)}),
        ("at a quarter to nine", {(8, 45)}),
        ("around nine a.m.", {(9, 0)}),
        ("between two and four in the afternoon", {(2, 0), (4, 0)}),
        ("Saturday ten to twelve at the gate", {(10, 0), (12, 0)}),
        ("by three days", set()),
        ("at two shops", set()),
        ("下午三点半", {(3, 30)}),
        ("十点一刻", {(10, 15)}),
        ("四点零五分", {(4, 5)}),
        ("周五五点前", {(5, 0)}),
        ("22点", {(10, 0)}),
        ("一点都不疼", set()),
        ("这三点", set()),
        ("百分之零点二", set()),
    ],
)
def test_times_of_day(text: str, expected: set[tuple[int, int]]) -> None:
    assert clocks_of(text) == expected
