"""By hand: which of the ways to read a symbol was taken, from how well each fits."""

from __future__ import annotations

from typing import Any

import pytest

from metrics.recognition.forced_decoding import not_a_word
from metrics.synthesis.symbols.verdict import CLEAR, CLEARER_THAN_UNKNOWN, judge, plain_words

LICENSED = ("four ninety nine", "four dollars ninety nine")


def _judge(
    *licensed: float, wrong: tuple[float, ...] = (), in_words: tuple[str, float] | None = None
) -> tuple[str, str, Any]:
    found = judge(
        list(zip(LICENSED, licensed, strict=False)),
        [(f"wrong {place}", value) for place, value in enumerate(wrong)],
        in_words=in_words,
    )
    return found.verdict, found.said, found.margin


def test_the_best_that_may_be_said_is_held_against_the_best_that_may_not() -> None:
    assert _judge(-20.0, -5.0, wrong=(-30.0, -9.0)) == ("right", LICENSED[1], 4.0)
    assert _judge(-20.0, -25.0, wrong=(-30.0, -9.0)) == ("wrong", "wrong 1", -11.0)


@pytest.mark.parametrize(
    ("apart", "verdict"),
    [(CLEAR, "right"), (CLEAR - 0.01, "indeterminate"), (-CLEAR, "wrong"), (-1.9, "indeterminate")],
)
def test_what_fits_about_as_well_decides_nothing(apart: float, verdict: str) -> None:
    assert _judge(-10.0, wrong=(-10.0 - apart,))[0] == verdict


def test_its_own_words_are_no_witness_where_they_are_one_that_may_be_said() -> None:
    own = ("costs four ninety-nine, and", -1.0)
    assert _judge(-20.0, wrong=(-30.0,), in_words=own) == ("right", LICENSED[0], 10.0)


@pytest.mark.parametrize(
    ("reading", "own", "stands"),
    [
        ("five dollars", "It costs five dollars.", True),
        ("five dollars", "It costs five dollars, and it is yours.", True),
        ("five dollars", "It costs twenty-five dollars.", False),
        ("five dollars", "It costs one hundred and five dollars.", False),
        ("five dollars", "It costs three point five dollars.", False),
        ("five dollars", "It costs five dollars fifty.", False),
        ("five dollars", "It costs five dollars and fifty cents.", False),
        ("five", "It is fiveish.", False),
        ("five dollars", "Twenty five dollars, no: five dollars.", True),
        ("percent", "It is five percent, ten at most.", True),
        ("五元", "一共五元。", True),
        ("五元", "总共是五元。", True),
        ("五元", "一共十五元。", False),
        ("五元", "总共是五元五。", False),
    ],
)
def test_a_part_of_a_longer_number_is_no_witness(reading: str, own: str, stands: bool) -> None:
    """Without a witness what the recogniser wrote, which fits far better, leaves it undecided."""
    found = judge([(reading, -40.0)], [("something else", -45.0)], in_words=(own, -1.0))
    assert found.verdict == ("right" if stands else "indeterminate")


def test_a_part_of_a_wrong_reading_is_no_witness() -> None:
    licensed, wrong = [("at fern", -40.0)], [("look at fern dot", -45.0)]
    assert judge(licensed, wrong, in_words=("look at fern dot", -1.0)).verdict == "indeterminate"
    assert judge(licensed, wrong, in_words=("look at fern", -1.0)).verdict == "right"


def test_where_other_words_of_its_own_fit_much_better_nothing_is_said_of_it() -> None:
    """Nobody thought of that way to read it; or it was misheard."""
    unknown = ("It costs a penny", -20.0 + CLEARER_THAN_UNKNOWN)
    assert _judge(-20.0, in_words=unknown) == ("indeterminate", "It costs a penny", -CLEARER_THAN_UNKNOWN)
    assert _judge(-20.0, wrong=(-25.0,), in_words=unknown)[0] == "indeterminate"
    assert _judge(-20.0, wrong=(-25.0,), in_words=("It costs a penny", -10.01))[0] == "right"
    # A form that is known to be wrong is nearer to it than that.
    assert _judge(-40.0, wrong=(-15.0,), in_words=unknown)[:2] == ("wrong", "wrong 0")


def test_without_anything_against_it_nothing_is_known() -> None:
    assert _judge(-20.0) == ("indeterminate", LICENSED[0], None)
    assert _judge(-20.0, in_words=("it costs four ninety nine now", -20.0)) == ("right", LICENSED[0], None)


def test_words_are_compared_and_not_what_they_mean() -> None:
    assert plain_words("Thirty-five, o’clock!") == "thirty five oclock"
    assert plain_words("thirty five") != plain_words("three five")
    assert plain_words("info at fern.co.uk.") == "info at fern dot co dot uk"


@pytest.mark.parametrize(
    ("token", "no_word"), [(" 4", True), ("$", True), (" four", False), (",", False), ("½", True)]
)
def test_tokens_without_words(token: str, no_word: bool) -> None:
    assert not_a_word(token) is no_word
