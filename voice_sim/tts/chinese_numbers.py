"""Numbers in digits as Mandarin speakers read them: 26号 is 二十六号, 50% is 百分之五十.

Seven and more digits are a telephone or card number and are read one by one, unless they end in four zeros
(then they are an amount); so are digits behind a leading zero, and a year (2026年).
"""

from __future__ import annotations

import re
import unicodedata

from spoken_language.chinese_numbers import DIGITS, read_out, spelled

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
    text = _YEAR.sub(lambda match: read_out(match[1]), text)
    text = _PERCENT.sub(lambda match: "百分之" + _spoken(match[1]), text)
    text = _MONEY.sub(lambda match: _spoken(match[1]) + "元", text)
    text = _RANGE.sub("到", text)
    return _NUMBER.sub(lambda match: _spoken(match[0]), text)


def _clock(hours: str, minutes: str) -> str:
    spoken = spelled(int(hours)) + "点"
    if minutes == "00":
        return spoken
    return spoken + (DIGITS[0] if minutes[0] == "0" else "") + spelled(int(minutes)) + "分"


def _spoken(written: str) -> str:
    whole, _, fraction = written.partition(".")
    if len(whole) >= _PHONE_DIGITS and not (whole.endswith("0000") and len(whole) <= _MAX_DIGITS):
        # 幺 is one where numbers are spelled out: 一 is too like 七 on the telephone.
        spoken = read_out(whole).replace("一", "幺")
    elif len(whole) > 1 and whole[0] == "0":
        spoken = read_out(whole)
    else:
        spoken = spelled(int(whole))
    return spoken + ("点" + read_out(fraction) if fraction else "")
