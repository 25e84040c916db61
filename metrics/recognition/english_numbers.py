"""Spoken and written English numbers in one form: digits.

Whatever sounds the same must come out the same, however it was written: "twenty five" and 25, "one hundred
and five" and 105, "nineteen eighty four" and 1984, "three oh five" and 3:05, "double five one" and 551.
Fractions keep their point ("three point one four", 3.14), ordinals their ending ("twenty first", 21st).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from spoken_language.english_number_words import SCALES, SPOKEN_ZERO, TEENS, TENS, UNITS
from spoken_language.english_quantities import read_below_hundred, read_quantity

_REPEATS = {"double": 2, "triple": 3}
_INTEGER = re.compile(r"[0-9]+")
_PLAIN_FRACTION = re.compile(r"[0-9]{1,12}\.[0-9]{1,12}")
"""Digits short enough to calculate with; longer ones are no quantities."""


def numbers_to_digits(tokens: Sequence[str]) -> list[str]:
    """The tokens (lower case, digits and letters apart) with every number in digits.

    Returns:
        Whole numbers as digits, fractions as ``3.14``, ordinals as ``21st``; all other tokens as they were.
    """
    written: list[str] = []
    position = 0
    while position < len(tokens):
        number, end = _number(tokens, position) or (tokens[position], position + 1)
        written.append(number)
        position = end
    return _spoken_zeros(written)


def join_whole_numbers(tokens: Sequence[str]) -> list[str]:
    """Neighbouring whole numbers as one: nobody hears where "five five five one two" was grouped."""
    joined: list[str] = []
    previous_whole = False
    for token in tokens:
        whole = is_whole_number(token)
        if whole and previous_whole:
            joined[-1] += token
        else:
            joined.append(token)
        previous_whole = whole
    return joined


def is_whole_number(token: str) -> bool:
    """True for a token of nothing but digits."""
    return _INTEGER.fullmatch(token) is not None


def ordinal(value: str) -> str:
    """``1`` → ``1st``, ``12`` → ``12th``."""
    ending = {"1": "st", "2": "nd", "3": "rd"}.get(value[-1], "th")
    return value + ("th" if value[-2:-1] == "1" else ending)


_Read = tuple[str, int]
"""A number in digits, and the position after it."""


def _number(tokens: Sequence[str], start: int) -> _Read | None:
    """The number that starts here; None where none starts."""
    repeated = _repeated_digit(tokens, start)
    if repeated is not None:
        return repeated
    if tokens[start] == "point":
        return _fraction(tokens, start, before="")
    read = read_quantity(tokens, start, digits=True, joins_ordinals=True)
    if read is None:
        return None
    if read.ordinal:
        return ordinal(_plain(read.value)), read.end
    # Digits alone stay as written: "007" is no 7.
    literal = tokens[start] if read.end == start + 1 else ""
    whole = literal if literal[:1].isdigit() else _plain(read.value)
    fraction = None
    if token_at(tokens, read.end) == "point" and is_whole_number(whole):
        fraction = _fraction(tokens, read.end, before=whole)
    return (whole, read.end) if fraction is None else _scaled(tokens, *fraction)


def _repeated_digit(tokens: Sequence[str], start: int) -> _Read | None:
    """ "double five", "triple 0", "double oh seven" (the seven is left for later)."""
    times = _REPEATS.get(tokens[start])
    if times is None:
        return None
    following = token_at(tokens, start + 1)
    if following in UNITS:
        digit = str(UNITS[following])
    elif len(following) == 1 and is_whole_number(following):
        digit = following
    elif following in SPOKEN_ZERO and _starts_number(tokens, start + 2):
        digit = "0"
    else:
        return None
    return digit * times, start + 2


def _fraction(tokens: Sequence[str], point: int, *, before: str) -> _Read | None:
    """ "point one four" after the whole part; every number that follows belongs to it."""
    position = point + 1
    digits = ""
    while True:
        token = token_at(tokens, position)
        if token in SPOKEN_ZERO and (before or digits or _starts_number(tokens, position + 1)):
            digits, position = digits + "0", position + 1
            continue
        if is_whole_number(token):
            digits, position = digits + token, position + 1
            continue
        part = read_below_hundred(tokens, position)
        if part is None or part.ordinal:
            break
        digits, position = digits + _plain(part.value), part.end
    return (f"{before or 0}.{digits}", position) if digits else None


def _scaled(tokens: Sequence[str], fraction: str, end: int) -> _Read:
    """ "three point five million" as one number."""
    scale = SCALES.get(token_at(tokens, end))
    if scale is None or not _PLAIN_FRACTION.fullmatch(fraction):
        return fraction, end
    return _plain(Decimal(fraction) * scale), end + 1


def _starts_number(tokens: Sequence[str], position: int) -> bool:
    token = token_at(tokens, position)
    return token in UNITS or token in TEENS or token in TENS or is_whole_number(token)


def token_at(tokens: Sequence[str], position: int) -> str:
    return tokens[position] if position < len(tokens) else ""


def _plain(value: Decimal) -> str:
    """Without exponent and without zeros that only the calculation brought."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _spoken_zeros(tokens: Sequence[str]) -> list[str]:
    """ "oh" and "o" as 0: between digits always, before or after them where there are three or more.

    "five oh five" and "oh one seven one" are digits; "I have two. Oh, wait" is not.
    """
    resolved = list(tokens)
    position = 0
    while position < len(tokens):
        end = position
        while end < len(tokens) and (tokens[end] in SPOKEN_ZERO or is_whole_number(tokens[end])):
            end += 1
        numbers = [index for index in range(position, end) if tokens[index] not in SPOKEN_ZERO]
        if numbers:
            many = sum(len(tokens[index]) for index in numbers) >= 3
            for index in range(position, end):
                inside = numbers[0] < index < numbers[-1]
                if tokens[index] in SPOKEN_ZERO and (inside or many):
                    resolved[index] = "0"
        position = max(end, position + 1)
    return resolved
