"""Looks for anything of the originals in texts that should have none of it.

It does not use what replaces: texts are brought into one form (spoken numbers as digits, no case, no marks),
and the originals are looked for in that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from voice_sim.authoring.identifiers.book import Book
from voice_sim.authoring.identifiers.dates import find_dates
from voice_sim.authoring.identifiers.numbers import LONG, digits_of, number_spans
from voice_sim.authoring.identifiers.replacing import BARE_DIGITS, TITLES_ZH, case_matters, name_parts
from voice_sim.authoring.identifiers.span import Kind
from voice_sim.understanding.words import spoken_words

_DOUBLED = re.compile(r"\b(?:double|triple)[ -]\w+", re.IGNORECASE)
_MIN_SPELLED = 4
_BETWEEN = frozenset({"and", "a", "an", "then", "um", "uh", "er"})
"""Words between the digits of one number: "three, three, zero, and a six"."""
_INSIDE = 6
"""A number of so many digits is looked for inside longer ones; a shorter one at their ends."""


@dataclass(frozen=True, kw_only=True)
class Leak:
    """An original that is still there.

    Attributes:
        place: Which text.
        kind: Of the identifier.
        original: What it is; for the report that is kept apart only.
    """

    place: str
    kind: Kind
    original: str


def find_leaks(texts: Iterable[tuple[str, str]], book: Book) -> list[Leak]:
    """Every original of the book that a text still holds.

    Args:
        texts: (place, text).
    """
    looked_for = _Originals(book)
    return [
        Leak(place=place, kind=kind, original=original)
        for place, text in texts
        for kind, original in dict.fromkeys(looked_for.in_text(text))
    ]


class _Originals:
    def __init__(self, book: Book) -> None:
        names: dict[str, Kind] = {original: kind for original, (kind, _) in book.names.items()}
        for person in book.persons:
            names.update((original, "person") for original, _ in name_parts(person))
        self._cased = {one: kind for one, kind in names.items() if one.isascii() and case_matters(one)}
        self._folded = [
            (one, spoken_words(one), kind) for one, kind in names.items() if one not in self._cased
        ]
        self._folded += [(one, spoken_words(one), kind) for one, (kind, _) in book.links.items()]
        self._spelled = [one for one in names if one.isascii() and one.isalpha() and len(one) >= _MIN_SPELLED]
        families = {person.family for person in book.persons if person.family and not person.family.isascii()}
        self._families = [(one, re.compile(rf"[小老阿姓]{one}|{one}(?={TITLES_ZH})")) for one in families]
        self._numbers = set(book.numbers)
        self._amounts = set(book.amounts)
        self._days = {(date.month, date.day) for date in book.dates if date.whole}

    def in_text(self, text: str) -> Iterator[tuple[Kind, str]]:
        words = spoken_words(text)
        for original, wanted, kind in self._folded:
            if wanted and _contains(words, wanted):
                yield kind, original
        for original, kind in self._cased.items():
            if re.search(rf"(?<![^\W_]){re.escape(original)}(?![^\W_])", text):
                yield kind, original
        for original, pattern in self._families:
            if pattern.search(text):
                yield "person", original
        letters = _letter_runs(words)
        for original in self._spelled:
            if any(original.casefold() in run for run in letters):
                yield "person", original
        yield from self._in_numbers(text)

    def _in_numbers(self, text: str) -> Iterator[tuple[Kind, str]]:
        plain = text
        for date in find_dates(text):
            if (date.month, date.day) in self._days and date.whole:
                yield "date", text[date.start : date.end]
            plain = plain[: date.start] + " " + "-" * (date.end - date.start - 1) + plain[date.end :]
        plain = _DOUBLED.sub(lambda found: digits_of(found[0]) or found[0], plain)
        runs = list(_number_runs(spoken_words(plain)))
        squeezed = re.sub(r"[\W_]", "", plain).upper()
        for key in self._numbers:
            coded = not key.isdigit()
            long = any((key in run) if len(key) >= _INSIDE else run.endswith(key) for run in runs)
            long = long and len(key) >= LONG
            if long or (coded and key in squeezed) or (len(key) < LONG and key in runs):
                yield "number", key
        for key in self._amounts:
            whole = key.partition(".")[0]
            if len(whole) >= BARE_DIGITS and (key if "." not in key else whole) in runs:
                yield "amount", key
        for span in number_spans(plain):
            if span.sure and span.kind == "amount" and span.key in self._amounts:
                yield "amount", span.key


def _contains(words: Sequence[str], wanted: Sequence[str]) -> bool:
    length = len(wanted)
    return any(tuple(words[at : at + length]) == tuple(wanted) for at in range(len(words) - length + 1))


def _letter_runs(words: Sequence[str]) -> list[str]:
    """Letters that are said one after the other, joined."""
    runs, run = [], ""
    for word in (*words, "  "):
        if len(word) == 1 and word.isalpha() and word.isascii():
            run += word
        else:
            runs.append(run)
            run = ""
    return [run for run in runs if len(run) >= _MIN_SPELLED]


def _number_runs(words: Sequence[str]) -> Iterator[str]:
    """Each number, and numbers that stand beside each other as one."""
    run: list[str] = []
    for word in (*words, " "):
        if word.isdigit():
            run.append(word)
            yield word
        elif word not in _BETWEEN:
            if len(run) > 1:
                yield "".join(run)
            run = []
