"""Spoken and written English numbers in one form: digits.

Whatever sounds the same must come out the same, however it was written: "twenty five" and 25, "one hundred
and five" and 105, "nineteen eighty four" and 1984, "three oh five" and 3:05, "double five one" and 551.
Fractions keep their point ("three point one four", 3.14), ordinals their ending ("twenty first", 21st).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal


def _numbered(words: str, *, first: int = 1, step: int = 1) -> dict[str, int]:
    """The words in turn as first * step, (first + 1) * step and so on."""
    return {word: value * step for value, word in enumerate(words.split(), start=first)}


_UNITS = {"nought": 0, "naught": 0} | _numbered("zero one two three four five six seven eight nine", first=0)
_TEENS = _numbered(
    "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen", first=10
)
_TENS = _numbered("twenty thirty forty fifty sixty seventy eighty ninety", first=2, step=10)
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}

_ORDINAL_UNITS = _numbered("first second third fourth fifth sixth seventh eighth ninth")
_ORDINAL_TEENS = _numbered(
    "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth",
    first=10,
)
_ORDINAL_TENS = _numbered(
    "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth", first=2, step=10
)
_ORDINAL_SCALES = {"hundredth": 100} | {f"{word}th": value for word, value in _SCALES.items()}

_SPOKEN_ZERO = ("oh", "o")
_REPEATS = {"double": 2, "triple": 3}
_INTEGER = re.compile(r"[0-9]+")
_PLAIN = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,12})?")
"""Digits short enough to calculate with: "2.5" of "2.5 million". Longer ones are no quantities."""


def numbers_to_digits(tokens: Sequence[str]) -> list[str]:
    """The tokens (lower case, digits and letters apart) with every number in digits.

    Returns:
        Whole numbers as digits, fractions as ``3.14``, ordinals as ``21st``; all other tokens as they were.
    """
    written: list[str] = []
    position = 0
    while position < len(tokens):
        reader = _Reader(tokens, position)
        number = reader.number()
        if number is None:
            written.append(tokens[position])
            position += 1
        else:
            written.append(number)
            position = reader.position
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


@dataclass(kw_only=True)
class _Part:
    """A number below 100, or below 10 000 with hundreds, as far as it was read."""

    value: Decimal
    ordinal: bool = False


class _Reader:
    """Reads one number from a position on. A try that fails leaves ``position`` where it was."""

    def __init__(self, tokens: Sequence[str], position: int) -> None:
        self._tokens = tokens
        self.position = position

    def number(self) -> str | None:
        """The number that starts here, in digits; None where none starts."""
        repeated = self._repeated_digit()
        if repeated is not None:
            return repeated
        if self._peek() == "point":
            return self._fraction(before="")
        start = self.position
        read = self._quantity()
        if read is None:
            return None
        if read.ordinal:
            return ordinal(_plain(read.value))
        # Digits alone stay as written: "007" is no 7.
        literal = self._tokens[start] if self.position == start + 1 else ""
        whole = literal if literal[:1].isdigit() else _plain(read.value)
        if self._peek() != "point" or not is_whole_number(whole):
            return whole
        fraction = self._fraction(before=whole)
        if fraction is None:
            return whole
        scale = _SCALES.get(self._peek())
        if scale is None or not _PLAIN.fullmatch(fraction):
            return fraction
        self.position += 1
        return _plain(Decimal(fraction) * scale)

    def _repeated_digit(self) -> str | None:
        """ "double five", "triple 0", "double oh seven" (the seven is left for later)."""
        times = _REPEATS.get(self._peek())
        if times is None:
            return None
        following = self._peek(1)
        if following in _UNITS:
            digit = str(_UNITS[following])
        elif len(following) == 1 and is_whole_number(following):
            digit = following
        elif following in _SPOKEN_ZERO and self._starts_number(2):
            digit = "0"
        else:
            return None
        self.position += 2
        return digit * times

    def _fraction(self, *, before: str) -> str | None:
        """ "point one four" after the whole part; every number that follows belongs to it."""
        position = self.position + 1
        digits = ""
        while True:
            reader = _Reader(self._tokens, position)
            token = reader._peek()
            if token in _SPOKEN_ZERO and (before or digits or reader._starts_number(1)):
                digits, position = digits + "0", position + 1
                continue
            if is_whole_number(token):
                digits, position = digits + token, position + 1
                continue
            part = reader._below_hundred()
            if part is None or part.ordinal:
                break
            digits, position = digits + _plain(part.value), reader.position
        if not digits:
            return None
        self.position = position
        return f"{before or 0}.{digits}"

    def _quantity(self) -> _Part | None:
        """A number with its thousands, millions and so on, largest first."""
        total = Decimal(0)
        limit: int | None = None
        while True:
            start = self.position
            if limit is not None and self._peek() == "and":
                self.position += 1
            part = self._hundreds(continuing=limit is not None)
            if part is None or (limit is not None and part.value >= limit):
                self.position = start
                break
            following = self._peek()
            ordinal_scale = _ORDINAL_SCALES.get(following, 0)
            scale = _SCALES.get(following) or (ordinal_scale if ordinal_scale > 100 else None)
            if part.ordinal or scale is None:
                total += part.value
                return _Part(value=total, ordinal=part.ordinal)
            if limit is not None and scale >= limit:
                self.position = start
                break
            self.position += 1
            total += part.value * scale
            if ordinal_scale:
                return _Part(value=total, ordinal=True)
            limit = scale
        return None if limit is None else _Part(value=total)

    def _hundreds(self, *, continuing: bool) -> _Part | None:
        """A number below 100, or so many hundreds and a rest; "a hundred", "hundred" and "a thousand" too."""
        if self._peek() == "a" and (self._peek(1) == "hundred" or self._peek(1) in _SCALES):
            self.position += 1
            head: _Part | None = _Part(value=Decimal(1))
        elif not continuing and (self._peek() in ("hundred", "hundredth") or self._peek() in _SCALES):
            head = _Part(value=Decimal(1))
        else:
            head = self._below_hundred() or self._digits(continuing=continuing)
        if head is None or head.ordinal:
            return head
        if self._peek() == "hundredth":
            self.position += 1
            return _Part(value=head.value * 100, ordinal=True)
        if self._peek() != "hundred" or head.value == 0:
            return head
        self.position += 1
        return self._rest_of_hundreds(head.value * 100)

    def _rest_of_hundreds(self, hundreds: Decimal) -> _Part:
        """ "and five" of "one hundred and five", unless it begins a number of its own (… and two hundred)."""
        start = self.position
        if self._peek() == "and":
            self.position += 1
        rest = self._below_hundred()
        if rest is None or rest.value == 0 or self._peek() in ("hundred", "hundredth"):
            self.position = start
            return _Part(value=hundreds)
        return _Part(value=hundreds + rest.value, ordinal=rest.ordinal)

    def _digits(self, *, continuing: bool) -> _Part | None:
        """Digits that are part of a quantity ("5 million", "2 thousand 500"), or stand alone."""
        token = self._peek()
        if not _PLAIN.fullmatch(token):
            if is_whole_number(token) and not continuing:
                self.position += 1
                return _Part(value=Decimal(token))
            return None
        if continuing and not (is_whole_number(token) and len(token) <= 3):
            return None
        self.position += 1
        # "20 second" may have been "twenty second", which sounds like 22nd.
        unit = _ORDINAL_UNITS.get(self._peek())
        if unit is not None and len(token) == 2 and token[0] > "1" and token[1] == "0":
            self.position += 1
            return _Part(value=Decimal(token) + unit, ordinal=True)
        return _Part(value=Decimal(token))

    def _below_hundred(self) -> _Part | None:
        token = self._peek()
        for ordinals in (_ORDINAL_UNITS, _ORDINAL_TEENS, _ORDINAL_TENS):
            if token in ordinals:
                self.position += 1
                return _Part(value=Decimal(ordinals[token]), ordinal=True)
        if token in _UNITS or token in _TEENS:
            self.position += 1
            return _Part(value=Decimal(_UNITS.get(token, _TEENS.get(token, 0))))
        if token not in _TENS:
            return None
        self.position += 1
        following = self._peek()
        if following in _ORDINAL_UNITS:
            self.position += 1
            return _Part(value=Decimal(_TENS[token] + _ORDINAL_UNITS[following]), ordinal=True)
        unit = _UNITS.get(following, 0)
        if unit:
            self.position += 1
        return _Part(value=Decimal(_TENS[token] + unit))

    def _starts_number(self, ahead: int) -> bool:
        token = self._peek(ahead)
        return token in _UNITS or token in _TEENS or token in _TENS or is_whole_number(token)

    def _peek(self, ahead: int = 0) -> str:
        position = self.position + ahead
        return self._tokens[position] if position < len(self._tokens) else ""


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
        while end < len(tokens) and (tokens[end] in _SPOKEN_ZERO or is_whole_number(tokens[end])):
            end += 1
        numbers = [index for index in range(position, end) if tokens[index] not in _SPOKEN_ZERO]
        if numbers:
            many = sum(len(tokens[index]) for index in numbers) >= 3
            for index in range(position, end):
                inside = numbers[0] < index < numbers[-1]
                if tokens[index] in _SPOKEN_ZERO and (inside or many):
                    resolved[index] = "0"
        position = max(end, position + 1)
    return resolved
