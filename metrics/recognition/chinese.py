"""Chinese text as it sounds: the form in which reference and hypothesis are compared character by character.

Writing that nobody can hear is removed: traditional or simplified, full or half width, spaces and
punctuation, 二十五 or 25, 百分之五 or 5%, 三点半 or 3:30, 两百块 or ¥200. Latin letters among the characters
stay, in lower case. Characters that sound alike (他, 她) stay apart.
"""

from __future__ import annotations

import re
import unicodedata

from metrics.chinese_script import to_simplified
from spoken_language.chinese_numbers import (
    DIGIT_VALUES,
    DIGITS,
    MYRIADS,
    NUMERALS,
    TEN,
    in_digits,
    one_by_one,
)

_NUMBER = re.compile(rf"[0-9{''.join(DIGIT_VALUES)}{TEN}][0-9{NUMERALS}]*")
_TENTHS_OF_MYRIADS = re.compile(
    rf"([0-9]{{1,12}}|[{DIGITS[1:]}两])[.点]([0-9{DIGITS}]{{1,12}})([{''.join(MYRIADS)}])"
)
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_FULL_HOUR = re.compile(r"(?<![0-9:])([0-9]{1,2}):00(?![0-9:])")
_MONEY = re.compile(r"([$¥€£])([0-9]+(?:\.[0-9]+)?[百千万亿]*)")
_CURRENCIES = {"$": "美元", "¥": "元", "€": "欧元", "£": "英镑"}
_PERCENT = re.compile(r"([0-9]+(?:\.[0-9]+)?)%")
_BETWEEN_DIGITS = re.compile(r"(?<=[0-9])[.:](?=[0-9])")
_FILLERS = re.compile("[嗯呃]")


def normalize_chinese(text: str) -> str:
    """The characters of ``text`` as they sound, without spaces or punctuation; may be empty."""
    text = unicodedata.normalize("NFKC", text).casefold()
    text = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)
    text = _FILLERS.sub("", to_simplified(text))
    text = _spell_symbols(_THOUSANDS.sub("", text))
    text = _TENTHS_OF_MYRIADS.sub(_myriads_with_fraction, text)
    text = _NUMBER.sub(lambda match: in_digits(match.group()), text)
    text = re.sub(r"(?<=[0-9])点半", "点30", text)
    text = re.sub(r"(?<=[0-9]点)([0-9]{1,2})分(?!之)", r"\1", text)
    text = re.sub(r"(?<=[0-9])点[整钟]", "点", text)
    text = re.sub(r"(?<=[0-9])块钱?", "元", text)
    return "".join(character for character in text if character.isalnum())


def _spell_symbols(text: str) -> str:
    """Symbols as the characters that are spoken for them, in the order in which they are spoken."""
    text = _FULL_HOUR.sub(r"\1点", text)
    text = _MONEY.sub(lambda match: match[2] + _CURRENCIES[match[1]], text)
    text = _PERCENT.sub(r"百分之\1", text)
    # 3.14 is spoken 三点一四, and 3:14 三点十四 (分): one sign serves both.
    return _BETWEEN_DIGITS.sub("点", text)


def _myriads_with_fraction(match: re.Match[str]) -> str:
    """1.5万 and 一点五万 as 15000; left alone where the fraction is finer than the unit."""
    whole, fraction = one_by_one(match[1]), one_by_one(match[2])
    places = len(str(MYRIADS[match[3]])) - 1
    if len(fraction) > places:
        return match.group()
    return str(int(whole + fraction.ljust(places, "0")))
