"""Chinese text as it sounds: the form in which reference and hypothesis are compared character by character.

Writing that nobody can hear is removed: traditional or simplified, full or half width, spaces and
punctuation, 二十五 or 25, 百分之五 or 5%, 三点半 or 3:30, 两百块 or ¥200. Latin letters among the characters
stay, in lower case. Characters that sound alike (他, 她) stay apart.
"""

from __future__ import annotations

import re
import unicodedata

from metrics.chinese_script import to_simplified

_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")}
_DIGITS |= {"〇": 0, "两": 2, "幺": 1}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10**4, "亿": 10**8}

_NUMBER = re.compile(r"[0-9零〇一二三四五六七八九两幺十][0-9零〇一二三四五六七八九两幺十百千万亿]*")
_TENTHS_OF_MYRIADS = re.compile(
    r"([0-9]{1,12}|[一二三四五六七八九两])[.点]([0-9零一二三四五六七八九]{1,12})([万亿])"
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
    text = _NUMBER.sub(lambda match: _digits(match.group()), text)
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
    whole, fraction = _one_by_one(match[1]), _one_by_one(match[2])
    places = len(str(_MYRIADS[match[3]])) - 1
    if len(fraction) > places:
        return match.group()
    return str(int(whole + fraction.ljust(places, "0")))


def _digits(written: str) -> str:
    """A number in digits: 二十五 → 25, 两千零五 → 2005, 一三八零零 → 13800, 2000万 → 20000000."""
    if not any(character in _UNITS or character in _MYRIADS for character in written):
        return _one_by_one(written)
    value = _value(written)
    return _piecewise(written) if value is None else str(value)


def _one_by_one(written: str) -> str:
    return "".join(str(_DIGITS.get(character, character)) for character in written)


def _value(written: str) -> int | None:
    """The value of a well-formed number with units; None for anything else (三四十, 二十三十)."""
    total = section = 0
    last_unit = last_myriad = 10**12
    pending: int | None = None
    zero_before = False
    for part in re.findall(r"[0-9]{1,12}|.", written):
        if part in _UNITS:
            unit = _UNITS[part]
            if unit >= last_unit or (pending is None and (unit != 10 or section or zero_before)):
                return None
            section += (1 if pending is None else pending) * unit
            pending, last_unit, zero_before = None, unit, False
        elif part in _MYRIADS:
            myriad = _MYRIADS[part]
            section += pending or 0
            if myriad >= last_myriad or section == 0:
                return None
            total, section = total + section * myriad, 0
            pending, last_unit, last_myriad, zero_before = None, 10**12, myriad, False
        elif pending is not None:
            return None
        elif part in "零〇":
            zero_before = True
        else:
            pending = _DIGITS[part] if part in _DIGITS else int(part)
    if pending is not None:
        # 一百五 is 150 and 三千五 is 3500, but 一百零五 is 105.
        unit = last_unit if section else last_myriad
        colloquial = not zero_before and 10 < unit < 10**12 and pending < 10
        section += pending * (unit // 10 if colloquial else 1)
    return total + section


def _piecewise(written: str) -> str:
    """What is no well-formed number, character by character, each that means digits as digits."""
    return "".join(
        "10" if character == "十" else str(_DIGITS.get(character, character)) for character in written
    )
