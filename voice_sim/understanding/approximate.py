"""Two Chinese numbers that are said as one: 二十三四岁 is 23 or 24 years, 一百二三十 is 120 or 130."""

from __future__ import annotations

import re

from spoken_language.chinese_numbers import DIGIT_VALUES, DIGITS, MYRIADS, NUMERALS, SCALES, TEN, value_of
from voice_sim.understanding.numbers import STOP

_ALL_SCALES = "".join([*SCALES, *MYRIADS])
_LEAD = rf"(?:[{NUMERALS}]{{0,8}}[{_ALL_SCALES}])?"
_TWO = re.compile(
    rf"(?<![{NUMERALS}0-9])(?P<lead>{_LEAD})(?P<low>[{DIGITS[1:]}两])(?P<high>[{DIGITS[2:]}两])"
    rf"(?P<scale>[{''.join(SCALES)}]?[{''.join(MYRIADS)}]*)(?![{NUMERALS}0-9])"
)
_NINE_AND_TEN = re.compile(rf"(?<={TEN}{DIGITS[9]})(?=[{DIGITS[2:]}]{TEN}(?![{NUMERALS}]))")
"""十九二十岁."""
_LISTED_BEFORE = re.compile(r"(?:周|星期|礼拜|初|第)$")
_LISTED_BEHIND = frozenset("月日号楼层班")
"""周五六十点 and 八九十月 are lists."""


def one_or_the_next(text: str) -> str:
    """``text`` with both numbers in full, and a stop between: 十五六个 is 十五、十六个."""
    return _NINE_AND_TEN.sub(STOP, _TWO.sub(_both, text))


def _both(two: re.Match[str]) -> str:
    lead, scale = two["lead"], two["scale"]
    low, high = f"{lead}{two['low']}{scale}", f"{lead}{two['high']}{scale}"
    rises = DIGIT_VALUES[two["high"]] == DIGIT_VALUES[two["low"]] + 1
    # 一百二三 may be digits; of 三十二三 nothing else can be made.
    told = lead.endswith(TEN) or (scale[:1] in SCALES if lead else bool(scale))
    numbers = value_of(low) is not None and value_of(high) is not None
    if not (rises and told and numbers) or _is_listed_or_decimal(two):
        return two[0]
    return f"{low}{STOP}{high}"


def _is_listed_or_decimal(two: re.Match[str]) -> bool:
    """周五六十点, 八九十月; 一点二三万, which is 1.23万, while 三点二三十分 has two numbers."""
    text = two.string
    if two["lead"]:
        return False
    before = text[max(0, two.start() - 2) : two.start()]
    decimal = len(before) == 2 and before[1] == "点" and (before[0] in NUMERALS or before[0].isdigit())
    listed = (
        two["high"] == DIGITS[9] and two["scale"] == TEN and text[two.end() : two.end() + 1] in _LISTED_BEHIND
    )
    return (decimal and two["scale"] != TEN) or bool(listed) or _LISTED_BEFORE.search(before) is not None
