"""Dates in a text, and the same place with another date in it.

All dates move by one number of whole weeks, so weekdays and what lies between two dates stay right.
"Tomorrow" and "next Monday" are no dates.
"""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from spoken_language import chinese_numbers
from spoken_language.chinese_numbers import DIGIT_VALUES, TEN
from spoken_language.english_number_words import spelled_ordinal
from voice_sim.authoring.identifiers.placeholders import REFERENCE_DATE
from voice_sim.understanding.words import spoken_words

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_FULL = frozenset(month.lower() for month in MONTHS)
_MONTH = "(?P<month>" + "|".join([*MONTHS, *(month[:3] for month in MONTHS), "Sept"]) + r")\b\.?"
_ORDINAL_WORDS = [spelled_ordinal(day).replace("-", "[ -]") for day in range(31, 0, -1)]
_DAY = rf"(?P<day>\d{{1,2}}(?:st|nd|rd|th)?\b|{'|'.join(_ORDINAL_WORDS)})"
_WEEKDAY = rf"(?:(?P<weekday>{'|'.join(DAYS)}),?(?: the| on)? )?"
_YEAR = r"(?P<year>(?:19|20)\d{2})"
_HAN_DIGITS = "".join(sign for sign in DIGIT_VALUES if sign not in "两幺")
_HAN_NUMBER = _HAN_DIGITS + TEN
_HAN_DAY = rf"(?:\d{{1,2}}|[{_HAN_NUMBER}]{{1,3}})"

_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<!\d)(?P<year>(?:19|20)\d{2})(?P<sep>[-/.])(?P<month>\d{1,2})(?P=sep)(?P<day>\d{1,2})(?!\d)",
        r"(?<!\d)(?P<month>\d{1,2})(?P<sep>[/])(?P<day>\d{1,2})(?P=sep)(?P<year>(?:19|20)\d{2})(?!\d)",
        # Where that names no month, the day stands first.
        r"(?<!\d)(?P<day>\d{1,2})(?P<sep>[-/.])(?P<month>\d{1,2})(?P=sep)(?P<year>(?:19|20)\d{2})(?!\d)",
        rf"\b{_WEEKDAY}{_MONTH} (?:the )?{_DAY}(?:,? (?:of )?{_YEAR})?(?!\w)",
        rf"\b{_WEEKDAY}(?:the )?{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?(?!\w)",
        rf""
        rf"(?:(?P<year>(?:19|20)\d{{2}}|[{_HAN_DIGITS}]{{4}})年)?(?P<month>{_HAN_DAY})月(?P<day>{_HAN_DAY})(?=[日号])"
        r"(?:[日号][，,（( ]{0,2}(?:星期|周|礼拜)(?P<weekday>[一二三四五六日天]))?",
    )
)
_PARTS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?i:in|since|until|by|from|of|last|this|next|during|mid|early|late)[ -]{_MONTH}"
        rf"(?:,? {_YEAR})?(?! \d| the \d)",
        rf"\b(?i:in|since|from|until|year|of) {_YEAR}(?!\w)",
        r"\b(?i:on|by|until|before|since|around|after) the (?P<day>\d{1,2}(?:st|nd|rd|th))(?! floor| time|"
        r" street)",
        r"(?P<year>(?:19|20)\d{2})年(?!\d{1,2}月)",
        rf"(?<![路街道巷弄\d{_HAN_NUMBER}月])(?P<day>\d{{1,2}})号(?![线楼门院机码店厅])",
    )
)


@dataclass(frozen=True, kw_only=True)
class FoundDate:
    """A date, or a part of one, and where its parts stand in the text.

    Attributes:
        year, month, day: None where the text leaves it out.
        weekday: 0 is Monday; None where the text has none.
        padded: Written as 2025-01-08, with a leading zero where there is one digit.
        places: Part -> (start, end) in the text.
    """

    start: int
    end: int
    year: int | None
    month: int | None
    day: int | None
    weekday: int | None
    padded: bool
    places: tuple[tuple[str, int, int], ...]

    @property
    def whole(self) -> bool:
        """Whether it names a day of a month; parts alone identify nothing."""
        return self.month is not None and self.day is not None


def find_dates(text: str) -> Iterator[FoundDate]:
    """Dates in digits and in words, not overlapping."""
    taken: list[tuple[int, int]] = []
    for pattern in (*_PATTERNS, *_PARTS):
        for found in pattern.finditer(text):
            if any(found.start() < end and found.end() > start for start, end in taken):
                continue
            date = _read(found)
            if date is not None:
                taken.append((found.start(), found.end()))
                yield date


