"""Figures that follow from known ones, and figures that only could."""

from __future__ import annotations

import time

import pytest

from metrics.dialogue.rules.figures.arithmetic import follows_from
from metrics.dialogue.rules.figures.facts import facts_of

KNOWN = facts_of(
    "The plan costs 825 yuan, 20 percent of it a fee. 2,400 are open. It began on December 20. "
    "Today is Wednesday, 2025-01-08.",
    "en",
)


@pytest.mark.parametrize(
    ("number", "unit", "sentence", "expected"),
    [
        ("80", "percent", "The other 80 percent are the price.", True),
        ("70", "percent", "The other 70 percent are the price.", False),
        ("1200", "yuan", "Half of it is 1,200 yuan.", True),
        ("1200", "yuan", "It is 1,200 yuan.", False),
        ("3225", "yuan", "Together that makes 3,225 yuan.", True),
        ("3225", "yuan", "You pay 3,225 yuan.", False),
        ("19", "day", "That was 19 days ago.", True),
        ("19", "day", "It takes 19 working days.", False),
        ("18", "day", "That was 18 days ago.", False),
    ],
)
def test_what_follows(number: str, unit: str, sentence: str, expected: bool) -> None:
    assert follows_from(number, unit, KNOWN, sentence) is expected


def test_a_text_of_nothing_but_numbers_is_done_with_in_a_moment() -> None:
    began_s = time.process_time()
    known = facts_of(" ".join(str(number) for number in range(1000, 6000)), "en")
    assert not follows_from("999999", "", known, "Together that makes 999,999.")
    assert time.process_time() - began_s < 5.0, "half a second; half a minute where the reading is quadratic"
