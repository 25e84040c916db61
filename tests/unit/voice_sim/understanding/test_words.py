from __future__ import annotations

import pytest

from voice_sim.understanding.words import spoken_words


@pytest.mark.parametrize(
    ("written", "heard"),
    [
        ("2,300 yuan", "twenty-three hundred yuan"),
        ("1,980", "nineteen hundred and eighty"),
        ("400-123-4000", "four zero zero, one two three, four zero zero zero"),
        ("400-123-4000", "4001234000"),
        ("60217", "six oh two one seven"),
        ("January 15", "January fifteenth"),
        ("January 1", "January first"),
        ("January 15th", "january 15"),
        ("the 21st", "the twenty-first"),
        ("130 people", "a hundred and thirty people"),
        ("80,000", "eighty thousand"),
        ("10 a.m.", "ten am"),
        ("What's that?", "what is that"),
        ("I can't", "i cannot"),
        ("we won't", "we will not"),
        ("you’re right", "You are right!"),
        ("8000元", "八千元"),
        ("2294", "二二九四"),
        ("15号", "十五号"),
        ("3520块", "三千五百二十块"),
        ("120万", "一百二十万"),
        ("四万、八成", "40000八成"),
        ("Goodbye.", "Bye bye."),
        ("Good bye!", "bye"),
        ("Goodbye", "Good-bye, bye-bye."),
        ("好，再见。", "好，拜拜！"),
    ],
)
def test_the_same_words_however_they_were_written(written: str, heard: str) -> None:
    assert spoken_words(written) == spoken_words(heard)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("15", "50"),
        ("the first call", "the second call"),
        ("January 13", "January 15"),
        ("400-123-4000", "400-123-4001"),
        ("can", "can't"),
        ("二百", "三百"),
    ],
)
def test_different_words_stay_different(one: str, other: str) -> None:
    assert spoken_words(one) != spoken_words(other)


def test_multipliers_alone_are_no_number() -> None:
    assert spoken_words("千万别去") == ("千", "万", "别", "去")


def test_ordinals_count_outside_of_dates() -> None:
    assert spoken_words("first of all") == ("first", "of", "all")
