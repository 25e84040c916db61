"""The verdict's boundaries, from both sides, and what of the words around a reading makes it another one."""

from __future__ import annotations

import pytest

from metrics.synthesis.symbols.verdict import Judged, judge, plain_words

MAY = "five dollars"


@pytest.mark.parametrize(
    ("value", "verdict", "said", "margin"),
    [
        (-12.0, "right", MAY, 2.0),
        (-11.875, "indeterminate", MAY, 1.875),
        (-10.5, "indeterminate", MAY, 0.5),
        (-10.0, "indeterminate", MAY, 0.0),
        (-9.5, "indeterminate", "a wrong one", -0.5),
        (-8.125, "indeterminate", "a wrong one", -1.875),
        (-8.0, "wrong", "a wrong one", -2.0),
    ],
)
def test_two_logarithms_decide(value: float, verdict: str, said: str, margin: float) -> None:
    found = judge([(MAY, -10.0)], [("a wrong one", value)], in_words=None)
    assert (found.verdict, found.said, found.margin) == (verdict, said, margin)


def test_the_likeliest_is_taken_and_not_the_last_by_name_or_place() -> None:
    licensed = [("z", -30.0), ("b", -10.0), ("a", -20.0)]
    wrong = [("z", -39.0), ("b", -15.0), ("a", -29.0)]
    assert judge(licensed, wrong, in_words=None) == Judged(verdict="right", said="b", margin=5.0)
    assert judge(wrong, licensed, in_words=None) == Judged(verdict="wrong", said="b", margin=-5.0)


def test_twelve_logarithms_make_an_unknown_reading() -> None:
    licensed, wrong = [(MAY, -20.0)], [("a wrong one", -25.0)]
    unknown = judge(licensed, wrong, in_words=("a penny", -8.0))
    assert unknown == Judged(verdict="indeterminate", said="a penny", margin=-12.0)
    assert judge(licensed, wrong, in_words=("a penny", -8.125)) == Judged(
        verdict="right", said=MAY, margin=5.0
    )


def test_the_nearest_of_all_known_readings_says_whether_one_is_unknown() -> None:
    """11.5 behind the wrong one, 16.5 behind the other: a known one is near enough."""
    found = judge([(MAY, -25.0)], [("a wrong one", -20.0)], in_words=("a penny", -8.5))
    assert found == Judged(verdict="wrong", said="a wrong one", margin=-5.0)
    # The margin of an unknown one is that of what may be said, though a wrong one is nearer.
    found = judge([(MAY, -25.0)], [("a wrong one", -20.0)], in_words=("a penny", -7.5))
    assert found == Judged(verdict="indeterminate", said="a penny", margin=-17.5)


def test_any_reading_that_may_be_said_is_a_witness() -> None:
    licensed = [("four ninety nine", -20.0), ("four dollars ninety nine", -21.0)]
    for own in ("it is four ninety nine", "it is four dollars ninety nine"):
        assert judge(licensed, [], in_words=(own, -1.0)).verdict == "right"
        assert judge(licensed, [("a wrong one", -30.0)], in_words=(own, -1.0)).verdict == "right"


def test_without_a_wrong_reading_an_unknown_one_leaves_it_open() -> None:
    found = judge([(MAY, -20.0)], [], in_words=("a penny", -19.0))
    assert found == Judged(verdict="indeterminate", said=MAY, margin=None)


def _stands(reading: str, own: str, wrong: str = "something else") -> bool:
    """Whether a reading that fits far worse than what the recogniser wrote is borne out by it."""
    return judge([(reading, -40.0)], [(wrong, -45.0)], in_words=(own, -1.0)).verdict == "right"


@pytest.mark.parametrize(
    ("reading", "own"),
    [
        ("five dollars", "Five dollars it costs."),
        ("five dollars", "Two for five dollars."),
        ("five dollars", "It is two for five dollars."),
        ("five dollars", "It is five dollars for two."),
        ("five dollars", "It is five dollars and no ten."),
        ("five dollars", "A cake and five dollars."),
        ("five dollars", "Ten cakes and, and five dollars."),
        ("five dollars", "And five dollars and"),
        # No number at its beginning: what stands before is none of it.
        ("at five", "It is nine at five."),
        ("percent", "Ten and percent, and ten."),
        ("元", "一共十元五角。"),
        ("加五元", "一加五元。"),
        ("五元", "十块加五元。"),
        ("五元", "一共五元加十元。"),
        ("五元", "五元"),
    ],
)
def test_a_reading_by_itself(reading: str, own: str) -> None:
    assert _stands(reading, own)


@pytest.mark.parametrize(
    ("reading", "own"),
    [
        ("five dollars", "It is a hundred and five dollars."),
        ("five dollars", "Twenty five dollars."),
        ("five dollars", "It is 20 five dollars."),
        ("five dollars", "It is oh five dollars."),
        ("five dollars", "It is o five dollars."),
        ("five dollars", "It is point five dollars."),
        ("five dollars", "It is minus five dollars."),
        ("five dollars", "It is negative five dollars."),
        ("five dollars", "It is five dollars 50 in all."),
        ("five dollars", "It is five dollars and 50 in all."),
        ("five", "It is the fifth of five hundred."),
        ("five", "It is a highfive."),
        ("five", "It is fivefold so."),
        ("at five", "It is at five thirty."),
        ("percent", "It is percentile."),
        ("五元", "一共十五元。"),
        ("五元", "一共负五元。"),
        ("五元", "一共三点五元。"),
        ("五元", "零点五元。"),
        ("五元", "点五元。"),
        ("五元", "一共五元五角。"),
        ("加五元", "一加五元三角。"),
        ("五", "一共五3"),
    ],
)
def test_a_part_of_another_number_or_word(reading: str, own: str) -> None:
    assert not _stands(reading, own)


@pytest.mark.parametrize(
    ("wrong", "own", "stands"),
    [
        # At the wrong reading's beginning, in its middle, at its end.
        ("at fern dot", "look at fern dot", False),
        ("look at fern dot", "now look at fern dot there", False),
        ("look at fern", "look at fern", False),
        ("look at fern", "at fern", True),
        ("look at fern", "look at fern and at fern", True),
        ("look at fern", "at fern, look at fern", True),
        ("At Fern!", "look at fern", True),
        ("", "look at fern", True),
    ],
)
def test_a_part_of_a_wrong_reading(wrong: str, own: str, stands: bool) -> None:
    assert _stands("at fern", own, wrong) is stands


def test_nothing_stands_in_nothing() -> None:
    assert not _stands("?!", "…")
    assert not _stands("?!", "five dollars")
    assert not _stands("five dollars", "…")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("FIVE Dollars", "five dollars"),
        ("o'clock o’clock", "oclock oclock"),
        ("fern.co.uk", "fern dot co dot uk"),
        ("4.99 and v2.b or b.2", "4 99 and v2 b or b 2"),
        ("the end.", "the end"),
        ("a_b-c", "a b c"),
    ],
)
def test_plain_words(text: str, plain: str) -> None:
    assert plain_words(text) == plain
