"""Numbers, dates and times are compared by value. Every expected reading is worked out by hand."""

from __future__ import annotations

import pytest

from voice_sim.guard.values.reading import values


def _read(text: str) -> list[tuple[str, set[str], str]]:
    return [(value.kind, set(value.readings), value.unit) for value in values(text)]


@pytest.mark.parametrize(
    ("text", "kind", "reading", "unit"),
    [
        ("two hundred yuan", "number", "200", "yuan"),
        ("200 yuan", "number", "200", "yuan"),
        ("¥1,150", "number", "1150", "yuan"),
        ("eleven hundred and fifty", "number", "1150", ""),
        ("a hundred and eighty-six thousand", "number", "186000", ""),
        ("four and a half thousand", "number", "4500", ""),
        ("two point seven days", "number", "2.7", "day"),
        ("eight eight four three", "number", "8843", ""),
        ("double five one two", "number", "5512", ""),
        ("400-123-4100", "number", "4001234100", ""),
        ("twenty eighteen", "number", "2018", ""),
        ("nineteen ninety-four", "number", "1994", ""),
        ("sixty-two per cent", "number", "62", "percent"),
        ("January thirteenth", "date", "d1-13", ""),
        ("the twentieth of December", "date", "d12-20", ""),
        ("the fourteenth", "day", "day14", ""),
        ("half past two", "time", "t2:30", ""),
        ("a quarter to eleven", "time", "t10:45", ""),
        ("14:05", "time", "t2:05", ""),
        ("Thursday", "weekday", "w3", ""),
        ("ma dot chao, at road dot example", "email", "ma.chao@road.example", ""),
        ("二十五块钱", "number", "25", "yuan"),
        ("六六零四", "number", "6604", ""),
        ("两千四", "number", "2400", ""),
        ("一百零六次", "number", "106", "次"),
        ("1.18万元", "number", "11800", "yuan"),
        ("百分之六十二", "number", "62", "percent"),
        ("一月九号", "date", "d1-9", ""),
        ("下午三点半", "time", "t3:30", ""),
        ("星期四", "weekday", "w3", ""),
    ],
)
def test_one_value(text: str, kind: str, reading: str, unit: str) -> None:
    first = _read(text)[0]
    assert first[0] == kind
    assert reading in first[1]
    assert first[2] == unit


@pytest.mark.parametrize("text", ["00:60", "at 9:75", "25:00", "十点六十分", "二十五点整"])
def test_what_no_clock_shows_is_no_time(text: str) -> None:
    assert "time" not in {kind for kind, _, _ in _read(text)}


@pytest.mark.parametrize(
    ("text", "reading"), [("00:59", "t0:59"), ("24:00", "t0:00"), ("十点五十九分", "t10:59")]
)
def test_the_last_minutes_of_an_hour_and_a_day_are_times(text: str, reading: str) -> None:
    assert ("time", {reading}, "") in _read(text)


@pytest.mark.parametrize(
    "text", ["May I ask?", "I may go.", "They march on.", "七八个人", "千万别", "I won."]
)
def test_words_that_only_look_like_values(text: str) -> None:
    assert _read(text) == []


def test_neighbours_stay_apart_unless_they_are_digits_of_one_number() -> None:
    assert [sorted(readings)[0] for _, readings, _ in _read("Three, six, five.")] == ["3", "6", "5"]
    phone = _read("One three eight, one two three four, zero one three seven.")
    assert phone[0][1] == {"13812340137"}


def test_an_ordinal_of_any_length_is_read() -> None:
    """Python turns no more than 4300 digits into a number."""
    assert not values("the " + "1" * 4500 + "th")
