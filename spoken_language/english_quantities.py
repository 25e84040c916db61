"""Reads a number in English words, by value: "one hundred and five", "twenty three hundred", "two million".

One grammar for all readers. What they make of several numbers side by side (a telephone number, a year, a
time of day) is their own affair.

text2num reads "five hundred and two hundred" as 502 and 100, and leaves "a hundred" and "oh" alone; hence our
own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from spoken_language.english_number_words import (
    HUNDRED,
    HUNDRED_AND_UP,
    ORDINAL_SCALES,
    ORDINAL_UNITS,
    ORDINALS,
    SCALES,
    TEENS,
    TENS,
    UNITS,
)

_HUNDREDTH = next(word for word, value in ORDINAL_SCALES.items() if value == 100)
_SCALES = SCALES | {word: value for word, value in ORDINAL_SCALES.items() if value > 100}
_BELOW_TWENTY = UNITS | TEENS
_PLAIN = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,12})?")
"""Digits short enough to calculate with: "2.5" of "2.5 million". Longer ones are no quantities."""


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A number as it was read.

    Attributes:
        end: The token after its last.
        ordinal: "the twenty first".
    """

    value: Decimal
    end: int
    ordinal: bool = False


def read_quantity(
    tokens: Sequence[str],
    start: int,
    *,
    digits: bool = False,
    bare_scales: bool = True,
    joins_ordinals: bool = False,
) -> Quantity | None:
    """The number that begins at a token; None where none does.

    Args:
        tokens: Lower case, without hyphens: "forty one" is two tokens.
        start: Where to look.
        digits: Digits are a part of it, too: "5 million", "2 thousand 500".
        bare_scales: "hundred" alone is 100; with False only "a hundred" is.
        joins_ordinals: "one hundred first" is 101st, as Americans say; with False it is 100, and what follows
            may be "first class". Behind "and" and behind tens ("twenty first") an ordinal always joins.
    """
    reader = _Reader(tokens, start, digits=digits, bare_scales=bare_scales, joins_ordinals=joins_ordinals)
    return reader.quantity()


def read_below_hundred(tokens: Sequence[str], start: int) -> Quantity | None:
    """As :func:`read_quantity`, of words below a hundred only."""
    token = _at(tokens, start)
    if token in ORDINALS:
        return Quantity(value=Decimal(ORDINALS[token]), end=start + 1, ordinal=True)
    if token in _BELOW_TWENTY:
        return Quantity(value=Decimal(_BELOW_TWENTY[token]), end=start + 1)
    if token not in TENS:
        return None
    following = _at(tokens, start + 1)
    if following in ORDINAL_UNITS:
        return Quantity(value=Decimal(TENS[token] + ORDINAL_UNITS[following]), end=start + 2, ordinal=True)
    unit = UNITS.get(following, 0)
    return Quantity(value=Decimal(TENS[token] + unit), end=start + (2 if unit else 1))


def is_quantity_word(token: str) -> bool:
    """Whether a number may begin with this word."""
    return token in _BELOW_TWENTY or token in TENS or token in HUNDRED_AND_UP or token in ORDINALS


class _Reader:
    """Reads one number from a position on. A try that fails leaves ``position`` where it was."""

    def __init__(
        self, tokens: Sequence[str], position: int, *, digits: bool, bare_scales: bool, joins_ordinals: bool
    ) -> None:
        self._tokens = tokens
        self._position = position
        self._with_digits = digits
        self._bare_scales = bare_scales
        self._joins_ordinals = joins_ordinals

    def quantity(self) -> Quantity | None:
        """A number with its thousands, millions and so on, largest first."""
        total = Decimal(0)
        limit: int | None = None
        while True:
            start = self._position
            joined = limit is not None and self._take("and")
            part = self._hundreds(continuing=limit is not None)
            if part is None or (limit is not None and not self._goes_on(part, limit, joined=joined)):
                self._position = start
                break
            scale = _SCALES.get(self._peek())
            if part.ordinal or scale is None:
                return self._read(total + part.value, ordinal=part.ordinal)
            if limit is not None and scale >= limit:
                self._position = start
                break
            total += part.value * scale
            if self._peek() in ORDINAL_SCALES:
                self._position += 1
                return self._read(total, ordinal=True)
            self._position += 1
            limit = scale
        return None if limit is None else self._read(total)

    def _goes_on(self, part: Quantity, limit: int, *, joined: bool) -> bool:
        """Whether a part goes on with the number before it: smaller, and no "first" that stands alone."""
        return part.value < limit and (joined or self._joins(part))

    def _joins(self, part: Quantity) -> bool:
        return self._joins_ordinals or not part.ordinal or part.value >= 10

    def _hundreds(self, *, continuing: bool) -> Quantity | None:
        """A number below 100, or so many hundreds and a rest; "a hundred", "hundred" and "a thousand" too."""
        head = self._one_of_scale(continuing=continuing) or self._below_hundred() or self._digits(continuing)
        if head is None or head.ordinal:
            return head
        if self._take(_HUNDREDTH):
            return self._read(head.value * 100, ordinal=True)
        if head.value == 0 or not self._take(HUNDRED):
            return head
        return self._rest_of_hundreds(head.value * 100)

    def _one_of_scale(self, *, continuing: bool) -> Quantity | None:
        """The one that is not said before a scale."""
        if self._peek() == "a" and self._peek(1) in HUNDRED_AND_UP:
            return self._read(Decimal(1), taken=1)
        first = self._peek() in HUNDRED_AND_UP or self._peek() == _HUNDREDTH
        return self._read(Decimal(1)) if first and self._bare_scales and not continuing else None

    def _rest_of_hundreds(self, hundreds: Decimal) -> Quantity:
        """ "and five" of "one hundred and five", unless it begins a number of its own (… and two hundred)."""
        start = self._position
        joined = self._take("and")
        rest = self._below_hundred()
        apart = rest is None or rest.value == 0 or not (joined or self._joins(rest))
        if rest is None or apart or self._peek() in (HUNDRED, _HUNDREDTH):
            self._position = start
            return self._read(hundreds)
        return self._read(hundreds + rest.value, ordinal=rest.ordinal)

    def _digits(self, continuing: bool) -> Quantity | None:
        """Digits that are part of a quantity ("5 million", "2 thousand 500"), or stand alone."""
        token = self._peek()
        whole = token.isascii() and token.isdigit()
        if not self._with_digits or not (whole or _PLAIN.fullmatch(token)):
            return None
        if continuing and not (whole and len(token) <= 3):
            return None
        if not _PLAIN.fullmatch(token):
            return self._read(Decimal(token), taken=1)
        # "20 second" may have been "twenty second", which sounds like 22nd.
        unit = ORDINAL_UNITS.get(self._peek(1))
        if unit is not None and len(token) == 2 and token[0] > "1" and token[1] == "0":
            return self._read(Decimal(token) + unit, ordinal=True, taken=2)
        return self._read(Decimal(token), taken=1)

    def _below_hundred(self) -> Quantity | None:
        found = read_below_hundred(self._tokens, self._position)
        if found is not None:
            self._position = found.end
        return found

    def _read(self, value: Decimal, *, ordinal: bool = False, taken: int = 0) -> Quantity:
        self._position += taken
        return Quantity(value=value, end=self._position, ordinal=ordinal)

    def _take(self, word: str) -> bool:
        taken = self._peek() == word
        self._position += taken
        return taken

    def _peek(self, ahead: int = 0) -> str:
        return _at(self._tokens, self._position + ahead)


def _at(tokens: Sequence[str], position: int) -> str:
    return tokens[position] if position < len(tokens) else ""
