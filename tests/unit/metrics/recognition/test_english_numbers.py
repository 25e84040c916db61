"""Spoken numbers to digits, token by token: where a number begins, what belongs to it, where it ends."""

from __future__ import annotations

import pytest

from metrics.recognition.english_numbers import (
    is_whole_number,
    join_whole_numbers,
    numbers_to_digits,
    ordinal,
)


@pytest.mark.parametrize(
    ("spoken", "digits"),
    [
        ("", ""),
        # Repeated digits; of "oh" only before a number.
        ("double five", "55"),
        ("triple five six", "555 6"),
        ("double 5", "55"),
        ("double 55", "double 55"),
        ("double", "double"),
        ("double agent", "double agent"),
        ("two hundred first", "201st"),
        ("double oh seven", "00 7"),
        ("double oh eleven", "00 11"),
        ("double oh twenty", "00 20"),
        ("triple o 7", "000 7"),
        ("double oh", "double oh"),
        ("double oh dear", "double oh dear"),
        # Fractions: everything that follows the point, an "oh" only beside a digit.
        ("point five", "0.5"),
        ("point oh five", "0.05"),
        ("point five oh", "0.50"),
        ("point five oh x", "0.50 x"),
        ("point oh well", "point oh well"),
        ("three point oh", "3.0"),
        ("three point oh 5", "3.05"),
        ("three point oh oh five", "3.005"),
        ("three point 1 4", "3.14"),
        ("three point one fourteen twenty five", "3.11425"),
        ("three point first", "3 point 1st"),
        ("three point", "3 point"),
        ("point", "point"),
        ("3.14 point five", "3.14 0.5"),
        # A fraction of a scale is a whole number again, where it is no longer than a quantity.
        ("three point five million", "3500000"),
        ("two point five zero thousand", "2500"),
        ("one point two three four five thousand", "1234.5"),
        ("one point two three four five zero thousand x", "1234.5 x"),
        ("three point one two three four five six seven eight nine one two three x", "3.123456789123 x"),
        ("three point 1234567890123 x", "3.1234567890123 x"),
        # As written, where it is written in digits.
        ("007", "007"),
        ("0.50", "0.50"),
        ("ten", "10"),
        ("2 thousand", "2000"),
        ("one hundred", "100"),
        ("twenty first of may", "21st of may"),
        # "oh" among digits: between them always, beside them from three on.
        ("five oh five", "5 0 5"),
        ("1 oh 2", "1 0 2"),
        ("oh 12", "oh 12"),
        ("oh 123", "0 123"),
        ("oh 1 23", "0 1 23"),
        ("12 oh", "12 oh"),
        ("123 o", "123 0"),
        ("oh 1 oh 2 oh", "oh 1 0 2 oh"),
        ("oh 1 oh 23 oh", "0 1 0 23 0"),
        ("oh x 123", "oh x 123"),
        ("123 x oh", "123 x oh"),
        ("oh oh", "oh oh"),
        ("x 1 oh 1 x 2 oh 2", "x 1 0 1 x 2 0 2"),
    ],
)
def test_numbers_become_digits(spoken: str, digits: str) -> None:
    assert numbers_to_digits(spoken.split()) == digits.split()


def test_a_fraction_too_long_to_be_a_quantity_has_no_scale() -> None:
    """Thirteen digits behind the point, or before it: more than anybody means; its million stands alone."""
    for long in ("3.1234567890123", "1234567890123.5"):
        whole, behind = long.split(".")
        found = numbers_to_digits([whole, "point", behind, "million"])
        assert found[0] == long
        assert len(found) == 2


def test_whole_numbers_beside_each_other_are_one() -> None:
    assert join_whole_numbers(["5", "55", "x", "1", "2", "3"]) == ["555", "x", "123"]
    assert join_whole_numbers(["1", "x", "2", "3.5", "4", "2nd", "6"]) == [
        "1",
        "x",
        "2",
        "3.5",
        "4",
        "2nd",
        "6",
    ]
    assert join_whole_numbers([]) == []


def test_a_whole_number_has_nothing_but_digits() -> None:
    assert [one for one in ("0", "12", "1.2", "12a", "a12", "", "2nd") if is_whole_number(one)] == ["0", "12"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1", "1st"),
        ("2", "2nd"),
        ("3", "3rd"),
        ("4", "4th"),
        ("10", "10th"),
        ("11", "11th"),
        ("12", "12th"),
        ("13", "13th"),
        ("21", "21st"),
        ("101", "101st"),
        ("111", "111th"),
        ("122", "122nd"),
        ("213", "213th"),
    ],
)
def test_the_ending_of_an_ordinal(value: str, expected: str) -> None:
    assert ordinal(value) == expected
