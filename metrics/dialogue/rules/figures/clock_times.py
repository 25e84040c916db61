"""Times of day in a text, however they were said: "half past ten", 10:30, 22:30, 十点半.

Morning and evening are not told apart: people leave it out as often as not.
"""

from __future__ import annotations

import re
from functools import lru_cache

from spoken_language.chinese_numbers import DIGIT_VALUES, TEN, value_of
from spoken_language.english_number_words import alternatives, spelled

Clock = tuple[int, int]
"""Hour (1 to 12) and minute."""

_HOURS = {spelled(hour): hour for hour in range(1, 13)}
_MINUTES = {spelled(minute): minute for minute in (15, 20, 30, 40, 45)}
_MINUTES |= {name.replace("-", " "): minute for name, minute in _MINUTES.items()}
_H = rf"(\d{{1,2}}|{alternatives(_HOURS)})"
_M = rf"(?:[:. ]([0-5]\d)|[ -]({alternatives(_MINUTES)}))"
_DAYPART = r"(?:o'clock|[ap]\.?m\b|sharp|(?:\w+ )?in the (?:early )?(?:morning|afternoon|evening)|at night)"
_ENDS = (
    r"(?=\s*(?:$|[,.;:?!]|\b(?:in the|on|at|sharp|tomorrow|today|tonight|or|and|o'clock|already|then|but)\b))"
)
_BEFORE = r"\b(?:at|by|before|after|until|till|from|around|about|towards|past|since)"

_DIGITAL = re.compile(r"\b(\d{1,2}):([0-5]\d)\b")
_PARTS = {"half past": (0, 30), "quarter past": (0, 15), "quarter to": (1, 45)}
_PARTS |= {f"{spelled(minute)} past": (0, minute) for minute in (10, 20)}
_PAST = re.compile(rf"\b({alternatives(_PARTS)}) {_H}\b")
_WITH_DAYPART = re.compile(rf"\b{_H}{_M}?\s*{_DAYPART}")
_AFTER_WORD = re.compile(rf"{_BEFORE} {_H}{_M}?{_ENDS}")
_WITH_MINUTES = re.compile(rf"{_BEFORE} {_H}{_M}\b")
_RANGE = re.compile(rf"\b(?:between|from) {_H}{_M}? (?:and|to|till|until) {_H}{_M}?{_ENDS}")
_BARE_RANGE = re.compile(rf"\b{_H} to {_H}{_ENDS}")

_HAN = "".join(sign for sign in DIGIT_VALUES if sign != "幺") + TEN
_HAN_CLOCK = re.compile(
    rf"(上午|下午|早上|早晨|清早|晚上|夜里|凌晨|中午|傍晚|今晚|明早|晚|早)?(?<![{_HAN}\d.])(\d{{1,2}}|[{_HAN}]{{1,3}})"
    rf"点(?!\d*[万亿%])(?:钟)?(半|一刻|三刻|(?:过|零|〇)?(?:\d{{1,2}}|[{_HAN}]{{1,3}})分?)?"
)
_HAN_WEEKDAY = re.compile(r"(?<![一二两三每几])(周|星期|礼拜)[一二三四五六日天]")
_NO_CLOCK = 99
_HAN_NO_CLOCK = re.compile(r"(?:百分之|这|那|有|以下|几|快)$")


@lru_cache(maxsize=4096)
def clocks_of(text: str) -> frozenset[Clock]:
    """The times of day that a text names."""
    low = text.casefold().replace("’", "'")
    found: set[Clock] = set()
    for hour, minute in _DIGITAL.findall(low):
        _add(found, int(hour), int(minute))
    # Not "ten to twelve": that is a span as often as a minute.
    for part, hour in _PAST.findall(low):
        before, minute = _PARTS[part]
        _add(found, _hour(hour) - before, minute)
    for pattern in (_WITH_DAYPART, _AFTER_WORD, _WITH_MINUTES):
        for hour, digits, name in pattern.findall(low):
            _add(found, _hour(hour), _minute(digits, name))
    for first, digits, name, last, last_digits, last_name in _RANGE.findall(low):
        _add(found, _hour(first), _minute(digits, name))
        _add(found, _hour(last), _minute(last_digits, last_name))
    for first, last in _BARE_RANGE.findall(low):
        _add(found, _hour(first), 0)
        _add(found, _hour(last), 0)
    # 周五五点: the weekday's numeral is not the hour's.
    without_weekdays = _HAN_WEEKDAY.sub(r"\1 ", text)
    for match in _HAN_CLOCK.finditer(without_weekdays):
        daypart, hour, rest = match.groups()
        if hour in ("零", "0") and rest:
            continue
        # 一点 mostly is "a little"; 这三点 are three points.
        if not daypart and (hour in ("一", "1") or _HAN_NO_CLOCK.search(without_weekdays[: match.start()])):
            continue
        _add(found, _han_number(hour), _han_minute(rest or ""))
    return frozenset(found)


def _add(found: set[Clock], hour: int, minute: int) -> None:
    if 0 <= hour <= 24 and 0 <= minute < 60:
        found.add(((hour - 1) % 12 + 1, minute))


def _hour(said: str) -> int:
    return _HOURS.get(said) or int(said)


def _minute(digits: str, name: str) -> int:
    return int(digits) if digits else _MINUTES.get(name, 0)


def _han_number(said: str) -> int:
    """Of an hour or a minute; :data:`_NO_CLOCK` where it is none (三五点: from three to five)."""
    if said.isdigit():
        return int(said)
    value = value_of(said)
    return _NO_CLOCK if value is None else value


def _han_minute(said: str) -> int:
    if said in ("", "半", "一刻", "三刻"):
        return {"": 0, "半": 30, "一刻": 15, "三刻": 45}[said]
    plain = said.strip("过分")
    return _han_number(plain.lstrip("零〇") or "零") if plain else 0
