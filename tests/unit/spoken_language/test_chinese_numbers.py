"""Numbers in Chinese characters, by hand."""

from __future__ import annotations

import random

import pytest

from spoken_language.chinese_numbers import in_digits, one_by_one, read_out, spelled, value_of


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("十", 10),
        ("十五", 15),
        ("二十五", 25),
        ("一百零五", 105),
        ("一百五", 150),
        ("一百一十五", 115),
        ("一百十五", 115),
        ("一千零十", 1010),
        ("两千四", 2400),
        ("两千零五", 2005),
        ("一万二", 12_000),
        ("一万零二", 10_002),
        ("一万零八十六", 10_086),
        ("十万", 100_000),
        ("一亿两千万", 120_000_000),
        ("一亿二", 120_000_000),
        ("一亿零一千", 100_001_000),
        ("2000万", 20_000_000),
        ("5百", 500),
        ("三四十", None),
        ("二十三十", None),
        ("两三千", None),
        ("百五", None),
        ("零十", None),
        ("万", None),
        ("一万一亿", None),
        ("一三八", None),
    ],
)
def test_value(written: str, value: int | None) -> None:
    assert value_of(written) == value


@pytest.mark.parametrize(
    ("written", "digits"),
    [
        ("一三八零零", "13800"),
        ("幺三八", "138"),
        ("二〇二六", "2026"),
        ("二十五", "25"),
        ("三四十", "3410"),
        ("两三千", "23千"),
    ],
)
def test_digits(written: str, digits: str) -> None:
    assert in_digits(written) == digits


@pytest.mark.parametrize(
    ("value", "characters"),
    [
        (0, "零"),
        (10, "十"),
        (15, "十五"),
        (110, "一百一十"),
        (200, "二百"),
        (1005, "一千零五"),
        (10_086, "一万零八十六"),
        (101_000, "十万一千"),
        (100_001_000, "一亿零一千"),
        (999_999_999_999, "九千九百九十九亿九千九百九十九万九千九百九十九"),
    ],
)
def test_spelled(value: int, characters: str) -> None:
    assert spelled(value) == characters


@pytest.mark.parametrize("value", [-1, 10**12])
def test_only_what_has_a_name_is_spelled(value: int) -> None:
    with pytest.raises(ValueError, match="from 0 to a trillion"):
        spelled(value)


def test_what_is_spelled_is_read_back() -> None:
    some = random.Random(5)
    for value in [*range(2000), *(some.randrange(10 ** some.randrange(1, 13)) for _ in range(3000))]:
        assert value_of(spelled(value)) == value


def test_one_by_one() -> None:
    assert one_by_one("一三八两") == "1382"
    assert read_out("138A") == "一三八A"
