"""Cue phrases looked for in what was heard; the grammar stands in :mod:`spoken_language.phrases`.

A phrase is found exactly, or nearly: a long word may differ by a letter or two, a compound may be split or
joined ("chang jiang bank"), as recognisers do. Numbers have to be right. What is only nearly found is marked,
so that nothing drastic (hanging up) rests on it.

On the 200 agent cards that come along, all of whose words are spelt right, a near match is a false alarm or a
changed ending. See ``tests/unit/voice_sim/test_understanding.py`` for the share that is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein

from spoken_language import phrases
from spoken_language.phrases import Option, Part
from voice_sim.understanding.words import spoken_words

ONE_SLIP_FROM = 6
"""Letters from which a word may differ in one; shorter ones have too many neighbours ("price", "prize")."""
TWO_SLIPS_FROM = 10


class Found(IntEnum):
    """How well a phrase was found."""

    NOT = 0
    NEARLY = 1
    EXACTLY = 2


@lru_cache(maxsize=65536)
def find(phrase: str, text: str) -> Found:
    """How well ``phrase`` is found in ``text``: as its worst part is.

    Raises:
        ValueError: The phrase has an empty part or alternative.
    """
    worst = Found.EXACTLY
    marked = _marked(text)
    for part in parse(phrase):
        if _pattern(part).search(marked):
            continue
        if not any(_nearly(option, text) for option in part):
            return Found.NOT
        worst = Found.NEARLY
    return worst


def find_any(cues: Iterable[str], text: str) -> Found:
    """The best that any of the phrases is found; ``NOT`` when there are none."""
    best = Found.NOT
    for phrase in cues:
        best = max(best, find(phrase, text))
        if best is Found.EXACTLY:
            break
    return best


def says_any(cues: Iterable[str], text: str) -> bool:
    """Whether one of the phrases is found exactly."""
    return any(_says(phrase, text) for phrase in cues)


def touches_any(cues: Iterable[str], text: str) -> bool:
    """Whether at least one part of one of the phrases is found exactly."""
    marked = _marked(text)
    return any(_pattern(part).search(marked) for phrase in cues for part in parse(phrase))


@lru_cache(maxsize=65536)
def _says(phrase: str, text: str) -> bool:
    marked = _marked(text)
    return all(_pattern(part).search(marked) for part in parse(phrase))


@lru_cache(maxsize=16384)
def parse(phrase: str) -> tuple[Part, ...]:
    """The parts of a phrase, in words as the caller hears them.

    Raises:
        ValueError: The phrase has an empty part or alternative.
    """
    return phrases.parse(phrase, spoken_words)


@lru_cache(maxsize=16384)
def _marked(text: str) -> str:
    return phrases.marked(spoken_words(text))


@lru_cache(maxsize=16384)
def _pattern(part: Part) -> re.Pattern[str]:
    return phrases.part_pattern(part)


def _nearly(option: Option, text: str) -> bool:
    heard = spoken_words(text)
    if len("".join(option)) < ONE_SLIP_FROM or any(word.endswith("*") for word in option):
        return False
    if any("一" <= word[0] <= "鿿" for word in option):
        return _nearly_chinese(option, heard)
    size = len(option)
    if size == 1:
        if any(_one_slip(option[0], word) for word in _runs(text, 1) if word[0] == option[0][0]):
            return True
    elif not _runs(text, 1).isdisjoint(option):  # at least one of several words has to be right
        for start in range(len(heard) - size + 1):
            if _words_agree(option, heard[start : start + size]):
                return True
    joined = "".join(option)
    if joined.isdigit():
        return False
    return joined in _runs(text, size + 1) or (size > 1 and joined in _runs(text, size - 1))


@lru_cache(maxsize=16384)
def _runs(text: str, width: int) -> frozenset[str]:
    """Every ``width`` consecutive words of a text, joined."""
    heard = spoken_words(text)
    return frozenset("".join(heard[start : start + width]) for start in range(len(heard) - width + 1))


def _words_agree(option: Option, heard: tuple[str, ...]) -> bool:
    slips = 0
    for wanted, got in zip(option, heard, strict=True):
        if wanted != got:
            if not _one_slip(wanted, got):
                return False
            slips += 1
    return slips <= max(1, len(option) // 3)


@lru_cache(maxsize=65536)
def _one_slip(wanted: str, got: str) -> bool:
    shorter = min(len(wanted), len(got))
    if shorter < ONE_SLIP_FROM or wanted[0] != got[0] or wanted.isdigit() or got.isdigit():
        return False
    allowed = 2 if shorter >= TWO_SLIPS_FROM else 1
    return DamerauLevenshtein.distance(wanted, got, score_cutoff=allowed) <= allowed


def _nearly_chinese(option: Option, heard: tuple[str, ...]) -> bool:
    """One character of five or more may be another: recognisers write a homophone."""
    size = len(option)
    if size < 5:
        return False
    for start in range(len(heard) - size + 1):
        window = heard[start : start + size]
        wrong = [(a, b) for a, b in zip(option, window, strict=True) if a != b]
        if len(wrong) <= 1 and not any(a.isdigit() or b.isdigit() for a, b in wrong):
            return True
    return False