@dataclass(frozen=True, kw_only=True)
class Shift:
    """How dates move: by so many days, a multiple of seven. ``year`` is that of dates without one, ``month``
    that of days without one."""

    days: int
    year: int
    month: int

    def moved(self, date: FoundDate) -> datetime.date:
        """The new date; of parts that the text leaves out, nothing is to be used."""
        year = self._year_of(date)
        day = date.day if date.day is not None else 15
        month = date.month if date.month is not None else self.month if date.day is not None else 6
        return _real(year, month, day) + datetime.timedelta(days=self.days)

    def _year_of(self, date: FoundDate) -> int:
        if date.year is not None:
            return date.year
        if date.weekday is not None and date.month and date.day:
            near = sorted(range(self.year - 6, self.year + 7), key=lambda year: abs(year - self.year))
            fitting = (y for y in near if _real(y, date.month, date.day).weekday() == date.weekday)
            return next(fitting, self.year)
        return self.year

    def written(self, text: str, date: FoundDate) -> str:
        """The part of the text that holds the date, with the new one in it."""
        new = self.moved(date)
        out, at = [], date.start
        for part, start, end in sorted(date.places, key=lambda place: place[1]):
            out += [text[at:start], _like(text[start:end], part, new, padded=date.padded)]
            at = end
        return "".join(out) + text[at : date.end]


class TooManyDates(ValueError):
    """Dates on so many days of the year that however they move, some land on each other's days."""


def shift_for(dates: Iterable[FoundDate]) -> Shift:
    """Moves the date that is named most often to the week of the reference date, or as near as possible such
    that no day of the originals is a day of the results.

    Raises:
        TooManyDates: There is no such move.
    """
    found = list(dates)
    years = Counter(date.year for date in found if date.year is not None)
    year = years.most_common(1)[0][0] if years else REFERENCE_DATE.year
    whole = [date for date in found if date.month is not None and date.day is not None]
    if not whole:
        return Shift(days=-364 * max(1, year - REFERENCE_DATE.year), year=year, month=REFERENCE_DATE.month)
    still = Shift(days=0, year=year, month=REFERENCE_DATE.month)
    days = Counter(still.moved(date) for date in whole)
    most = max(days.values())
    anchor = max(day for day, count in days.items() if count == most)
    originals = {(day.month, day.day) for day in days}
    start = round((REFERENCE_DATE - anchor).days / 7) * 7
    for step in range(400):
        for days_moved in (start + 7 * step, start - 7 * step):
            shifted = {day + datetime.timedelta(days=days_moved) for day in days}
            if days_moved and not originals & {(day.month, day.day) for day in shifted}:
                return Shift(days=days_moved, year=year, month=anchor.month)
    told = f"{len(originals)} different days are named: there is no day left to move them to"
    raise TooManyDates(told)


def _read(found: re.Match[str]) -> FoundDate | None:
    parts = found.groupdict()
    written_day, written_month = parts.get("day"), parts.get("month")
    day, month = _number(written_day), _month(written_month)
    year = _number(parts.get("year"))
    lower = written_month and written_month.islower() and written_month in ("may", "march", "mar")
    if lower and not (written_day or "")[-2:].isalpha():
        return None  # "may 20 people come": no month
    if (written_day and not (day and 1 <= day <= 31)) or (written_month and not month):
        return None
    weekday = parts.get("weekday")
    number = None
    if weekday:
        number = (
            DAYS.index(weekday.lower())
            if weekday.isascii()
            else "一二三四五六日".index(weekday.replace("天", "日"))
        )
    places = tuple((name, *found.span(name)) for name in ("year", "month", "day") if parts.get(name))
    digits = [parts.get(name) or "" for name in ("month", "day")]
    return FoundDate(
        start=found.start(),
        end=found.end(),
        year=year,
        month=month,
        day=day,
        weekday=number,
        padded=bool(parts.get("sep")) and all(len(each) == 2 for each in digits),
        places=places,
    )


def _number(written: str | None) -> int | None:
    if not written:
        return None
    digits = re.sub(r"(?:st|nd|rd|th)$", "", written.lower())
    if digits.isdigit():
        return int(digits)
    if not written.isascii():
        words = spoken_words(written)
        return int(words[0]) if len(words) == 1 and words[0].isdigit() else None
    folded = written.lower().replace(" ", "-")
    return next((day for day in range(1, 32) if spelled_ordinal(day) == folded), None)


def _month(written: str | None) -> int | None:
    if not written:
        return None
    number = _number(written) if not written[0].isalpha() or not written.isascii() else None
    if number is None and written.isascii():
        heads = [month[:3].lower() for month in MONTHS]
        number = heads.index(written[:3].lower()) + 1 if written[:3].lower() in heads else None
    return number if number and 1 <= number <= 12 else None


def _real(year: int, month: int, day: int) -> datetime.date:
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return datetime.date(year, month, 28)


def _like(written: str, part: str, new: datetime.date, *, padded: bool) -> str:
    """One part of the new date, written as the old one was."""
    value = {"year": new.year, "month": new.month, "day": new.day}[part]
    if written.isdigit():
        return f"{value:02d}" if padded or written.startswith("0") else str(value)
    if not written.isascii():
        if part == "year":
            return chinese_numbers.read_out(str(value))
        return chinese_numbers.spelled(value)
    if part == "month":
        name = MONTHS[value - 1]
        name = name if written.lower() in _FULL else name[:3]
        return name if written[0].isupper() else name.lower()
    if written[0].isdigit():
        return f"{value}{_suffix(value)}"
    return spelled_ordinal(value).replace("-", " " if " " in written else "-")


def _suffix(day: int) -> str:
    if 11 <= day <= 13:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
