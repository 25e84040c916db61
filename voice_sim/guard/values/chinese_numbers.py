"""Numbers in Chinese speech, by value: 二十五 and 25, 六六零四 and 6604, 两千四 and 2400."""

from __future__ import annotations

from spoken_language.chinese_numbers import (
    DIGIT_VALUES,
    MYRIADS,
    NUMERALS,
    SCALES,
    TEN,
    one_by_one,
    value_of,
)

_SCALES = {character: value for character, value in (SCALES | MYRIADS).items() if character != TEN}

NUMBER = (
    rf"(?:[0-9]+(?:\.[0-9]+)?[{''.join(_SCALES)}]?"
    rf"|[{''.join(DIGIT_VALUES)}{TEN}][{NUMERALS}]*)"
)
"""A run of characters that may be a number."""


def chinese_readings(written: str) -> frozenset[str]:
    """What a run of number characters means, in digits; empty for a vague one (三四十, 七八)."""
    if written[0].isascii():
        return frozenset({_arabic(written)})
    if not any(character in SCALES or character in MYRIADS for character in written):
        return frozenset() if len(written) == 2 else frozenset({one_by_one(written)})
    value = value_of(written)
    return frozenset() if value is None else frozenset({str(value)})


def _arabic(written: str) -> str:
    scale = _SCALES.get(written[-1])
    return written if scale is None else f"{float(written[:-1]) * scale:.10g}"
