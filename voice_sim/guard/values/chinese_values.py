"""The values in a Chinese text, taken out kind by kind: see :mod:`voice_sim.guard.values.value`."""

from __future__ import annotations

import re
from collections.abc import Callable

from spoken_language.chinese_numbers import MYRIADS, SCALES
from voice_sim.guard.values.chinese_numbers import NUMBER, chinese_readings
from voice_sim.guard.values.value import Value, is_time, time_value

_ZH_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6, "1": 0, "2": 1}
_ZH_WEEKDAYS |= {"3": 2, "4": 3, "5": 4, "6": 5}
_ZH_HEDGE_BEFORE = re.compile(r"(大概|大约|差不多|将近|快|约|不到|得有|上下)$")
_ZH_HEDGE_AFTER = re.compile(r"^(多|来|左右|上下|出头|几)")
_ZH_UNIT = re.compile(
    r"块钱|块|元|岁|个月|个人|个钟头|个小时|个省|个|周岁|小时|钟头|分钟|秒|年|天|周|次|趟|回|家|台"
    r"|张|本|套|斤|公斤|朵|克|站|层|楼"
    r"|遍|口|条|笔|把|度|页|顿|只|头|箱|件|平|米|里|公里|人|成|G|T"
)
_ZH_MONEY = frozenset({"块钱", "块", "元"})
_ZH_DATE = re.compile(rf"({NUMBER})月份?(?:({NUMBER})[号日]?)?")
_ZH_TIME = re.compile(rf"({NUMBER})点(?:(半)|(一刻)|(三刻)|({NUMBER})分?|钟|整)?")
_ZH_DAY = re.compile(rf"({NUMBER})[号日](?!楼|线|店|院|问题)")
_ZH_WEEKDAY = re.compile(r"(?:星期|礼拜|周)([一二三四五六日天1-6])")
_ZH_PERCENT = re.compile(rf"百分之({NUMBER})|({NUMBER})%|({NUMBER})个点")
_ZH_NUMBER = re.compile(NUMBER)

_Maker = Callable[[re.Match[str]], Value | None]


def chinese_values(text: str) -> list[Value]:
    """Every value in a Chinese text, in order."""
    found: list[Value] = []
    for pattern, make in _KINDS:
        text = _taken(pattern, make, text, found)
    found += [value for match in _ZH_NUMBER.finditer(text) if (value := _zh_number(match, text)) is not None]
    return sorted(found, key=lambda value: value.at)


def _taken(pattern: re.Pattern[str], make: _Maker, text: str, found: list[Value]) -> str:
    """The text without the values of one kind, which are now among the found."""

    def replace(match: re.Match[str]) -> str:
        value = make(match)
        if value is None:
            return match[0]
        found.append(value)
        return "，" * len(match[0])

    return pattern.sub(replace, text)


def _zh_number(match: re.Match[str], text: str) -> Value | None:
    written = match[0]
    readings = chinese_readings(written)
    if not readings:
        return None
    tail = text[match.end() : match.end() + 4]
    before = text[max(0, match.start() - 4) : match.start()]
    unit = _ZH_UNIT.match(re.sub(r"^[多来几]", "", tail))
    name = unit[0] if unit else ""
    counted = "yuan" if name in _ZH_MONEY else name
    plain = not any(character in SCALES or character in MYRIADS for character in written)
    return Value(
        kind="number",
        readings=readings,
        text=written + name,
        unit=counted,
        units=frozenset({counted} - {""}),
        at=match.start(),
        hedged=bool(_ZH_HEDGE_BEFORE.search(before) or _ZH_HEDGE_AFTER.match(tail)),
        digits=plain and not name and len(written) >= 3,
        round_figure=written in ("一百", "一千", "一万", "十万", "百", "千"),
    )


def _one(written: str | None) -> int | None:
    readings = chinese_readings(written) if written else frozenset()
    if len(readings) != 1:
        return None
    (reading,) = readings
    return int(reading) if reading.isdigit() and len(reading) <= 4 else None


def _zh_percent(match: re.Match[str]) -> Value | None:
    readings = chinese_readings(match[1] or match[2] or match[3])
    if not readings:
        return None
    return Value(kind="number", readings=readings, text=match[0], unit="percent", at=match.start())


def _zh_weekday(match: re.Match[str]) -> Value:
    reading = frozenset({f"w{_ZH_WEEKDAYS[match[1]]}"})
    return Value(kind="weekday", readings=reading, text=match[0], at=match.start())


def _zh_date(match: re.Match[str]) -> Value | None:
    month, day = _one(match[1]), _one(match[2])
    if month is None or not 1 <= month <= 12:
        return None
    if day is None:
        return Value(kind="month", readings=frozenset({f"m{month}"}), text=match[0], at=match.start())
    return Value(
        kind="date",
        readings=frozenset({f"d{month}-{day}"}),
        text=match[0],
        at=match.start(),
        parts=frozenset({str(day), f"m{month}", f"of-date-day{day}"}),
    )


def _zh_time(match: re.Match[str]) -> Value | None:
    hour = _one(match[1])
    if hour is None or (hour == 1 and match[0] == "一点"):
        return None
    minute = 30 if match[2] else 15 if match[3] else 45 if match[4] else (_one(match[5]) or 0)
    return time_value(hour, minute, match[0], match.start()) if is_time(hour, minute) else None


def _zh_day(match: re.Match[str]) -> Value | None:
    day = _one(match[1])
    if day is None or not 4 <= day <= 31:
        return None
    reading = frozenset({f"day{day}"})
    return Value(kind="day", readings=reading, text=match[0], at=match.start(), parts=frozenset({str(day)}))


_KINDS: tuple[tuple[re.Pattern[str], _Maker], ...] = (
    (_ZH_PERCENT, _zh_percent),
    (_ZH_WEEKDAY, _zh_weekday),
    (_ZH_DATE, _zh_date),
    (_ZH_TIME, _zh_time),
    (_ZH_DAY, _zh_day),
)
"""What is taken out of the text before plain numbers, in this order."""
