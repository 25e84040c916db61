"""The values in an English text, read word by word: see :mod:`voice_sim.guard.values.value`."""

from __future__ import annotations

import re

from spoken_language.english_number_words import HUNDRED_AND_UP
from voice_sim.guard.values.english_numbers import is_number_word, read_number
from voice_sim.guard.values.value import Value, is_time, time_value
from voice_sim.guard.words import listed, stem

_MONTHS = listed("january february march april may june july august september october november december")
_SHORT_MONTHS = {month[:3]: n for n, month in enumerate(_MONTHS, start=1)} | {"sept": 9}
_WEEKDAYS = listed("monday tuesday wednesday thursday friday saturday sunday")
_TOKEN = re.compile(r"\d{1,2}:\d{2}|\d+(?:st|nd|rd|th)\b|\d+(?:\.\d+)?|[a-z]+(?:'[a-z]+)?|[^\s\w]|\w")
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
_SCALES = HUNDRED_AND_UP | {"k": 1000}
_HEDGES = frozenset(listed("about around roughly nearly almost some over approximately under"))


def english_values(text: str) -> list[Value]:
    """Every value in an English text, in order."""
    # "may" and "march" are months only with a capital, and not before a pronoun ("May I …?").
    text = re.sub(r"\b(?:may|march)\b|\b(?:May|March)(?= (?:I|we|you|he|she|it|they)\b)", "x", text)
    tokens = _TOKEN.findall(re.sub(r"(?<=[a-z])-(?=[a-z])", " ", text.casefold()))
    found: list[Value] = []
    position = 0
    while position < len(tokens):
        value, after = _read_value(tokens, position)
        if value is not None:
            found.append(value)
        position = max(after, position + 1)
    return found


def _read_value(tokens: list[str], at: int) -> tuple[Value | None, int]:
    for reader in (_read_time, _read_date, _read_name_of_day, _read_number):
        value, after = reader(tokens, at)
        if after > at:
            return value, after
    return None, at + 1


def _read_time(tokens: list[str], at: int) -> tuple[Value | None, int]:
    token = tokens[at]
    if ":" in token and len(token) > 1:
        written, minute = map(int, token.split(":"))
        return (time_value(written, minute, token, at) if is_time(written, minute) else None), at + 1
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
        return time_value(total // 60, total % 60, " ".join(tokens[at:after]), at), after
    tail = tokens[after : after + 3]
    if tail[:1] == ["o"] and tail[1:2] == ["'"]:
        return time_value(hour, 0, f"{hour} o'clock", at), after + 3
    if tail[:1] in (["o'clock"], ["am"], ["pm"]) or tail[:3] == ["in", "the", "morning"]:
        return time_value(hour, 0, f"{hour} o'clock", at), after + 1
    if tail[:3] in (["in", "the", "afternoon"], ["in", "the", "evening"], ["at", "night"]):
        return time_value(hour, 0, f"{hour} o'clock", at), after
    return None, at


def _read_date(tokens: list[str], at: int) -> tuple[Value | None, int]:
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


def _read_name_of_day(tokens: list[str], at: int) -> tuple[Value | None, int]:
    token = tokens[at].removesuffix("s")
    if token not in _WEEKDAYS:
        return None, at
    reading = frozenset({f"w{_WEEKDAYS.index(token)}"})
    return Value(kind="weekday", readings=reading, text=tokens[at], at=at), at + 1


def _read_number(tokens: list[str], at: int) -> tuple[Value | None, int]:
    token = tokens[at]
    hedged = any(word in _HEDGES for word in tokens[max(0, at - 2) : at]) or tokens[max(0, at - 2) : at] == [
        "more",
        "than",
    ]
    if found := re.fullmatch(r"(\d{1,12})(st|nd|rd|th)", token):
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
    scale = _SCALES.get(_get(tokens, end), 0)
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
        round_figure=text.removeprefix("a ") in HUNDRED_AND_UP,
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
