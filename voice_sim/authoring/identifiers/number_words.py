"""Numbers as people say them, for numbers that take the place of others."""

from __future__ import annotations

from voice_sim.tts.chinese_numbers import numbers_as_spoken

_ONE = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_ONES = tuple(_ONE.split(" "))
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_HAN = "零一二三四五六七八九"


def english(value: int) -> str:
    """A whole number below a thousand million: ``two hundred and five``."""
    if value >= 1000:
        scale, name = (1_000_000, "million") if value >= 1_000_000 else (1000, "thousand")
        rest = value % scale
        tail = "" if not rest else f" and {english(rest)}" if rest < 100 else f" {english(rest)}"
        return f"{english(value // scale)} {name}{tail}"
    if value >= 100:
        tail = f" and {english(value % 100)}" if value % 100 else ""
        return f"{_ONES[value // 100]} hundred{tail}"
    if value >= 20:
        tail = f"-{_ONES[value % 10]}" if value % 10 else ""
        return _TENS[value // 10 - 2] + tail
    return _ONES[value]


def english_ordinal(value: int) -> str:
    """``twenty-first``."""
    words = english(value)
    head, dash, last = words.rpartition("-")
    ordinal = _ORDINALS.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return f"{head}{dash}{ordinal}"


def chinese(value: int) -> str:
    """``两百零五`` is written 二百零五."""
    if value % 10_000 == 0 and value:
        return f"{numbers_as_spoken(str(value // 10_000))}万"
    return numbers_as_spoken(str(value))


def digit_by_digit(digits: str, language: str) -> str:
    """``three three one``; letters stay as they are."""
    if language == "zh":
        return "".join(_HAN[int(sign)] if sign.isdigit() else sign for sign in digits)
    return " ".join(_ONES[int(sign)] if sign.isdigit() else sign for sign in digits)
