"""Numbers in digits as Mandarin speakers read them: 26号 is 二十六号, 50% is 百分之五十.

Seven and more digits are a telephone or card number and are read one by one, unless they end in four zeros
(then they are an amount); so are digits behind a leading zero, and a year (2026年).
"""

from __future__ import annotations

import re
import unicodedata

_DIGITS = "零一二三四五六七八九"
_UNITS = ("", "十", "百", "千")
_MYRIADS = ("", "万", "亿")
_PHONE_DIGITS = 7
_MAX_DIGITS = 12

_TIME = re.compile(r"(?<![\d:])(\d{1,2}):([0-5]\d)(?![\d:])")
_YEAR = re.compile(r"(?<!\d)(\d{4})(?=年)")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)%")
_MONEY = re.compile(r"[¥￥](\d+(?:\.\d+)?)")
_RANGE = re.compile(r"(?<=\d)[-~～](?=\d)")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def numbers_as_spoken(text: str) -> str:
    """``text`` with every number in digits written out in characters."""
    if not any(character.isdecimal() for character in text):
        return text
    text = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)
    text = _GROUPED.sub("", text)
    text = _TIME.sub(lambda match: _clock(match[1], match[2]), text)
    text = _YEAR.sub(lambda match: _one_by_one(match[1]), text)
    text = _PERCENT.sub(lambda match: "百分之" + _spoken(match[1]), text)
    text = _MONEY.sub(lambda match: _spoken(match[1]) + "元", text)
    text = _RANGE.sub("到", text)
    return _NUMBER.sub(lambda match: _spoken(match[0]), text)


def _clock(hours: str, minutes: str) -> str:
    spoken = _whole(hours.lstrip("0") or "0") + "点"
    if minutes == "00":
        return spoken
    return spoken + ("零" if minutes[0] == "0" else "") + _whole(minutes.lstrip("0")) + "分"


def _spoken(written: str) -> str:
    whole, _, fraction = written.partition(".")
    if len(whole) >= _PHONE_DIGITS and not (whole.endswith("0000") and len(whole) <= _MAX_DIGITS):
        # 幺 is one where numbers are spelled out: 一 is too like 七 on the telephone.
        spoken = _one_by_one(whole).replace("一", "幺")
    elif len(whole) > 1 and whole[0] == "0":
        spoken = _one_by_one(whole)
    else:
        spoken = _whole(whole)
    return spoken + ("点" + _one_by_one(fraction) if fraction else "")


def _one_by_one(digits: str) -> str:
    return "".join(_DIGITS[int(digit)] for digit in digits)


def _whole(digits: str) -> str:
    """A number without leading zeros, below a trillion: 10086 as 一万零八十六."""
    if digits == "0":
        return _DIGITS[0]
    spoken = ""
    gap = False
    for power in range((len(digits) - 1) // 4, -1, -1):
        group = digits[max(0, len(digits) - 4 * power - 4) : len(digits) - 4 * power]
        value = int(group)
        if value == 0:
            gap = bool(spoken)
            continue
        if gap or (spoken and value < 1000):
            spoken += _DIGITS[0]
        spoken += _below_ten_thousand(group.lstrip("0")) + _MYRIADS[power]
        gap = False
    return spoken.removeprefix("一") if spoken.startswith("一十") else spoken


def _below_ten_thousand(digits: str) -> str:
    spoken = ""
    for index, digit in enumerate(digits):
        if digit != "0":
            spoken += _DIGITS[int(digit)] + _UNITS[len(digits) - 1 - index]
        elif spoken and not spoken.endswith(_DIGITS[0]) and int(digits[index:]):
            spoken += _DIGITS[0]
    return spoken
