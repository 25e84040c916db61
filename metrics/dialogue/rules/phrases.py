"""Finds evidence phrases in a turn and says where they stand. The grammar: :mod:`spoken_language.phrases`.

On top of the grammar, spoken variants are one: "January thirteenth" and "January 13", 三点 and 3点, "I am"
and "I'm", "reports" and "reported". And a match that is plainly denied ("we cannot refund that") is none,
unless the phrase itself has the negation: :mod:`metrics.dialogue.rules.denials`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from metrics.dialogue.evidence import FoundWord, located_words, parse
from metrics.dialogue.rules.denials import NEGATORS, is_denied
from metrics.dialogue.rules.denying.chinese import HAN_NEGATORS
from metrics.recognition.chinese import normalize_chinese
from metrics.recognition.english_numbers import numbers_to_digits
from spoken_language.chinese_numbers import NUMERALS
from spoken_language.english_number_words import NUMBER_WORDS
from spoken_language.phrases import MARK, marked, option_pattern

_ORDINAL = re.compile(r"([0-9]+)(?:st|nd|rd|th)")
_CONTRACTIONS = {
    "i'm": ("i", "am"),
    "can't": ("cannot",),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "let's": ("let", "us"),
}
_IS = frozenset(["it", "that", "what", "here", "there", "he", "she", "who", "where", "how", "when"])
_ENDINGS = {"'re": "are", "'ll": "will", "'ve": "have", "'d": "would"}

_INFLECTIONS = ("ing", "ed", "es", "s", "e")
_STEM_MIN = 4


@dataclass(frozen=True, kw_only=True)
class Found:
    """A phrase in a turn. ``quote`` has the words as they stand there, its parts joined by " … ";
    ``places`` are the numbers of those words in the turn."""

    phrase: str
    quote: str
    places: frozenset[int]


def find_phrase(phrases: Sequence[str], turn: str) -> Found | None:
    """The first of several evidence phrases that the turn contains and does not deny.

    Raises:
        ValueError: A phrase has an empty part or alternative.
    """
    said = _canonical_turn(turn)
    for phrase in phrases:
        spans = []
        for part in _patterns(phrase):
            span = next((one for one in _spans(part, said) if not _denied(one, said)), None)
            if span is None:
                break
            spans.append(span)
        else:
            places = frozenset(place for first, after, _ in spans for place in range(first, after))
            return Found(phrase=phrase, quote=_quote(spans, said), places=places)
    return None


@dataclass(frozen=True, kw_only=True)
class _Turn:
    text: str
    words: tuple[FoundWord, ...]
    marked: str


@dataclass(frozen=True, kw_only=True)
class _Alternative:
    pattern: re.Pattern[str]
    negates: bool


@lru_cache(maxsize=4096)
def _canonical_turn(text: str) -> _Turn:
    found = tuple(_canonical(located_words(text)))
    return _Turn(text=text, words=found, marked=marked(one.word for one in found))


@lru_cache(maxsize=8192)
def _patterns(phrase: str) -> tuple[tuple[_Alternative, ...], ...]:
    # One negation anywhere in a phrase makes it one about something that is not done.
    negates = any(_negates(word) for part in parse(phrase) for option in part for word in option)
    return tuple(tuple(_alternative(option, negates) for option in part) for part in parse(phrase))


def _negates(word: str) -> bool:
    return any(part in NEGATORS for part in _spelled_out(word)) or bool(HAN_NEGATORS.search(word))


def _alternative(option: tuple[str, ...], negates: bool) -> _Alternative:
    stars = {stem(word.rstrip("*")) for word in option if word.endswith("*")}
    plain = [FoundWord(word=word.rstrip("*"), start=0, end=0) for word in option]
    words = [f"{one.word}*" if one.word in stars else one.word for one in _canonical(plain)]
    return _Alternative(pattern=option_pattern(words), negates=negates)


def _canonical(words: Sequence[FoundWord]) -> Iterator[FoundWord]:
    """The words with numbers in digits and contractions spelled out; what several become spans them all."""
    position = 0
    while position < len(words):
        one = words[position]
        run = _han_run(words, position) or _run(words, position, NUMBER_WORDS)
        if run:
            texts = [item.word for item in run]
            digits = [normalize_chinese("".join(texts))] if texts[0] in NUMERALS else numbers_to_digits(texts)
            for digit in digits:
                yield FoundWord(word=_cardinal(digit), start=run[0].start, end=run[-1].end)
            position += len(run)
            continue
        for part in _spelled_out(one.word):
            yield FoundWord(word=stem(part), start=one.start, end=one.end)
        position += 1


def stem(word: str) -> str:
    """An English word without the commonest endings ("scores", "scored" and "score" are "scor")."""
    if not word.isascii() or not word.isalpha():
        return word
    cut = (word[: -len(ending)] for ending in _INFLECTIONS if word.endswith(ending))
    return next((kept for kept in cut if len(kept) >= _STEM_MIN), word)


def canonical_words(text: str) -> tuple[FoundWord, ...]:
    """The words of a text in the form in which phrases are compared, and where they stand."""
    return _canonical_turn(text).words


def _run(words: Sequence[FoundWord], start: int, of: Container[str]) -> Sequence[FoundWord]:
    end = start
    while end < len(words) and words[end].word in of:
        end += 1
    return words[start:end]


def _han_run(words: Sequence[FoundWord], start: int) -> Sequence[FoundWord]:
    """Numerals that stand side by side: 六百一十八，十二期 has two numbers. 幺 is one only among digits."""
    run = _run(words, start, NUMERALS)
    apart = (place for place, (one, after) in enumerate(pairwise(run), start=1) if one.end < after.start)
    run = run[: next(apart, len(run))]
    return run if [one.word for one in run] != ["幺"] else ()


def _cardinal(word: str) -> str:
    ordinal = _ORDINAL.fullmatch(word)
    return ordinal[1] if ordinal else word


def _spelled_out(word: str) -> tuple[str, ...]:
    if word in _CONTRACTIONS:
        return _CONTRACTIONS[word]
    if word.endswith("n't"):
        return (word[:-3], "not")
    for ending, meant in _ENDINGS.items():
        if word.endswith(ending):
            return (word.removesuffix(ending), meant)
    if word.endswith("'s") and word[:-2] in _IS:
        return (word[:-2], "is")
    return (_cardinal(word),)


_Span = tuple[int, int, bool]
"""First word, word after the last, and whether the phrase itself negates."""


def _spans(part: Sequence[_Alternative], said: _Turn) -> Iterator[_Span]:
    for alternative in part:
        for found in alternative.pattern.finditer(said.marked):
            first = said.marked.count(MARK, 0, found.start())
            yield first, first + found.group().count(MARK), alternative.negates


def _denied(span: _Span, said: _Turn) -> bool:
    first, after, negates = span
    return not negates and is_denied(first, after, said.words, said.text)


def _quote(spans: Sequence[_Span], said: _Turn) -> str:
    places = sorted((said.words[first].start, said.words[after - 1].end) for first, after, _ in spans)
    merged: list[tuple[int, int]] = []
    for start, end in places:
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return " … ".join(said.text[start:end] for start, end in merged)
