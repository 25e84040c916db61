"""Chinese text as it sounds: the form in which reference and hypothesis are compared character by character.

Writing that nobody can hear is removed: traditional or simplified, full or half width, spaces and
punctuation, 二十五 or 25, 百分之五 or 5%, 三分之二 or 2/3, 负五 or -5, 三点一刻 or 3:15, 三块五 or ¥3.5.
Latin letters among the characters stay, in lower case. Characters that sound alike (他, 她) stay apart.
"""

from __future__ import annotations

import re
import unicodedata

from metrics.chinese_script import to_simplified
from metrics.recognition.ranges.chinese import spell_ranges
from spoken_language.chinese_numbers import (
    DIGIT_VALUES,
    DIGITS,
    MYRIADS,
    NUMERALS,
    TEN,
    in_digits,
    one_by_one,
    value_of,
)

_NUMBER = re.compile(rf"[0-9{''.join(DIGIT_VALUES)}{TEN}][0-9{NUMERALS}]*")
_TENTHS_OF_MYRIADS = re.compile(
    rf"(?<![0-9{NUMERALS}])([0-9]{{1,12}}|[{NUMERALS}]{{1,12}})[.点]"
    rf"([0-9{DIGITS}]{{1,12}})([{''.join(MYRIADS)}])"
)
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_FULL_HOUR = re.compile(r"(?<![0-9:])([0-9]{1,2}):00(?![0-9:])")
# ¥99元宵礼盒 has no 元 behind its sign.
_MONEY = re.compile(
    r"([$¥€£])([0-9]+(?:\.[0-9]+)?[百千万亿]*)(?:\s?(?:元(?![宵旦素气])|块钱?|美[元金]|欧元|英镑))?"
)
_CURRENCIES = {"$": "美元", "¥": "元", "€": "欧元", "£": "英镑"}
_PERCENT = re.compile(r"(?<![0-9])([0-9]+(?:\.[0-9]+)?)%")
_DEGREES = {"°c": "摄氏度", "°f": "华氏度", "°": "度"}
_DEGREE = re.compile(r"°[cf]?")
# Behind a number and its unit a hyphen is that of a range.
_BELOW_ZERO = re.compile(
    r"(?<![0-9a-z.:,)%°码号话机-])(?<![0-9][^\W0-9到至和与])(?<![0-9][^\W0-9到至和与]{2})"
    r"-(?=[$¥€£]?[0-9]{1,4}(?![0-9-]))"
)
# Of dates none is one, nor is 3/8 by itself.
_SLASHED = re.compile(r"(?<![0-9/.])([1-9])([/\u2044])([234568]|10)(?![0-9/.])(?=(的?))")
_BEFORE_A_DAY = tuple(
    f"{word}{verb}" for word in ("生日", "日期", "预约", "预订", "预定") for verb in ("", "是", "在")
)
_TENS = {"廿": "二十", "卅": "三十"}
_QUARTERS = {"1": "15", "3": "45"}
_SMALL_MONEY = re.compile(
    r"(?<![0-9])([0-9]+)[元块]([1-9])(?:[毛角]([1-9])分?|[毛角](?!分)|(?=$|[^\w]|[钱的吧呢吗了啊]))钱?"
)
_ROUND_MONEY = re.compile(r"(?<![0-9])([0-9]+)点(?:0+|([0-9]{0,12}[1-9])0+)(?=(?:美|欧)?元|英镑)")
_BETWEEN_DIGITS = re.compile(r"(?<=[0-9])[.:](?=[0-9])")
_FILLERS = re.compile("[嗯呃]")


def normalize_chinese(text: str) -> str:
    """The characters of ``text`` as they sound, without spaces or punctuation; may be empty."""
    text = unicodedata.normalize("NFKC", text).casefold()
    text = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)
    text = _FILLERS.sub("", to_simplified(text))
    text = "".join(_TENS.get(c, c) for c in text)
    text = _spell_symbols(_THOUSANDS.sub("", text))
    text = text.replace("百分之百", "百分之100")
    text = _TENTHS_OF_MYRIADS.sub(_myriads_with_fraction, text)
    text = _NUMBER.sub(lambda match: in_digits(match.group()), text)
    text = re.sub(r"(?<=[0-9])点半", "点30", text)
    text = re.sub(r"(?<=[0-9]点)([0-9]{1,2})分(?!之)", r"\1", text)
    text = re.sub(r"(?<=[0-9])点[整钟]", "点", text)
    text = re.sub(r"(?<=[0-9]点)([13])刻钟?", lambda match: _QUARTERS[match[1]], text)
    text = _SMALL_MONEY.sub(lambda match: f"{match[1]}点{match[2]}{match[3] or ''}元", text)
    text = re.sub(r"(?<=[0-9])块钱?", "元", text)
    text = re.sub(r"(?<=[0-9])美金", "美元", text)
    text = _ROUND_MONEY.sub(lambda match: match[1] + (f"点{match[2]}" if match[2] else ""), text)
    return "".join(character for character in text if character.isalnum())


def _spell_symbols(text: str) -> str:
    """Symbols as the characters that are spoken for them, in the order in which they are spoken."""
    text = _SLASHED.sub(_slashed, text)
    text = spell_ranges(text)
    text = _BELOW_ZERO.sub("负", text)
    text = _DEGREE.sub(lambda match: _DEGREES[match.group()], text)
    text = _FULL_HOUR.sub(r"\1点", text)
    text = _MONEY.sub(lambda match: match[2] + _CURRENCIES[match[1]], text)
    text = _PERCENT.sub(r"百分之\1", text)
    # 3.14 is spoken 三点一四, and 3:14 三点十四 (分): one sign serves both.
    return _BETWEEN_DIGITS.sub("点", text)


def _slashed(match: re.Match[str]) -> str:
    """2/3 as 3分之2; left alone where it is more than one, or less of parts that nobody counts so, and where
    it may be a day or marks (3/8, 9/10)."""
    above, below = int(match[1]), int(match[3])
    proper = above < below and not (above % 2 == 0 and below % 2 == 0)
    day = match.string.endswith(_BEFORE_A_DAY, 0, match.start())
    told = match[2] != "/" or match[4] or (below <= 4 and not day)
    return f"{below}分之{above}" if proper and told else match.group()


def _myriads_with_fraction(match: re.Match[str]) -> str:
    """1.5万 and 一点五万 as 15000; left alone where the fraction is finer than the unit, or the whole is no
    number (二零点五万)."""
    whole, fraction = value_of(match[1]), one_by_one(match[2])
    places = len(str(MYRIADS[match[3]])) - 1
    if whole is None or len(fraction) > places:
        return match.group()
    return str(int(f"{whole}{fraction.ljust(places, '0')}"))
