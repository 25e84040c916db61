"""Writes a text again with everything that is in the book replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spoken_language import chinese_numbers, english_number_words
from voice_sim.authoring.identifiers.book import Book, Person
from voice_sim.authoring.identifiers.dates import find_dates
from voice_sim.authoring.identifiers.names import is_ordinary
from voice_sim.authoring.identifiers.numbers import number_spans
from voice_sim.authoring.identifiers.organisations import (
    EMAIL,
    HOUSE,
    LINK,
    POSTCODE,
    SPOKEN_EMAIL,
    STREET_ZH,
    UNIT,
    UNIT_ZH,
)
from voice_sim.authoring.identifiers.span import Span, without_overlaps
from voice_sim.authoring.identifiers.word_lists import NOT_NAMES

_MOST_SPELLED = 12
"""Digits of an amount in words; a longer one is no amount."""
BARE_DIGITS = 3
"""An amount of so many digits is replaced wherever its number stands; a smaller one only with its
currency."""

TITLES_ZH = "先生|女士|小姐|太太|老师|经理|主任|总|医生|师傅|阿姨|叔叔|大哥|大姐"
_SCALES = {"k": 1000, "thousand": 1000, "million": 10**6, "万": 10**4, "亿": 10**8, "千": 1000, "百": 100}
_MIN_SPELLED = 3


class Replacer:
    """Replaces by one book. Texts are independent of each other."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._patterns = [
            (re.compile(pattern), new, spelled) for pattern, new, spelled in _name_patterns(book)
        ]

    def replaced(self, text: str) -> str:
        """The text without any of the book's originals."""
        found: list[tuple[Span, str]] = [*self._links(text), *self._dates(text), *self._names(text)]
        found += [*self._addresses(text), *self._numbers(text)]
        new_of = {(span.start, span.end, span.kind): new for span, new in reversed(found)}
        out, at = [], 0
        for span in without_overlaps([span for span, _ in found]):
            out += [text[at : span.start], new_of[(span.start, span.end, span.kind)]]
            at = span.end
        return "".join(out) + text[at:]

    def _links(self, text: str) -> Iterator[tuple[Span, str]]:
        for pattern in (EMAIL, SPOKEN_EMAIL, LINK):
            for found in pattern.finditer(text):
                if known := self._book.links.get(found[0].lower()):
                    yield _span(found, known[0]), known[1]

    def _dates(self, text: str) -> Iterator[tuple[Span, str]]:
        for date in find_dates(text):
            span = Span(start=date.start, end=date.end, kind="date", key="")
            yield span, self._book.shift.written(text, date)

    def _names(self, text: str) -> Iterator[tuple[Span, str]]:
        for pattern, new, spelled in self._patterns:
            for found in pattern.finditer(text):
                if spelled:
                    mark = re.search(r"[^A-Za-z]+", found[0])
                    yield _span(found, "person"), (mark[0] if mark else " ").join(new.upper())
                else:
                    yield _span(found, "person"), new.lower() if found[0].islower() else new

    def _addresses(self, text: str) -> Iterator[tuple[Span, str]]:
        for pattern in (HOUSE, UNIT, STREET_ZH, UNIT_ZH):
            for found in pattern.finditer(text):
                number = found["number"]
                if number and (new := self._book.houses.get(number)):
                    start, end = found.span("number")
                    written = chinese_numbers.spelled(int(new)) if not number.isascii() else new
                    yield Span(start=start, end=end, kind="address", key=number), written

    def _numbers(self, text: str) -> Iterator[tuple[Span, str]]:
        for found in POSTCODE.finditer(text):
            if new := self._book.numbers.get(re.sub(r"\W", "", found[0]).upper()):
                yield _span(found, "number"), _into(found[0], new)
        for span in number_spans(text):
            written = text[span.start : span.end]
            if span.kind == "number" and (new := self._book.numbers.get(span.key)):
                yield _sure(span), _number_like(written, new, span.style)
            elif (new := self._book.amounts.get(_value(span.key))) and (
                (span.sure and span.kind == "amount") or len(_value(span.key)) >= BARE_DIGITS
            ):
                yield _sure(span), _amount_like(written, new, span.style)


