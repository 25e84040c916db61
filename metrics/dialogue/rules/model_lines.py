"""Lines that the agent's prompt proposes, and how much of one an agent's turn has in other words.

A prompt quotes the lines of its steps and answers. The line that carries a node's evidence shows how the node
is achieved; a turn that has enough of its weighty words achieves the node too, in whatever order. Words
weigh by how few of the prompt's lines have them (inverse document frequency).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from metrics.dialogue.evidence import FoundWord
from metrics.dialogue.rules.phrases import canonical_words
from metrics.dialogue.rules.reply import sentences
from metrics.dialogue.rules.small_words import SMALL_WORDS

ENOUGH = 0.38
"""Share of a line's weight that a turn must have. Of the labelled set that ships, four in six domains choose
this share when the other five are looked at, and two one near it (0.37, 0.42)."""
_WORDS_MIN = 2
"""So many words besides numbers: a date or a price stands in many a line."""
_NAMED = re.compile(r"\b[A-Z][A-Za-z]+|\d+|[㐀-䶿一-鿿]+")
_QUOTED = re.compile(r"[\"“]([^\"“”\n]{4,})[\"”]|^A: (.+)$", re.MULTILINE)


@lru_cache(maxsize=512)
def proposed_lines(prompt: str) -> tuple[str, ...]:
    """The lines that a prompt puts into the agent's mouth: whatever it quotes, and the answers of its FAQ."""
    return tuple(quoted or answer for quoted, answer in _QUOTED.findall(prompt))


def share_of_line(turn: str, line: str, prompt: str) -> float:
    """The share of a line's weight that a turn has, 0-1; 0 where they have hardly a word in common.

    Who the agent is (its name, firm and number) weighs nothing: that is said whatever is achieved.
    """
    wanted = content_of(line) - _identity(prompt)
    common = wanted & content_of(turn)
    if sum(not word.isdigit() for word in common) < _WORDS_MIN:
        return 0.0
    weights = _weights(prompt)
    whole = sum(weights.get(word, 0.0) for word in wanted)
    return sum(weights.get(word, 0.0) for word in common) / whole if whole else 0.0


def closest_sentence(turn: str, line: str) -> str:
    """The sentence of a turn that has most of a line's words."""
    wanted = content_of(line)
    return max(sentences(turn), key=lambda sentence: len(wanted & content_of(sentence)), default="")


@lru_cache(maxsize=512)
def _identity(prompt: str) -> frozenset[str]:
    """Names and numbers of the prompt's first line that is no heading: it says who the agent is."""
    line = next((one for one in prompt.splitlines() if one.strip() and not one.startswith("#")), "")
    first = sentences(line)[0] if sentences(line) else ""
    named = " ".join(_NAMED.findall(first))
    return content_of(named)


@lru_cache(maxsize=512)
def _weights(prompt: str) -> Mapping[str, float]:
    lines = proposed_lines(prompt)
    having = Counter(word for line in lines for word in content_of(line))
    return {word: math.log((len(lines) + 1) / (count + 0.5)) for word, count in having.items()}


@lru_cache(maxsize=8192)
def content_of(text: str) -> frozenset[str]:
    """Content words; of Chinese, neighbouring characters."""
    found = canonical_words(text)
    return frozenset(_units(found))


def _units(found: tuple[FoundWord, ...]) -> list[str]:
    said = [one.word for one in found]
    units = []
    for place, word in enumerate(said):
        following = said[place + 1] if place + 1 < len(said) else ""
        if word.isascii():
            # A telephone number is one thing to say, not three.
            goes_on = word.isdigit() and place and said[place - 1].isdigit() and len(said[place - 1]) > 2
            if word not in SMALL_WORDS and not goes_on:
                units.append(word)
        elif following and not following.isascii() and not {word, following} & SMALL_WORDS:
            units.append(word + following)
    return units
