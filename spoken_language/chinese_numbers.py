"""Numbers in Chinese characters: their values, and how they are read out.

cn2an writes 100001000 as 一亿一千, which is 一亿一千万 to a listener, and does not read 一亿二: our own do.
"""

from __future__ import annotations

import re

DIGITS = "零一二三四五六七八九"
"""In order: the character of 3 is ``DIGITS[3]``."""
DIGIT_VALUES = {character: value for value, character in enumerate(DIGITS)} | {"〇": 0, "两": 2, "幺": 1}
TEN = "十"
SCALES = {TEN: 10, "百": 100, "千": 1000}
MYRIADS = {"万": 10**4, "亿": 10**8}
NUMERALS = "".join([*DIGIT_VALUES, *SCALES, *MYRIADS])
"""Every character that numbers are written with, for the inside of a pattern's brackets."""

_UNBOUND = 10**12
_PLACES = ("", *SCALES)
_GROUPS = ("", *MYRIADS)
_MAX_DIGITS = 12


def value_of(written: str) -> int | None:
    """The value of a well-formed number: 二十五, 两千零五, 一百五 (150), 一万二 (12000), 2000万.

    None for anything else: 三四十 (thirty or forty), 二十三十, 一三八零零 (digits: :func:`in_digits`).
    """
    reader = _Reader()
    fits = all(reader.take(part) for part in re.findall(r"[0-9]{1,12}|.", written))
    return reader.value() if fits else None


def in_digits(written: str) -> str:
    """A run of numerals in digits: 二十五 is 25, 一三八零零 is 13800, 2000万 is 20000000. What is no
    well-formed number goes character by character, each that means digits as digits."""
    if not any(character in SCALES or character in MYRIADS for character in written):
        return one_by_one(written)
    value = value_of(written)
    if value is not None:
        return str(value)
    return "".join("10" if character == TEN else one_by_one(character) for character in written)


def one_by_one(written: str) -> str:
    """Each character that means a digit as that digit: 一三八零零 is 13800."""
    return "".join(str(DIGIT_VALUES.get(character, character)) for character in written)


def read_out(digits: str) -> str:
    """Digits one by one: 138 is 一三八; what is no digit stays as it is."""
    return "".join(DIGITS[int(sign)] if sign in "0123456789" else sign for sign in digits)


def spelled(value: int) -> str:
    """A number below a trillion as a quantity: 10086 is 一万零八十六, 15 is 十五, 200 is 二百.

    Raises:
        ValueError: It is negative or too large.
    """
    if not 0 <= value < 10**_MAX_DIGITS:
        raise ValueError(f"{value}: from 0 to a trillion")
    digits = str(value)
    if value == 0:
        return DIGITS[0]
    spoken = ""
    gap = False
    for power in range((len(digits) - 1) // 4, -1, -1):
        group = int(digits[max(0, len(digits) - 4 * power - 4) : len(digits) - 4 * power])
        if group == 0:
            gap = bool(spoken)
            continue
        if gap or (spoken and group < 1000):
            spoken += DIGITS[0]
        spoken += _below_ten_thousand(str(group)) + _GROUPS[power]
        gap = False
    return spoken.removeprefix(DIGITS[1]) if spoken.startswith(DIGITS[1] + TEN) else spoken


def _below_ten_thousand(digits: str) -> str:
    spoken = ""
    for index, digit in enumerate(digits):
        if digit != "0":
            spoken += DIGITS[int(digit)] + _PLACES[len(digits) - 1 - index]
        elif spoken and not spoken.endswith(DIGITS[0]) and int(digits[index:]):
            spoken += DIGITS[0]
    return spoken


class _Reader:
    """Takes a number character by character, the digits of an Arabic one together.

    ``pending`` is a digit whose place is not known yet, ``section`` what is below the next myriad.
    """

    def __init__(self) -> None:
        self._total = 0
        self._section = 0
        self._pending: int | None = None
        self._last_scale = _UNBOUND
        self._last_myriad = _UNBOUND
        self._zero_before = False

    def take(self, part: str) -> bool:
        """One more character; False where the number is not well-formed with it."""
        if part in SCALES:
            return self._take_scale(SCALES[part])
        if part in MYRIADS:
            return self._take_myriad(MYRIADS[part])
        if self._pending is not None:
            return False
        if DIGIT_VALUES.get(part) == 0:
            self._zero_before = True
        else:
            self._pending = DIGIT_VALUES[part] if part in DIGIT_VALUES else int(part)
        return True

    def _take_scale(self, scale: int) -> bool:
        # Ten needs no one before it: 十五, and 一千零十 and 一百十五 in the south.
        bare_ten = scale == 10 and (not self._zero_before or bool(self._section or self._total))
        if scale >= self._last_scale or (self._pending is None and not bare_ten):
            return False
        self._section += (1 if self._pending is None else self._pending) * scale
        self._pending, self._last_scale, self._zero_before = None, scale, False
        return True

    def _take_myriad(self, myriad: int) -> bool:
        self._section += self._pending or 0
        if myriad >= self._last_myriad or self._section == 0:
            return False
        self._total += self._section * myriad
        self._section, self._pending, self._zero_before = 0, None, False
        self._last_scale, self._last_myriad = _UNBOUND, myriad
        return True

    def value(self) -> int:
        """What was taken so far."""
        if self._pending is None:
            return self._total + self._section
        # 一百五 is 150 and 三千五 is 3500, but 一百零五 is 105.
        scale = self._last_scale if self._section else self._last_myriad
        short = not self._zero_before and 10 < scale < _UNBOUND and self._pending < 10
        return self._total + self._section + self._pending * (scale // 10 if short else 1)
