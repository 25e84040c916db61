"""Evidence phrases: how a flow node, and a persona's cue, say what to look for in a spoken turn.

The grammar is small enough to write by hand and strict enough to be judged without a language model::

    sorry | apologi* + trouble | inconvenience

- ``+`` (with spaces): every part must occur in the turn, in any order;
- ``|``: alternatives inside a part;
- a part is one or more consecutive words; a word with ``*`` behind it stands for all words that begin so.

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

_WORD = re.compile(r"[㐀-䶿一-鿿]|(?:(?![㐀-䶿一-鿿])[^\W_])+(?:'[a-z]+)?\*?")
_MARK = "\x1f"
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


def first_match(phrases: Sequence[str], turn: str) -> str | None:
    """The first of several phrases that the turn contains, or None."""
    return next((phrase for phrase in phrases if matches(phrase, turn)), None)


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
def parse(phrase: str) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """A phrase as parts, each a tuple of alternatives, each a tuple of words (``*`` kept at the end).

    Raises:
        ValueError: The phrase has an empty part or alternative.
    """
    parts = []
    for part in re.split(r"(?:^|\s)\+(?=\s|$)", phrase):
        options = tuple(_words(option) for option in part.split("|"))
        if not all(options):
            raise ValueError(f"evidence phrase {phrase!r} has an empty part or alternative")
        parts.append(options)
    return tuple(parts)


def _words(text: str) -> tuple[str, ...]:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return tuple(_WORD.findall(_THOUSANDS.sub("", folded)))


@lru_cache(maxsize=8192)
def _marked(turn: str) -> str:
    """The words of a turn with a mark before and after each, so that a search finds whole words only."""
    return _MARK + _MARK.join(words(turn)) + _MARK


@lru_cache(maxsize=8192)
def _patterns(phrase: str) -> tuple[re.Pattern[str], ...]:
    """One pattern a part, over :func:`_marked` turns."""
    return tuple(
        re.compile("|".join(_MARK + _MARK.join(map(_one_word, option)) + _MARK for option in part))
        for part in parse(phrase)
    )


def _one_word(word: str) -> str:
    return f"{re.escape(word[:-1])}[^{_MARK}]*" if word.endswith("*") else re.escape(word)
