"""Numbers in English speech, by value: "two hundred" and 200, "eight eight four three" and 8843.

What one spelling can mean is often more than one value ("three sixty" is 360 or 3:60; "twenty eighteen" is
2018); all readings are kept, and two values agree when they share one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from voice_sim.guard.words import listed

_UNITS = {
    word: value for value, word in enumerate(listed("zero one two three four five six seven eight nine"))
} | {"oh": 0, "nought": 0}
_TEENS = {
    word: value
    for value, word in enumerate(
        listed("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"), start=10
    )
}
_TENS = {
    word: value * 10
    for value, word in enumerate(listed("twenty thirty forty fifty sixty seventy eighty ninety"), start=2)
}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6}
_ORDINALS = {
    word: value
    for value, word in enumerate(
        listed(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
            " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
        ),
        start=1,
    )
} | {"thirtieth": 30}


@dataclass(frozen=True, kw_only=True)
class Number:
    """A number that begins at token ``start`` and ends before ``end``.

    Attributes:
        readings: What it can mean, in digits.
        parts: Values of its parts, in digits: what a listener may also have understood.
        ordinal: "the fourteenth".
        spoken_digits: It was said digit by digit ("eight eight four three").
    """

    start: int
    end: int
    readings: frozenset[str]
    parts: frozenset[str] = frozenset()
    ordinal: bool = False
    spoken_digits: bool = False


def is_number_word(token: str) -> bool:
    """Whether a number may begin here."""
    return token in _UNITS or token in _TEENS or token in _TENS or token in _SCALES or token in _ORDINALS


def read_number(tokens: Sequence[str], start: int) -> Number | None:
    """The number in words that begins at a token; None where none does.

    Args:
        tokens: Lower case; "forty-one" as two tokens; every mark a token of its own.
        start: Where to look.
    """
    if ordinal := _ordinal(tokens, start):
        return ordinal
    atoms: list[tuple[int, bool]] = []
    position = start
    while True:
        read = _scaled(tokens, position)
        if read is None:
            break
        value, after, scaled = read
        if atoms and (scaled or atoms[-1][1]):
            break
        atoms.append((value, scaled))
        position = after
        if _peek(tokens, position) == "," and _digit_groups(tokens, start, position):
            position += 1
    if not atoms:
        return None
    if position > start and tokens[position - 1] == ",":
        position -= 1
    if len(atoms) == 1:
        return _single(tokens, start, position, atoms[0][0])
    joined = "".join(str(value) for value, _ in atoms)
    readings = {joined}
    if len(atoms) == 2 and atoms[0][0] <= 12 and 10 <= atoms[1][0] < 60:
        readings.add(f"t{atoms[0][0] % 12}:{atoms[1][0]:02d}")
    return Number(
        start=start,
        end=position,
        readings=frozenset(readings),
        parts=frozenset(str(value) for value, _ in atoms),
        spoken_digits=len(atoms) >= 3 and all(value < 10 for value, _ in atoms),
    )


def _single(tokens: Sequence[str], start: int, end: int, value: int) -> Number:
    """One quantity, with "and a half" and "point six" behind it."""
    if [_peek(tokens, end + n) for n in range(3)] == ["and", "a", "half"]:
        scale = _SCALES.get(_peek(tokens, end + 3), 1)
        halved = f"{(value + 0.5) * scale:g}"
        return Number(start=start, end=end + (4 if scale > 1 else 3), readings=frozenset({halved}))
    if _peek(tokens, end) == "point":
        position, digits = end + 1, ""
        while (digit := _peek(tokens, position)) in _UNITS:
            digits, position = digits + str(_UNITS[digit]), position + 1
        if digits:
            return Number(start=start, end=position, readings=frozenset({f"{value}.{digits}"}))
    return Number(start=start, end=end, readings=frozenset({str(value)}))


def _scaled(tokens: Sequence[str], start: int) -> tuple[int, int, bool] | None:
    """(value, position after it, whether it has a scale word) of a quantity: "two thousand nine hundred"."""
    total, position, limit = 0, start, 10**9
    scaled = False
    while True:
        here = position
        if scaled and _peek(tokens, here) == "and":
            here += 1
        head = _below_hundred(tokens, here)
        if head is None and _peek(tokens, here) == "a" and _peek(tokens, here + 1) in _SCALES:
            head = (1, here + 1)
        if head is None and not scaled and _peek(tokens, here) in _SCALES:
            head = (1, here)
        if head is None:
            break
        value, after = head
        if _peek(tokens, after) == "hundred":
            value, after = value * 100, after + 1
            rest_at = after + 1 if _peek(tokens, after) == "and" else after
            rest = _below_hundred(tokens, rest_at)
            if rest is not None and _peek(tokens, rest[1]) != "hundred":
                value, after = value + rest[0], rest[1]
            this_scaled = True
        else:
            this_scaled = False
        scale = _SCALES.get(_peek(tokens, after), 0)
        if scale >= 1000 and scale < limit:
            total, position, limit, scaled = total + value * scale, after + 1, scale, True
            continue
        if scaled and value >= limit:
            break
        return total + value, after, scaled or this_scaled
    return (total, position, True) if scaled else None


def _below_hundred(tokens: Sequence[str], at: int) -> tuple[int, int] | None:
    token = _peek(tokens, at)
    if token in _UNITS:
        return _UNITS[token], at + 1
    if token in _TEENS:
        return _TEENS[token], at + 1
    if token in _TENS:
        unit = _UNITS.get(_peek(tokens, at + 1), 0)
        return (_TENS[token] + unit, at + 2) if unit else (_TENS[token], at + 1)
    return None


def _ordinal(tokens: Sequence[str], start: int) -> Number | None:
    token = _peek(tokens, start)
    if token in _ORDINALS:
        return Number(start=start, end=start + 1, readings=frozenset({str(_ORDINALS[token])}), ordinal=True)
    unit = _ORDINALS.get(_peek(tokens, start + 1), 10)
    if token in _TENS and unit < 10:
        value = str(_TENS[token] + unit)
        return Number(start=start, end=start + 2, readings=frozenset({value}), ordinal=True)
    return None


def _digit_groups(tokens: Sequence[str], start: int, comma: int) -> bool:
    """Whether a comma stands between groups of at least two digits each: a telephone number."""

    def run(positions: range) -> int:
        count = 0
        for position in positions:
            if _peek(tokens, position) not in _UNITS:
                break
            count += 1
        return count

    before = run(range(comma - 1, start - 1, -1))
    after = run(range(comma + 1, len(tokens)))
    return before >= 2 and after >= 2


def _peek(tokens: Sequence[str], at: int) -> str:
    return tokens[at] if at < len(tokens) else ""
