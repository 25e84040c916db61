"""One number in English words, by hand."""

from __future__ import annotations

from decimal import Decimal

import pytest

from spoken_language.english_quantities import is_quantity_word, read_below_hundred, read_quantity


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("zero", 0, 1),
        ("twenty five", 25, 2),
        ("twenty zero", 20, 1),
        ("twenty twenty", 20, 1),
        ("one hundred and five", 105, 4),
        ("one hundred and two hundred", 100, 2),
        ("one hundred and then", 100, 2),
        ("hundred", 100, 1),
        ("a hundred", 100, 2),
        ("a house", None, 0),
        ("twenty three hundred", 2300, 3),
        ("three hundred thousand and seven", 300_007, 5),
        ("two thousand three thousand", 2000, 2),
        ("two million three hundred thousand four", 2_300_004, 6),
        ("two trillion", 2 * 10**12, 2),
        ("first", 1, 1),
        ("twenty first", 21, 2),
        ("one hundred and first", 101, 4),
        ("one hundred first", 100, 2),
        ("one hundred twelfth", 112, 3),
        ("two thousand first", 2000, 2),
        ("two thousand and first", 2001, 4),
        ("two hundredth", 200, 2),
        ("thousandth", None, 0),
        ("5 million", None, 0),
        ("and five", None, 0),
        ("", None, 0),
    ],
)
def test_quantity(text: str, value: int | None, words: int) -> None:
    read = read_quantity(text.split(), 0)
    assert (read and int(read.value), read.end if read else 0) == (value, words)


def test_an_ordinal_is_known() -> None:
    for text in ("first", "twenty first", "one hundred and first", "two millionth"):
        read = read_quantity(text.split(), 0)
        assert read is not None
        assert read.ordinal
    cardinal = read_quantity(["twenty", "one"], 0)
    assert cardinal is not None
    assert not cardinal.ordinal


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("5 million", Decimal(5_000_000), 2),
        ("2.5 million", Decimal(2_500_000), 2),
        ("2 thousand 500", Decimal(2500), 3),
        ("2 thousand 5000", Decimal(2000), 2),
        ("20 second", Decimal(22), 2),
        ("25 second", Decimal(25), 1),
        ("12345678901234567890", Decimal(12345678901234567890), 1),
    ],
)
def test_digits_belong_to_it_where_they_may(text: str, value: Decimal, words: int) -> None:
    read = read_quantity(text.split(), 0, digits=True)
    assert read is not None
    assert (read.value, read.end) == (value, words)


def test_what_may_begin_and_end_one_is_the_readers_choice() -> None:
    assert read_quantity(["hundred"], 0, bare_scales=False) is None
    a_hundred = read_quantity(["a", "hundred"], 0, bare_scales=False)
    assert a_hundred is not None
    assert a_hundred.value == 100
    american = read_quantity(["one", "hundred", "first"], 0, joins_ordinals=True)
    assert american is not None
    assert (american.value, american.ordinal) == (101, True)


def test_below_a_hundred_only() -> None:
    read = read_below_hundred(["call", "forty", "one", "hundred"], 1)
    assert read is not None
    assert (read.value, read.end) == (41, 3)
    assert read_below_hundred(["hundred"], 0) is None


def test_words_that_begin_one() -> None:
    assert all(map(is_quantity_word, ("nought", "nineteen", "forty", "hundred", "billion", "ninth")))
    assert not any(map(is_quantity_word, ("a", "and", "oh", "5", "hundredth")))
