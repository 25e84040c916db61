"""The values in a text: amounts, numbers, dates, times, months, weekdays, email addresses.

A value is compared by its readings, never by its spelling. ``unit`` is what is counted ("yuan", "payment",
"岁"); "" where nothing follows.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from voice_sim.guard.chinese_numbers import NUMBER, chinese_readings
from voice_sim.guard.english_numbers import is_number_word, read_number
from voice_sim.guard.words import CJK, listed, stem

ValueKind = Literal["number", "date", "day", "time", "month", "weekday", "email"]

_MONTHS = listed("january february march april may june july august september october november december")
_SHORT_MONTHS = {month[:3]: n for n, month in enumerate(_MONTHS, start=1)} | {"sept": 9}
_WEEKDAYS = listed("monday tuesday wednesday thursday friday saturday sunday")
_ZH_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6, "1": 0, "2": 1}
_ZH_WEEKDAYS |= {"3": 2, "4": 3, "5": 4, "6": 5}
_MAY_HOLD_ONE = re.compile(
    r"[0-9０-９@零〇一二三四五六七八九两幺十]|zero|oh\b|nought| dot "
    r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twel|teen|twent|thirt|fort|fift"
    r"|hundred|thousand|million|half|quarter|double|triple|first|second|third|day"
    r"|jan|feb|march|apr|may|june?|july?|aug|sept?|oct|nov|dec",
    re.IGNORECASE,
)
"""Most sentences hold no value, and reading them for one takes long."""
_TOKEN = re.compile(r"\d{1,2}:\d{2}|\d+(?:st|nd|rd|th)\b|\d+(?:\.\d+)?|[a-z]+(?:'[a-z]+)?|[^\s\w]|\w")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_EMAIL = re.compile(r"[a-z0-9][a-z0-9._+-]*@[a-z0-9-]+(?:\.[a-z0-9-]+)+")
_SPOKEN_EMAIL = re.compile(
    r"\b([a-z0-9]+(?:,? (?:dot|underscore|dash) [a-z0-9]+)*),? at ([a-z0-9]+(?:,? dot [a-z0-9]+)+)"
)
_MONEY = {"yuan": "yuan", "kuai": "yuan", "rmb": "yuan", "dollars": "dollar", "dollar": "dollar"}
_MONEY |= {"euro": "euro", "euros": "euro", "pounds": "pound", "quid": "pound"}
_SIGNS = {"¥": "yuan", "$": "dollar", "€": "euro", "£": "pound"}
_NO_UNIT = frozenset(
    listed(
        "and or but to of in on at by for from with is was are were the a an i you he she we they it"
        " that this so"
        " then now if as not no yes please sharp each in't also too per every i'm it's more less"
    )
)
_HEDGES = frozenset(listed("about around roughly nearly almost some over approximately under"))
_ZH_HEDGE_BEFORE = re.compile(r"(大概|大约|差不多|将近|快|约|不到|得有|上下)$")
_ZH_HEDGE_AFTER = re.compile(r"^(多|来|左右|上下|出头|几)")
_ZH_UNIT = re.compile(
    r"块钱|块|元|岁|个月|个人|个钟头|个小时|个省|个|周岁|小时|钟头|分钟|秒|年|天|周|次|趟|回|家|台"
    r"|张|本|套|斤|公斤|朵|克|站|层|楼"
    r"|遍|口|条|笔|把|度|页|顿|只|头|箱|件|平|米|里|公里|人|成|G|T"
)
_ZH_MONEY = frozenset({"块钱", "块", "元"})


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


@lru_cache(maxsize=32768)
def values(text: str) -> tuple[Value, ...]:
    """Every value in a text, in order; English and Chinese may be mixed."""
    if not _MAY_HOLD_ONE.search(text):
        return ()
    folded = _THOUSANDS.sub("", unicodedata.normalize("NFKC", text).replace("’", "'"))
    lower = folded.casefold()
    found = [
        Value(kind="email", readings=frozenset({match[0]}), text=match[0], at=match.start())
        for match in _EMAIL.finditer(lower)
    ]
    found += [
        Value(kind="email", readings=frozenset({_spoken_email(match)}), text=match[0], at=match.start())
        for match in _SPOKEN_EMAIL.finditer(lower)
    ]
    rest = _SPOKEN_EMAIL.sub(" ", _EMAIL.sub(" ", folded))
    if re.search(rf"[{CJK}]", rest):
        return (*found, *_chinese(rest))
    return (*found, *_english(rest))


def _spoken_email(match: re.Match[str]) -> str:
    def written(part: str) -> str:
        part = re.sub(r",? dot ", ".", part)
        return re.sub(r",? underscore ", "_", re.sub(r",? dash ", "-", part))

    return f"{written(match[1])}@{written(match[2])}"


# ---- English


def _english(text: str) -> list[Value]:
    # "may" and "march" are months only with a capital, and not before a pronoun ("May I …?").
    text = re.sub(r"\b(?:may|march)\b|\b(?:May|March)(?= (?:I|we|you|he|she|it|they)\b)", "x", text)
    tokens = _TOKEN.findall(re.sub(r"(?<=[a-z])-(?=[a-z])", " ", text.casefold()))
    found: list[Value] = []
    position = 0
    while position < len(tokens):
        value, after = _english_value(tokens, position)
        if value is not None:
            found.append(value)
        position = max(after, position + 1)
    return found


def _english_value(tokens: list[str], at: int) -> tuple[Value | None, int]:
    for reader in (_english_time, _english_date, _english_name_of_day, _english_number):
        value, after = reader(tokens, at)
        if after > at:
            return value, after
    return None, at + 1


def _english_time(tokens: list[str], at: int) -> tuple[Value | None, int]:
    token = tokens[at]
    if ":" in token and len(token) > 1:
        written_hour, written_minute = token.split(":")
        return _time(int(written_hour), int(written_minute), token, at), at + 1
    offset = 0
    if token in ("half", "quarter") and _get(tokens, at + 1) in ("past", "to"):
        offset = (30 if token == "half" else 15) * (1 if tokens[at + 1] == "past" else -1)
        hour_at = at + 2
    elif (
        is_number_word(token)
        and _get(tokens, at + 1) in ("past", "to")
        and is_number_word(_get(tokens, at + 2))
        and (minutes := _whole(tokens, at)) is not None
        and 5 <= minutes < 60
        and (tokens[at + 1] == "past" or minutes <= 25)
    ):
        offset = minutes if tokens[at + 1] == "past" else -minutes
        hour_at = at + 2
    else:
        hour_at = at
    hour = _whole(tokens, hour_at)
    if hour is None or not 0 <= hour <= 24:
        return None, at
    after = hour_at + 1
    if offset:
        total = (hour * 60 + offset) % 720
        return _time(total // 60, total % 60, " ".join(tokens[at:after]), at), after
    tail = tokens[after : after + 3]
    if tail[:1] == ["o"] and tail[1:2] == ["'"]:
        return _time(hour, 0, f"{hour} o'clock", at), after + 3
    if tail[:1] in (["o'clock"], ["am"], ["pm"]) or tail[:3] == ["in", "the", "morning"]:
        return _time(hour, 0, f"{hour} o'clock", at), after + 1
    if tail[:3] in (["in", "the", "afternoon"], ["in", "the", "evening"], ["at", "night"]):
        return _time(hour, 0, f"{hour} o'clock", at), after
    return None, at


def _time(hour: int, minute: int, text: str, at: int) -> Value:
    parts = {str(hour)} if minute == 0 else {str(hour), str(minute), f"{hour}{minute:02d}"}
    return Value(
        kind="time",
        readings=frozenset({f"t{hour % 12}:{minute:02d}"}),
        text=text,
        at=at,
        parts=frozenset(parts),
    )


def _english_date(tokens: list[str], at: int) -> tuple[Value | None, int]:
    month = _month(tokens[at])
    if month:
        day_at = at + 1 + (_get(tokens, at + 1) == "the")
        day, after = _day(tokens, day_at)
        if day:
            return _date(month, day, tokens[at:after], at), after
        return (
            Value(kind="month", readings=frozenset({f"m{month}"}), text=tokens[at], at=at),
            at + 1,
        )
    day, after = _day(tokens, at)
    if day:
        month_at = after + (_get(tokens, after) == "of")
        if month := _month(_get(tokens, month_at)):
            return _date(month, day, tokens[at : month_at + 1], at), month_at + 1
    return None, at


def _date(month: int, day: int, tokens: list[str], at: int) -> Value:
    return Value(
        kind="date",
        readings=frozenset({f"d{month}-{day}"}),
        text=" ".join(tokens),
        at=at,
        parts=frozenset({f"{day}", f"m{month}", f"of-date-day{day}"}),
    )


def _day(tokens: list[str], at: int) -> tuple[int, int]:
    """(day of a month, position after it), (0, at) where there is none."""
    token = _get(tokens, at)
    if found := re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", token):
        value = int(found[1])
        return (value, at + 1) if 1 <= value <= 31 else (0, at)
    number = read_number(tokens, at)
    if number is None or len(number.readings) != 1:
        return 0, at
    (reading,) = number.readings
    whole = reading.isdigit() and 1 <= int(reading) <= 31
    return (int(reading), number.end) if whole else (0, at)


def _english_name_of_day(tokens: list[str], at: int) -> tuple[Value | None, int]:
    token = tokens[at].removesuffix("s")
    if token not in _WEEKDAYS:
        return None, at
    reading = frozenset({f"w{_WEEKDAYS.index(token)}"})
    return Value(kind="weekday", readings=reading, text=tokens[at], at=at), at + 1


def _english_number(tokens: list[str], at: int) -> tuple[Value | None, int]:
    token = tokens[at]
    hedged = any(word in _HEDGES for word in tokens[max(0, at - 2) : at]) or tokens[max(0, at - 2) : at] == [
        "more",
        "than",
    ]
    if found := re.fullmatch(r"(\d+)(st|nd|rd|th)", token):
        return _ordinal_value(int(found[1]), token, at), at + 1
    if re.fullmatch(r"\d+(?:\.\d+)?", token):
        return _arabic_value(tokens, at, hedged)
    if token == "double" or token == "triple":
        digit = read_number(tokens, at + 1)
        if digit is not None and len(digit.readings) == 1:
            (reading,) = digit.readings
            repeated = (reading[0] * (2 if token == "double" else 3)) + reading[1:]
            return _number(
                tokens, at, digit.end, frozenset({repeated}), hedged=hedged, digits=True
            ), digit.end
    number = read_number(tokens, at)
    if number is None:
        return None, at
    if number.ordinal:
        return _ordinal_value(
            int(next(iter(number.readings))), " ".join(tokens[at : number.end]), at
        ), number.end
    value = _number(
        tokens,
        at,
        number.end,
        number.readings,
        hedged=hedged,
        digits=number.spoken_digits,
        parts=number.parts,
    )
    return value, number.end


def _ordinal_value(day: int, text: str, at: int) -> Value:
    if day < 4:
        # The first, second and third are words of order far more often than dates.
        return Value(
            kind="number", readings=frozenset({str(day)}), text=text, at=at, parts=frozenset({f"day{day}"})
        )
    return Value(kind="day", readings=frozenset({f"day{day}"}), text=text, at=at, parts=frozenset({str(day)}))


def _arabic_value(tokens: list[str], at: int, hedged: bool) -> tuple[Value, int]:
    """Digits, with the groups of a telephone number joined: 400-123-4100, 7 1234 18."""
    end, groups = at + 1, [tokens[at]]
    while True:
        dash = _get(tokens, end) == "-"
        following = _get(tokens, end + dash)
        if not re.fullmatch(r"\d+", following) or not groups[-1].isdigit():
            break
        groups.append(following)
        end += 1 + dash
    if len(groups) > 1:
        readings = frozenset({"".join(groups)})
        return _number(tokens, at, end, readings, digits=True, parts=frozenset(groups)), end
    scale = {"hundred": 100, "thousand": 1000, "million": 10**6, "k": 1000}.get(_get(tokens, end), 0)
    reading = f"{float(tokens[at]) * scale:.10g}" if scale else tokens[at]
    end += bool(scale)
    return _number(tokens, at, end, frozenset({reading}), hedged=hedged), end


def _number(
    tokens: list[str],
    at: int,
    end: int,
    readings: frozenset[str],
    *,
    hedged: bool = False,
    digits: bool = False,
    parts: frozenset[str] = frozenset(),
) -> Value:
    unit_at = end
    if _get(tokens, unit_at) == "more":
        unit_at += 1
    unit = _get(tokens, unit_at)
    if unit in ("per", "%") and (unit == "%" or _get(tokens, unit_at + 1) == "cent"):
        unit = "percent"
    elif _get(tokens, at - 1) in _SIGNS and at:
        unit = _SIGNS[tokens[at - 1]]
    elif unit in _MONEY:
        unit = _MONEY[unit]
    elif not unit.isalpha() or unit in _NO_UNIT or is_number_word(unit):
        unit = ""
    else:
        unit = stem(unit)
    text = " ".join(tokens[at:end])
    return Value(
        kind="number",
        readings=readings,
        text=f"{text} {unit}".strip(),
        unit=unit,
        units=_units(unit, tokens, unit_at),
        at=at,
        hedged=hedged,
        digits=digits,
        parts=parts,
        round_figure=text in ("a hundred", "hundred", "a thousand", "thousand", "a million", "million"),
    )


def _units(unit: str, tokens: list[str], at: int) -> frozenset[str]:
    behind = _get(tokens, at + 1)
    if not unit or unit in set(_MONEY.values()) | {"percent"}:
        return frozenset({unit} - {""})
    second = behind if behind.isalpha() and behind not in _NO_UNIT and not is_number_word(behind) else ""
    return frozenset({unit, stem(second)} - {""})


def _whole(tokens: list[str], at: int) -> int | None:
    token = _get(tokens, at)
    if token.isdigit() and len(token) <= 2:
        return int(token)
    number = read_number(tokens, at)
    if number is None or number.ordinal or number.end != at + 1 or len(number.readings) != 1:
        return None
    (reading,) = number.readings
    return int(reading) if reading.isdigit() else None


def _month(token: str) -> int:
    if token in _MONTHS:
        return _MONTHS.index(token) + 1
    return _SHORT_MONTHS.get(token, 0)


def _get(tokens: list[str], at: int) -> str:
    return tokens[at] if 0 <= at < len(tokens) else ""


# ---- Chinese

_ZH_DATE = re.compile(rf"({NUMBER})月份?(?:({NUMBER})[号日]?)?")
_ZH_MONTH_NAMES = {"正月": "1", "腊月": "12"}
_ZH_TIME = re.compile(rf"({NUMBER})点(?:(半)|(一刻)|(三刻)|({NUMBER})分?|钟|整)?")
_ZH_DAY = re.compile(rf"({NUMBER})[号日](?!楼|线|店|院|问题)")
_ZH_WEEKDAY = re.compile(r"(?:星期|礼拜|周)([一二三四五六日天1-6])")
_ZH_PERCENT = re.compile(rf"百分之({NUMBER})|({NUMBER})%|({NUMBER})个点")
_ZH_NUMBER = re.compile(NUMBER)


def _chinese(text: str) -> list[Value]:
    found: list[Value] = []

    def take(pattern: re.Pattern[str], make: object, text: str) -> str:
        def replace(match: re.Match[str]) -> str:
            value = make(match)  # type: ignore[operator]
            if value is None:
                return match[0]
            found.append(value)
            return "，" * len(match[0])

        return pattern.sub(replace, text)

    text = take(_ZH_PERCENT, _zh_percent, text)
    text = take(_ZH_WEEKDAY, _zh_weekday, text)
    text = take(_ZH_DATE, _zh_date, text)
    text = take(_ZH_TIME, _zh_time, text)
    text = take(_ZH_DAY, _zh_day, text)
    for match in _ZH_NUMBER.finditer(text):
        readings = chinese_readings(match[0])
        if not readings:
            continue
        tail = text[match.end() : match.end() + 4]
        hedged = bool(
            _ZH_HEDGE_BEFORE.search(text[max(0, match.start() - 4) : match.start()])
            or _ZH_HEDGE_AFTER.match(tail)
        )
        unit = _ZH_UNIT.match(re.sub(r"^[多来几]", "", tail))
        name = unit[0] if unit else ""
        written = match[0]
        plain = not any(character in "十百千万亿" for character in written)
        found.append(
            Value(
                kind="number",
                readings=readings,
                text=written + name,
                unit="yuan" if name in _ZH_MONEY else name,
                units=frozenset({"yuan" if name in _ZH_MONEY else name} - {""}),
                at=match.start(),
                hedged=hedged,
                digits=plain and not name and len(written) >= 3,
                round_figure=written in ("一百", "一千", "一万", "十万", "百", "千"),
            )
        )
    return sorted(found, key=lambda value: value.at)


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
    if hour is None or hour > 24 or (hour == 1 and match[0] == "一点"):
        return None
    minute = 30 if match[2] else 15 if match[3] else 45 if match[4] else (_one(match[5]) or 0)
    return _time(hour, minute, match[0], match.start())


def _zh_day(match: re.Match[str]) -> Value | None:
    day = _one(match[1])
    if day is None or not 4 <= day <= 31:
        return None
    reading = frozenset({f"day{day}"})
    return Value(kind="day", readings=reading, text=match[0], at=match.start(), parts=frozenset({str(day)}))
