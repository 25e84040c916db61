"""Spoken numbers as digits, in a list of words."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

_UNIT = "zero one two three four five six seven eight nine"
_TEEN = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TEN = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = {word: value for value, word in enumerate(_UNIT.split())}
_TEENS = {word: value for value, word in enumerate(_TEEN.split(), start=10)}
_TENS = {word: 10 * value for value, word in enumerate(_TEN.split(), start=2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_SMALL_ORDINAL = "first second third fourth fifth sixth seventh eighth ninth"
_SMALL_ORDINALS = {word: value for value, word in enumerate(_SMALL_ORDINAL.split(), start=1)}
_ORDINAL = (
    "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_ORDINALS = {word: value for value, word in enumerate(_ORDINAL.split(), start=10)}
_ORDINALS |= {"twentieth": 20, "thirtieth": 30}
_MONTH = "january february march april may june july august september october november december"
_MONTHS = frozenset(_MONTH.split())
_SUFFIXES = ("st", "nd", "rd", "th")

_HAN = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "幺": 1}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000}


STOP = "、"
"""Between two words: no Chinese number goes on behind it (四万，八成)."""


def with_digits(words: Sequence[str]) -> tuple[str, ...]:
    """The words with every spoken number replaced by its digits.

    Numbers that stand beside each other are one when they are read out: at least two single digits, or three
    groups or more ("400-123-4000"). "first", "second", "third" … are numbers in dates only ("January first",
    "twenty-first"): elsewhere they count and order.
    """
    out: list[str] = []
    run: list[str] = []
    position = 0
    while position < len(words):
        if words[position] == STOP:
            position += 1
            continue
        number, taken = _chinese(words, position)
        if not taken:
            number, taken = _english(words, position, in_run=bool(run))
        if taken:
            run.append(number)
            position += taken
            continue
        out += _joined(run)
        run = []
        out.append(words[position])
        position += 1
    return (*out, *_joined(run))


def _joined(run: list[str]) -> list[str]:
    read_out = len(run) >= 3 or (len(run) == 2 and all(len(number) == 1 for number in run))
    return ["".join(run)] if read_out else run


def _english(words: Sequence[str], start: int, *, in_run: bool) -> tuple[str, int]:
    """The number that begins at ``start`` and how many words it takes; 0 words: none does."""
    first = words[start]
    if first[0].isdigit() and first.isascii():
        for suffix in _SUFFIXES:
            if first.endswith(suffix) and first.removesuffix(suffix).isdigit():
                return first.removesuffix(suffix), 1
        return (first, 1) if first.isdigit() else ("", 0)
    if first == "oh" and in_run:
        return "0", 1
    if first in _SMALL_ORDINALS and start and words[start - 1] in _MONTHS:
        return str(_SMALL_ORDINALS[first]), 1
    if first in _ORDINALS:
        return str(_ORDINALS[first]), 1
    a_hundred = first == "a" and start + 1 < len(words) and words[start + 1] in _SCALES
    if not a_hundred and first not in _UNITS and first not in _TEENS and first not in _TENS:
        return "", 0
    total, current, position = 0, 0, start
    last = ""
    if a_hundred:
        current, last, position = 1, "unit", start + 1
    while position < len(words):
        word = words[position]
        if word in _UNITS and last in ("", "tens", "scale") and (word != "zero" or not last):
            current, last = current + _UNITS[word], "unit"
            if word == "zero":
                return "0", 1
        elif word in _SMALL_ORDINALS and last == "tens":
            current, position = current + _SMALL_ORDINALS[word], position + 1
            break
        elif word in _TEENS and last in ("", "scale"):
            current, last = current + _TEENS[word], "teen"
        elif word in _TENS and last in ("", "scale"):
            current, last = current + _TENS[word], "tens"
        elif word == "hundred" and last in ("unit", "teen", "tens"):
            current, last = current * 100, "scale"
        elif word in _SCALES and last:
            total, current, last = total + current * _SCALES[word], 0, "scale"
        elif word == "and" and last == "scale" and position + 1 < len(words):
            after = words[position + 1]
            if after not in _UNITS and after not in _TEENS and after not in _TENS:
                break
        else:
            break
        position += 1
    return str(total + current), position - start


def _chinese(words: Sequence[str], start: int) -> tuple[str, int]:
    end = start
    while end < len(words) and (words[end] in _HAN or words[end] in _HAN_SCALES):
        end += 1
    signs = words[start:end]
    if end == start and words[start].isdigit() and words[start].isascii():
        scales = list(itertools.takewhile(_HAN_SCALES.__contains__, words[start + 1 :]))
        return str(math.prod(map(_HAN_SCALES.__getitem__, scales), start=int(words[start]))), 1 + len(scales)
    if not any(sign in _HAN or sign == "十" for sign in signs):
        return "", 0
    if not any(sign in _HAN_SCALES for sign in signs):
        return "".join(str(_HAN[sign]) for sign in signs), len(signs)
    total, section, digit = 0, 0, 0
    for sign in signs:
        if sign in _HAN:
            digit = _HAN[sign]
        elif sign == "万":
            total, section, digit = (total + section + digit) * 10_000, 0, 0
        else:
            section, digit = section + (digit or 1) * _HAN_SCALES[sign], 0
    return str(total + section + digit), len(signs)
