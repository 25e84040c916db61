"""Evidence phrases: how a flow node says what to look for in a turn. The grammar stands in
:mod:`spoken_language.phrases`.

Case, punctuation, width and thousands separators do not count. A Chinese character is a word of its own, so
a Chinese phrase is found anywhere in a sentence. Negation is not understood: "we cannot refund" contains
``refund``. That is the price of a judge without a model, and the reason why its scores are not comparable.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from spoken_language import phrases
from spoken_language.phrases import Part

_WORD = re.compile(r"[㐀-䶿一-鿿]|(?:(?![㐀-䶿一-鿿])[^\W_])+(?:'[a-z]+)?\*?")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def words(text: str) -> tuple[str, ...]:
    """The words of a text as evidence sees them: folded, without punctuation, one per Chinese character."""
    return tuple(word.rstrip("*") for word in _words(text))


def matches(phrase: str, turn: str) -> bool:
    """Whether a turn contains the phrase; see the module's docstring for the grammar.

    Raises:
        ValueError: The phrase has an empty part or alternative.
    """
    said = _marked(turn)
    return all(part.search(said) for part in _patterns(phrase))


def first_match(wanted: Sequence[str], turn: str) -> str | None:
    """The first of several phrases that the turn contains, or None."""
    return next((phrase for phrase in wanted if matches(phrase, turn)), None)


@dataclass(frozen=True, kw_only=True)
class FoundWord:
    """A word as evidence sees it, and where it stands in the text: ``text[start:end]``."""

    word: str
    start: int
    end: int


@lru_cache(maxsize=8192)
def located_words(text: str) -> tuple[FoundWord, ...]:
    """:func:`words` with their places."""
    folded: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for part in unicodedata.normalize("NFKC", character).casefold().replace("’", "'"):
            folded.append(part)
            places.append(place)
    line = "".join(folded)
    commas = {found.start() for found in _THOUSANDS.finditer(line)}
    kept = [index for index in range(len(line)) if index not in commas]
    return tuple(
        FoundWord(
            word=found.group().rstrip("*"),
            start=places[kept[found.start()]],
            end=places[kept[found.end() - 1]] + 1,
        )
        for found in _WORD.finditer("".join(line[index] for index in kept))
    )


@lru_cache(maxsize=8192)
def parse(phrase: str) -> tuple[Part, ...]:
    """The parts of a phrase, in words as evidence sees them.

    Raises:
        ValueError: The phrase has an empty part or alternative.
    """
    return phrases.parse(phrase, _words)


def _words(text: str) -> tuple[str, ...]:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return tuple(_WORD.findall(_THOUSANDS.sub("", folded)))


@lru_cache(maxsize=8192)
def _marked(turn: str) -> str:
    return phrases.marked(words(turn))


@lru_cache(maxsize=8192)
def _patterns(phrase: str) -> tuple[re.Pattern[str], ...]:
    """One pattern a part, over :func:`_marked` turns."""
    return tuple(map(phrases.part_pattern, parse(phrase)))
