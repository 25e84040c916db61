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
_NUMBERED = frozenset("点号楼室层栋桌班路院")
"""What is numbered behind a time of day: 九点三号楼见, 两点三点都行."""
_COUNTED = frozenset("个位人名家")
_UNIT = re.compile(
    "[元倍度米斤克升平吨折岁寸万亿]|块(?!(?:儿|[去走来吃到出回过见聊坐]))|公[里斤升顷]|千[克米瓦]|[百千][万亿]"
)
_MEASURED = re.compile(
    f"{_UNIT.pattern}|[秒次天年]|小时|百分"
    "|个(?:百分|小时|钟头|星期|月|点|工作日|交易日|亿|季度|平方|学分|课时|学时|单位)"
)
"""What a decimal is of; a 一 behind a day only units (今天三点一元, but 明天三点一次性付清)."""
_NOT_ONE = re.compile("[定起直样般共过会旦家开边些切同齐并早群见有下]|大早|块(?:儿|[去走来吃到出回过见聊坐])")
"""What makes a word of the 一 before it: 三点一定到, 五点一起走."""
_DAY_PART = re.compile("(?:[上下中]?午|[早晚]上|[凌清]?晨|[今明后昨每当][早晚]|傍晚|半夜|夜里)$")
"""What stands before a time of day."""
_DAY = re.compile("(?:[今明后昨每当那周]天|(?:星期|礼拜)[天日]|第.天|(?<!提)[早晚])$")
"""The same, and before a decimal of something, too: 今天三点五个小时 is one, 明天三点一次 no."""
_RATED = frozenset("之率")
_OF_A_RATE = re.compile(
    "(?:率|年化|净值|[市估比]值|价格?|[涨跌]|下降|上升|增[长加]|利息|[年月]息|收益|回报|系数|指数|评分|得分|均分|绩点|平均"
    f"|血糖|视力)[^{STOP}]{{0,4}}$"
)
"""What stands before a decimal with a zero: 利率是三点零五."""
_REACHES_BACK = 8
_HOURS = 24
_IN_SCALES = re.compile(rf"([{DIGITS}]+)(?:[百千]?[{''.join(MYRIADS)}]+|千(?=[克米瓦]))?")


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
            if not digits or (read is _chinese and _is_a_clock(words, start, point, end)):
                return "", 0
            return f"{whole}.{digits}", end - start
    return "", 0


def _whole(words: Sequence[str], start: int) -> tuple[str, int]:
    return _english(words, start, in_run=False)


def _fraction(words: Sequence[str], start: int, read: _Reads) -> tuple[str, int]:
    """The digits behind a point, one by one, and where they end."""
    digits, end = "", start
    if read is _chinese:
        signs = "".join(takewhile(NUMERALS.__contains__, words[start:]))
        behind = "".join(words[start + len(signs) : start + len(signs) + 1])
        found = _IN_SCALES.match(signs + behind)
        if found and found.end() >= len(signs):
            digits, end = one_by_one(found[1]), start + len(found[1])
        return digits, end
    while end < len(words):
        # One word at a time: in "one point five million" the million is of all of it.
        alone = [*words[end + 1 : end + 2]] != ["hundred"]
        number, taken = _english(words[: end + 1] if alone else words, end, in_run=True)
        if not taken or not (_SINGLE.fullmatch(number) or (not digits and words[end].isdigit())):
            break
        digits += number
        end += taken
    return digits, end


def _is_a_clock(words: Sequence[str], start: int, point: int, end: int) -> bool:
    """三点五分, 下午三点五个人, 三点一定到, 九点三号楼, 三点零五: a time of day, and what is behind it."""
    before = "".join(words[max(0, start - _REACHES_BACK) : start])
    behind = "".join(words[end : end + 4])
    hours = in_digits("".join(words[start:point]))
    if before[-1:] in _RATED or not (hours.isdigit() and len(hours) <= 2 and int(hours) <= _HOURS):
        return False
    if _DAY_PART.search(before) or _is_no_one(words, end):
        return True
    day = _DAY.search(before) is not None
    if _MEASURED.match(behind):
        return day and words[end - 1] == DIGITS[1] and not _UNIT.match(behind)
    told = behind[:1] in _OF_A_CLOCK | _NUMBERED | _COUNTED if behind else False
    return told or day or _has_a_zero(words, start, point, end, before)


def _has_a_zero(words: Sequence[str], start: int, point: int, end: int, before: str) -> bool:
    """三点零五. Decimals are 零点零五, 二点零五 (two o'clock is 两点) and what is of a rate."""
    said_as_hour = words[start] not in ("零", "二", "0")
    zero = end - point == 3 and words[point + 1] == DIGITS[0] and words[point + 2] != DIGITS[0]
    return said_as_hour and zero and not _OF_A_RATE.search(before)


def _is_no_one(words: Sequence[str], end: int) -> bool:
    """Whether the 一 that ends there, behind 点, is of a word; in 三点一到四点二 it is a number."""
    if [*words[end - 2 : end]] != [_POINT_ZH, DIGITS[1]] or end == len(words):
        return False
    if words[end] == "到":
        return not any(word in NUMERALS or word.isdigit() for word in words[end + 1 : end + 2])
    return _NOT_ONE.match("".join(words[end : end + 2])) is not None


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
