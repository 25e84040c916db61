"""Step 4, de-identification: real people, companies and figures give way to standardized ones. No model
needed.

    result = deidentify({"seed-1": talk.model_dump(mode="json")}, originals=texts)
    result.documents        # the same, without anything that identifies
    result.entries          # what stands for what: keep it apart

Replacements are the same everywhere ("Mr Carter" and "James" stay one person), keep the form of what they
replace, and follow the paper's rules: standardized names, placeholder companies, one fixed reference date.
Rules find what they know the look of; what they cannot know is to be given as :class:`Term`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from voice_sim.authoring.identifiers.book import Book, Term, make_book
from voice_sim.authoring.identifiers.leaks import Leak, find_leaks
from voice_sim.authoring.identifiers.replacing import Replacer
from voice_sim.authoring.identifiers.span import Kind

VERSION = "3"

_NAMES = frozenset({"id", "key", "needs"})
"""Fields whose values are short names in lower case (see ``voice_sim.person.persona``)."""
_PERSON = "demographics.name"
"""A field that holds a name, whatever stands beside it."""
_SETTINGS = frozenset(
    {"speaker", "language", "archetype", "gender", "share", "pace", "pauses", "interrupts", "backchannels"}
)


class NotDeidentified(Exception):
    """Something of the original is left in what was to be shared. ``leaks`` says what and where."""

    def __init__(self, leaks: Sequence[Leak]) -> None:
        places = ", ".join(dict.fromkeys(f"{leak.kind} in {leak.place}" for leak in leaks))
        super().__init__(f"{len(leaks)} originals are left: {places[:500]}")
        self.leaks = tuple(leaks)


@dataclass(frozen=True, kw_only=True)
class Deidentified:
    """The documents, and what stands for what."""

    documents: dict[str, Any]
    book: Book

    @property
    def entries(self) -> list[tuple[Kind, str, str]]:
        """(kind, original, replacement)."""
        return self.book.entries


def deidentify(
    documents: Mapping[str, Any],
    *,
    originals: Iterable[str] = (),
    terms: Sequence[Term] = (),
    seed: int = 0,
) -> Deidentified:
    """Replaces everything that identifies in plain data (what JSON can hold), and checks that it is gone.

    Args:
        documents: By name. Numbers that are no text (an age) are left as they are.
        originals: Other texts whose identifiers must not be in the result either: the calls that the
            documents were made from.
        terms: What is known to identify and rules may not see.

    Raises:
        NotDeidentified: Something is left.
        TooManyDates: More days are named than can be moved.
    """
    strings = [one for document in documents.values() for one in strings_of(document)]
    named = [Term(kind="person", text=text) for place, text in strings if place.endswith(_PERSON) and text]
    texts = [*originals, *(text for _, text in strings)]
    book = make_book(texts, terms=[*terms, *named], seed=seed)
    replacer = Replacer(book)
    new = {name: _written(document, replacer, "") for name, document in documents.items()}
    if leaks := leaks_in(new, book):
        raise NotDeidentified(leaks)
    return Deidentified(documents=new, book=book)


def leaks_in(documents: Mapping[str, Any], book: Book) -> list[Leak]:
    """What of the originals is in the documents. Settings (``language``, ``share``) are not looked at."""
    return find_leaks(
        (
            (f"{name}: {place}", text)
            for name, document in documents.items()
            for place, text in strings_of(document)
        ),
        book,
    )


def strings_of(content: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """All texts in plain data with their field paths."""
    if isinstance(content, str):
        if place.rpartition(".")[2] not in _SETTINGS:
            yield place, content
    elif isinstance(content, Mapping):
        for key, value in content.items():
            yield from strings_of(value, f"{place}.{key}".lstrip("."))
    elif isinstance(content, list | tuple):
        for number, value in enumerate(content):
            yield from strings_of(value, f"{place}.{number}".lstrip("."))


def _written(content: Any, replacer: Replacer, field: str) -> Any:
    if isinstance(content, str):
        if field in _SETTINGS:
            return content
        if field in _NAMES:
            words = content.replace("_", " ")
            new = replacer.replaced(words)
            return content if new == words else _short_name(new)
        return replacer.replaced(content)
    if isinstance(content, Mapping):
        return {key: _written(value, replacer, key) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_written(value, replacer, field) for value in content]
    return content


def _short_name(text: str) -> str:
    name = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:48]
    return name if name[:1].isalpha() else f"n{name}"[:48]
