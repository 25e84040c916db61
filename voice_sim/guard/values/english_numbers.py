"""Numbers in English speech, by value: "two hundred" and 200, "eight eight four three" and 8843.

What one spelling can mean is often more than one value ("three sixty" is 360 or 3:60; "twenty eighteen" is
2018); all readings are kept, and two values agree when they share one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spoken_language.english_number_words import HUNDRED_AND_UP, UNITS
from spoken_language.english_quantities import is_quantity_word, read_quantity

_DIGITS = UNITS | {"oh": 0}


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


@dataclass(frozen=True, kw_only=True)
class _Atom:
    """One of the numbers that a longer one is said in. ``scaled``: with a hundred, thousand and so on."""

    value: int
    end: int
    scaled: bool
    ordinal: bool


def is_number_word(token: str) -> bool:
    """Whether a number may begin here."""
    return token in _DIGITS or is_quantity_word(token)


def read_number(tokens: Sequence[str], start: int) -> Number | None:
    """The number in words that begins at a token; None where none does.

    Args:
        tokens: Lower case; "forty-one" as two tokens; every mark a token of its own.
        start: Where to look.
    """
    atoms = _atoms(tokens, start)
    if not atoms:
        return None
    end = atoms[-1].end
    if len(atoms) == 1:
        return _single(tokens, start, atoms[0])
    values = [atom.value for atom in atoms]
    readings = {"".join(map(str, values))}
    if len(values) == 2 and values[0] <= 12 and 10 <= values[1] < 60:
        readings.add(f"t{values[0] % 12}:{values[1]:02d}")
    return Number(
        start=start,
        end=end,
        readings=frozenset(readings),
        parts=frozenset(map(str, values)),
        spoken_digits=len(values) >= 3 and all(value < 10 for value in values),
    )


def _atoms(tokens: Sequence[str], start: int) -> list[_Atom]:
    """The numbers side by side that make one: single digits, the halves of a year, the groups of a
    telephone number. A number with a scale stands alone, and so does an ordinal."""
    atoms: list[_Atom] = []
    position = start
    while (atom := _atom(tokens, position)) is not None:
        if atoms and (atom.scaled or atom.ordinal or atoms[-1].scaled):
            break
        atoms.append(atom)
        if atom.ordinal:
            break
        position = atom.end
        if _peek(tokens, position) == "," and _digit_groups(tokens, start, position):
            position += 1
    return atoms


def _atom(tokens: Sequence[str], start: int) -> _Atom | None:
    if _DIGITS.get(_peek(tokens, start)) == 0:
        return _Atom(value=0, end=start + 1, scaled=False, ordinal=False)
    read = read_quantity(tokens, start)
    if read is None:
        return None
    scaled = any(token in HUNDRED_AND_UP for token in tokens[start : read.end])
    return _Atom(value=int(read.value), end=read.end, scaled=scaled, ordinal=read.ordinal)


def _single(tokens: Sequence[str], start: int, atom: _Atom) -> Number:
    """One quantity, with "and a half" and "point six" behind it."""
    end, value = atom.end, atom.value
    if atom.ordinal:
        return Number(start=start, end=end, readings=frozenset({str(value)}), ordinal=True)
    if [_peek(tokens, end + n) for n in range(3)] == ["and", "a", "half"]:
        scale = HUNDRED_AND_UP.get(_peek(tokens, end + 3), 1)
        halved = f"{(value + 0.5) * scale:g}"
        return Number(start=start, end=end + (4 if scale > 1 else 3), readings=frozenset({halved}))
    if _peek(tokens, end) == "point":
        position, digits = end + 1, ""
        while (digit := _peek(tokens, position)) in _DIGITS:
            digits, position = digits + str(_DIGITS[digit]), position + 1
        if digits:
            return Number(start=start, end=position, readings=frozenset({f"{value}.{digits}"}))
    return Number(start=start, end=end, readings=frozenset({str(value)}))


def _digit_groups(tokens: Sequence[str], start: int, comma: int) -> bool:
    """Whether a comma stands between groups of at least two digits each: a telephone number."""

    def run(positions: range) -> int:
        count = 0
        for position in positions:
            if _peek(tokens, position) not in _DIGITS:
                break
            count += 1
        return count

    before = run(range(comma - 1, start - 1, -1))
    after = run(range(comma + 1, len(tokens)))
    return before >= 2 and after >= 2


def _peek(tokens: Sequence[str], at: int) -> str:
    return tokens[at] if at < len(tokens) else ""