def name_parts(person: Person) -> Iterator[tuple[str, str]]:
    """(original, replacement) of a name and of each part that may stand alone."""
    family, given = person.family, person.given
    if not (family + given).isascii():
        new_family, new_given = person.stands.family_zh, person.gives.given_zh
        if family and given:
            yield family + given, new_family + new_given
        if len(given) > 1:
            yield given, new_given
        if len(family) > 1:
            yield family, new_family
        return
    if family and given:
        whole = f"{person.stands.family} {person.gives.given}"
        yield f"{given} {family}", whole
        yield f"{family} {given}", whole
        yield f"{family}, {given}", whole
    # "He" alone is nobody's name.
    if family and family.casefold() not in NOT_NAMES:
        yield family, person.stands.family
    if given and given.casefold() not in NOT_NAMES:
        yield given, person.gives.given


def case_matters(original: str) -> bool:
    """Whether an original is only itself with its own capitals: short ones and ordinary words."""
    return is_ordinary(original) or original.isupper() or len(original) < 4


def _name_patterns(book: Book) -> Iterator[tuple[str, str, bool]]:
    for original, (_, new) in book.names.items():
        yield _pattern(original), new, False
    for person in book.persons:
        for original, new in name_parts(person):
            yield _pattern(original), new, False
            if original.isascii() and original.isalpha() and len(original) >= _MIN_SPELLED:
                yield r"(?<![^\W_])(?i:" + r"[-., ]{1,2}".join(original) + r")(?![^\W_])", new, True
        if person.family.casefold() in NOT_NAMES:
            titled = "|".join(
                f"(?<={title}{dot} )" for title in ("Mr", "Ms", "Mrs", "Dr") for dot in ("", r"\.")
            )
            yield rf"(?:{titled}){person.family}(?![^\W_])", person.stands.family, False
        if person.family and not person.family.isascii():
            family = re.escape(person.family)
            yield rf"{family}(?={TITLES_ZH})", person.stands.family_zh, False
            yield rf"(?<=[小老阿姓]){family}", person.stands.family_zh, False


def _pattern(original: str) -> str:
    body = r"[ _]".join(re.escape(word) for word in original.split())
    if not original.isascii():
        return body
    flags = "" if case_matters(original) else "(?i)"
    return rf"{flags}(?<![^\W_]){body}(?![^\W_])"


def _span(found: re.Match[str], kind: str) -> Span:
    return Span(start=found.start(), end=found.end(), kind=kind, key=found[0])  # type: ignore[arg-type]


def _sure(span: Span) -> Span:
    return Span(start=span.start, end=span.end, kind=span.kind, key=span.key, style=span.style)


def _value(key: str) -> str:
    return key.lstrip("0") or "0"


def _number_like(written: str, new: str, style: str) -> str:
    if style == "words":
        english = written.isascii()
        return english_number_words.spelled_digits(new) if english else chinese_numbers.read_out(new)
    return _into(written, new)


def _into(written: str, new: str) -> str:
    """The new signs in the places of the old ones, with the old marks between them."""
    signs = iter(new)
    return "".join(next(signs, "") if sign.isalnum() else sign for sign in written)


def _amount_like(written: str, new: str, style: str) -> str:
    how, _, scale = style.partition("|")
    if scale:
        factor = _SCALES[scale.lower()]
        scaled = f"{float(new) / factor:.4f}".rstrip("0").rstrip(".")
        if how != "words" and len(scaled.partition(".")[2]) <= 2:
            return written.replace(how, scaled, 1)
        if how == "words" and "." not in scaled:
            return _spoken(scaled, written) + written[len(written.rstrip(scale)) :]
        return _spoken(new, written) if how == "words" else new
    if how == "words":
        return _spoken(new, written)
    whole, _, fraction = new.partition(".")
    if "," in how:
        whole = f"{int(whole):,}"
    places = len(how.partition(".")[2]) if "." in how else 0
    return f"{whole}.{fraction:0<{places}}" if places else whole + (f".{fraction}" if fraction else "")


def _spoken(value: str, written: str) -> str:
    if "." in value or len(value) > _MOST_SPELLED:
        return value
    spelled = english_number_words.spelled if written.isascii() else chinese_numbers.spelled
    return spelled(int(value))
