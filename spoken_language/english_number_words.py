"""English words of numbers, as num2words spells them, and numbers written out with them.

Nothing else of ours spells a number: readers look words up in the tables here, patterns are made from them.
"""

from __future__ import annotations

from collections.abc import Iterable

from num2words import num2words


def spelled(value: int) -> str:
    """A whole number in words: ``two hundred and five``, ``one thousand two hundred``."""
    return str(num2words(value)).replace(",", "")


def spelled_ordinal(value: int) -> str:
    """``twenty-first``, ``one hundred and first``."""
    return str(num2words(value, to="ordinal")).replace(",", "")


def spelled_digits(digits: str) -> str:
    """``three three one``; what is no digit stays as it is."""
    return " ".join(spelled(int(sign)) if sign.isdigit() else sign for sign in digits)


def _words(values: Iterable[int]) -> dict[str, int]:
    return {spelled(value): value for value in values}


def _ordinals(values: Iterable[int]) -> dict[str, int]:
    return {spelled_ordinal(value): value for value in values}


def _last_word(text: str) -> str:
    return text.split()[-1]


_LARGE = (10**3, 10**6, 10**9, 10**12)

UNITS = {"nought": 0, "naught": 0} | _words(range(10))
TEENS = _words(range(10, 20))
TENS = _words(range(20, 100, 10))
DECADES = {f"{word.removesuffix('y')}ies": value for word, value in TENS.items()}
HUNDRED = _last_word(spelled(100))
SCALES = {_last_word(spelled(value)): value for value in _LARGE}
"""Thousand and up; a hundred is read in another way."""
HUNDRED_AND_UP = {HUNDRED: 100} | SCALES

ORDINAL_UNITS = _ordinals(range(1, 10))
ORDINAL_TEENS = _ordinals(range(10, 20))
ORDINAL_TENS = _ordinals(range(20, 100, 10))
ORDINALS = ORDINAL_UNITS | ORDINAL_TEENS | ORDINAL_TENS
"""Of one word, below a hundred."""
ORDINAL_SCALES = {_last_word(spelled_ordinal(value)): value for value in (100, *_LARGE)}

SPOKEN_ZERO = ("oh", "o")
"""Between digits; elsewhere they are no number."""

CARDINALS = UNITS | TEENS | TENS | HUNDRED_AND_UP
NUMBER_WORDS = frozenset(CARDINALS | ORDINALS | ORDINAL_SCALES)


def alternatives(words: Iterable[str]) -> str:
    """Words as the inside of a group of a pattern, the longest first: ``seventeen|...|six``."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))
