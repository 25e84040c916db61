"""One value in a text: an amount, a number, a date, a time, a month, a weekday, an email address.

A value is compared by its readings, never by its spelling.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

ValueKind = Literal["number", "date", "day", "time", "month", "weekday", "email"]


@dataclass(frozen=True, kw_only=True)
class Value:
    """One value; see the module's docstring.

    Attributes:
        readings: What it can mean: "41", "d1-13" (January 13), "day13", "t2:30", "m3", "w4" (Friday).
        parts: What else it lets a listener know, for the known side of a comparison only.
        unit: What is counted, as a stem: the word behind the number.
        units: That word and the one behind it ("forty-one card payments"); the unit alone in Chinese.
        at: Where it begins, counted in tokens (English) or characters (Chinese).
        hedged: "about", "nearly", 左右: 10 % off is still the same.
        digits: A string of digits that is no quantity: the end of a card, a telephone number.
        round_figure: A hundred, a thousand as a figure of speech may be meant.
    """

    kind: ValueKind
    readings: frozenset[str]
    text: str
    parts: frozenset[str] = frozenset()
    unit: str = ""
    units: frozenset[str] = frozenset()
    at: int = 0
    hedged: bool = False
    digits: bool = False
    round_figure: bool = False

    @property
    def number(self) -> float | None:
        """The smallest number among the readings, None for a date, a time and so on."""
        numbers = [float(reading) for reading in self.readings if re.fullmatch(r"\d+(\.\d+)?", reading)]
        return min(numbers, default=None)


def is_time(hour: int, minute: int) -> bool:
    """Whether a clock shows that: 00:60 and 25:00 are none."""
    return 0 <= hour <= 24 and 0 <= minute < 60


def time_value(hour: int, minute: int, text: str, at: int) -> Value:
    """A time of the day; of the twelve-hour clock, as people say it."""
    parts = {str(hour)} if minute == 0 else {str(hour), str(minute), f"{hour}{minute:02d}"}
    return Value(
        kind="time",
        readings=frozenset({f"t{hour % 12}:{minute:02d}"}),
        text=text,
        at=at,
        parts=frozenset(parts),
    )
