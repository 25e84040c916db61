"""Spoken numbers as digits, in a list of words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from spoken_language.chinese_numbers import DIGIT_VALUES, MYRIADS, NUMERALS, SCALES, TEN, in_digits
from spoken_language.english_quantities import read_quantity

_MONTH = "january february march april may june july august september october november december"
_MONTHS = frozenset(_MONTH.split())
_SCALES = SCALES | MYRIADS
_ORDINAL_FIGURE = re.compile(r"([0-9]+)(?:st|nd|rd|th)?")


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
    if len(run) >= 3:
        return ["".join(run)]
    plain = [number.lstrip("0") or "0" for number in run]
    return ["".join(plain)] if len(run) == 2 and all(len(number) == 1 for number in plain) else plain


def _english(words: Sequence[str], start: int, *, in_run: bool) -> tuple[str, int]:
    """The number that begins at ``start`` and how many words it takes; 0 words: none does."""
    first = words[start]
    if figure := _ORDINAL_FIGURE.fullmatch(first):
        return figure[1], 1
    if first == "oh" and in_run:
        return "0", 1
    read = read_quantity(words, start, bare_scales=False)
    if read is None or (read.ordinal and read.value < 10 and not _after_month(words, start)):
        return "", 0
    return str(read.value), read.end - start


def _after_month(words: Sequence[str], start: int) -> bool:
    return start > 0 and words[start - 1] in _MONTHS


def _chinese(words: Sequence[str], start: int) -> tuple[str, int]:
    """As :func:`_english`. Scales alone are no number (千万 is "by all means"), behind digits they are."""
    figure = words[start] if words[start].isdigit() and words[start].isascii() else ""
    signs = "".join(takewhile(NUMERALS.__contains__, words[start + bool(figure) :]))
    if figure:
        scales = "".join(takewhile(_SCALES.__contains__, signs))
        return in_digits(figure + scales), 1 + len(scales)
    if not any(sign in DIGIT_VALUES or sign == TEN for sign in signs):
        return "", 0
    return in_digits(signs), len(signs)
