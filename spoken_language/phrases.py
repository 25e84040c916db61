"""The language of phrases: how a flow node and a persona's cue say what to look for in a spoken turn.

The grammar is small enough to write by hand and strict enough to be judged without a language model::

    sorry | apologi* + trouble | inconvenience

- ``+`` (with spaces): every part must occur in the turn, in any order;
- ``|``: alternatives inside a part;
- a part is one or more consecutive words; a word with ``*`` behind it stands for all words that begin so.

What a word is, and when two are the same, is for whoever looks: a judge, or the ears of a caller. Both parse
a phrase here, and search here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

MARK = "\x1f"
"""Stands before and after each word of a :func:`marked` turn, so that a search finds whole words only."""

Option = tuple[str, ...]
"""The words of one alternative, ``*`` kept at their ends."""
Part = tuple[Option, ...]
"""The alternatives of one part."""

_PLUS = re.compile(r"(?:^|\s)\+(?=\s|$)")


def parse(phrase: str, words: Callable[[str], Sequence[str]]) -> tuple[Part, ...]:
    """The parts of a phrase. ``words`` takes a text apart, and keeps a ``*`` at the end of a word.

    Raises:
        ValueError: The phrase has an empty part or alternative.
    """
    parts = []
    for part in _PLUS.split(phrase):
        options = tuple(tuple(words(option)) for option in part.split("|"))
        if not all(options):
            raise ValueError(f"phrase {phrase!r} has an empty part or alternative")
        parts.append(options)
    return tuple(parts)


def marked(words: Iterable[str]) -> str:
    """The words of a turn, in the form in which the patterns of this module find them."""
    return MARK + MARK.join(words) + MARK


def part_pattern(part: Part) -> re.Pattern[str]:
    """Finds any alternative of a part in a :func:`marked` turn."""
    return re.compile("|".join(map(_written, part)))


def option_pattern(option: Iterable[str]) -> re.Pattern[str]:
    """Finds one alternative in a :func:`marked` turn; of the marks, a match has those before its words."""
    return re.compile(_written(option))


def _written(option: Iterable[str]) -> str:
    return MARK + MARK.join(map(_one_word, option)) + f"(?={MARK})"


def _one_word(word: str) -> str:
    return f"{re.escape(word[:-1])}[^{MARK}]*" if word.endswith("*") else re.escape(word)
