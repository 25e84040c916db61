"""Spoken numbers as digits, in a list of words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import takewhile

from spoken_language.chinese_numbers import (
    DIGIT_VALUES,
    DIGITS,
    MYRIADS,
    NUMERALS,
    SCALES,
    TEN,
    in_digits,
    one_by_one,
)
from spoken_language.english_quantities import read_quantity

_MONTH = "january february march april may june july august september october november december"
_MONTHS = frozenset(_MONTH.split())
_SCALES = SCALES | MYRIADS
_ORDINAL_FIGURE = re.compile(r"([0-9]+)(?:st|nd|rd|th)?")


STOP = "、"
"""Between two words: no Chinese number goes on behind it (四万，八成), and two single digits on its sides are
two numbers ("2-3 days")."""
_DECIMAL = re.compile(r"[0-9]+\.[0-9]+")
_POINT, _POINT_ZH = "point", "点"
_Reads = Callable[[Sequence[str], int], tuple[str, int]]
_SINGLE = re.compile(r"[0-9]")
_OF_A_CLOCK = frozenset("分钟刻整半左多来")
_COUNTED = frozenset("个位人")
_MEASURED = ("个百分", "个小时", "个钟头", "个星期", "个月")
_NOT_ONE = frozenset("定起直样般共过会旦")
"""What makes a word of the 一 before it: 三点一定到, 五点一起走."""
_DAY_PARTS = frozenset("午上晚晨早天")
"""What stands around a time of day: 三点五分, 下午三点五个人."""


def with_digits(words: Sequence[str]) -> tuple[str, ...]:
    """The words with every spoken number replaced by its digits.

    Numbers that stand beside each other are one when they are read out: at least two single digits, or three
    groups or more ("400-123-4000"). "first", "second", "third" … are numbers in dates only ("January first",
    "twenty-first"): elsewhere they count and order.
    """
    out: list[str] = []
    run: list[str] = []
    stopped = False
    position = 0
    while position < len(words):
        if words[position] == STOP:
            stopped = stopped or bool(run)
            position += 1
            continue
        number, taken = _decimal(words, position)
        if not taken:
            number, taken = _chinese(words, position)
        if not taken:
            number, taken = _english(words, position, in_run=bool(run))
        if taken and not _DECIMAL.fullmatch(number):
            run.append(number)
            position += taken
            continue
        out += _joined(run, stopped=stopped)
        run, stopped = [], False
        out += _parts(number) if taken else [words[position]]
        position += taken or 1
    return (*out, *_joined(run, stopped=stopped))


def _parts(decimal: str) -> list[str]:
    """A price in figures ("12.50") is said as two numbers, so two digits or more behind a point are one."""
    whole, _, fraction = decimal.partition(".")
    return [decimal] if len(fraction) == 1 else [whole, fraction.lstrip("0") or "0"]


def _joined(run: list[str], *, stopped: bool) -> list[str]:
    if len(run) >= 3:
        return ["".join(run)]
    plain = [number.lstrip("0") or "0" for number in run]
    if len(run) == 2 and not stopped and all(len(number) == 1 for number in plain):
        return ["".join(plain)]
    return plain


def _decimal(words: Sequence[str], start: int) -> tuple[str, int]:
    """As :func:`_english`, of a number with a point in it: 3.5, "three point five", 三点五."""
    if _DECIMAL.fullmatch(words[start]):
        return words[start], 1
    for read in (_chinese, _whole):
        whole, taken = read(words, start)
        point = start + taken
        if taken and point + 1 < len(words) and words[point] == (_POINT if read is _whole else _POINT_ZH):
            digits, end = _fraction(words, point + 1, read)
            if not digits or (read is _chinese and _is_a_clock(words, start, end)):
                return "", 0
            return f"{whole}.{digits}", end - start
    return "", 0


def _whole(words: Sequence[str], start: int) -> tuple[str, int]:
    return _english(words, start, in_run=False)


def _fraction(words: Sequence[str], start: int, read: _Reads) -> tuple[str, int]:
    """The digits behind a point, one by one, and where they end."""
    digits, end = "", start
    if read is _chinese:
        signs = [*takewhile(NUMERALS.__contains__, words[start:])]
        if all(sign in DIGITS for sign in signs):
            digits, end = one_by_one("".join(signs)), start + len(signs)
        return digits, end
    while end < len(words):
        number, taken = _english(words, end, in_run=True)
        if not taken or not (_SINGLE.fullmatch(number) or (not digits and words[end].isdigit())):
            break
        digits += number
        end += taken
    return digits, end


def _is_a_clock(words: Sequence[str], start: int, end: int) -> bool:
    """三点五分, 下午三点五个人, 三点一定到: a time of day, and a number or a word behind it."""
    behind = "".join(words[end : end + 3])
    before = start > 0 and words[start - 1] in _DAY_PARTS
    counted = behind[:1] in _COUNTED and not behind.startswith(_MEASURED)
    return before or behind[:1] in _OF_A_CLOCK or counted or _is_no_one(words, end)


def _is_no_one(words: Sequence[str], end: int) -> bool:
    """Whether the 一 that ends there, behind 点, is of a word; in 三点一到四点二 it is a number."""
    if [*words[end - 2 : end]] != [_POINT_ZH, DIGITS[1]] or end == len(words):
        return False
    if words[end] == "到":
        return not any(word in NUMERALS or word.isdigit() for word in words[end + 1 : end + 2])
    return words[end] in _NOT_ONE


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
