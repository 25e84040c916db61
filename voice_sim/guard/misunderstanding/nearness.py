"""How near an agent's words are to a text of the card or the person: by an encoder of its own, or by words.

The encoder is MiniLM (English), never the caller's. Where its package is missing, and for Chinese, nearness
is the share of the words' rarity that both have (for Chinese of pairs of characters), which sees no synonym.
"""

from __future__ import annotations

import importlib.util
import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import numpy as np

from voice_sim.guard.misunderstanding.one_thread import one_thread
from voice_sim.guard.words import content
from voice_sim.understanding.encoders.base import Vectors
from voice_sim.understanding.encoders.minilm import PACKAGE, MiniLMEncoder

Evidence = Literal["meaning", "words"]
"""``meaning``: the encoder was asked as well as words; ``words``: words alone."""


def evidence_for(language: str) -> Evidence:
    """What can be had here for a language."""
    there = language == "en" and importlib.util.find_spec(PACKAGE) is not None
    return "meaning" if there else "words"


def nearest(said: Sequence[str], groups: Sequence[Sequence[str]], evidence: Evidence) -> list[float]:
    """For each group of texts, how near the nearest of them is to the nearest of what was said.

    Returns:
        By meaning: cosines, -1 to 1. By words: 0 to 1. An empty group has the lowest value.
    """
    if evidence == "words":
        return _by_words(said, groups)
    if not said:
        return [-1.0] * len(groups)
    spoken = np.stack([_vector(text) for text in said])
    return [
        float((spoken @ np.stack([_vector(text) for text in group]).T).max()) if group else -1.0
        for group in groups
    ]


def _by_words(said: Sequence[str], groups: Sequence[Sequence[str]]) -> list[float]:
    have = [frozenset[str]().union(*map(content, group)) for group in groups]
    seen = Counter(word for one in have for word in one)
    rarity = {word: math.log((len(groups) + 1) / times) for word, times in seen.items()}
    unseen = math.log(len(groups) + 1)
    best = [0.0] * len(groups)
    for text in said:
        about = content(text)
        whole = sum(rarity.get(word, unseen) for word in about)
        for number, words in enumerate(have):
            if whole:
                shared = sum(rarity[word] for word in about & words)
                best[number] = max(best[number], shared / whole)
    return best


@lru_cache(maxsize=1)
def _encoder() -> MiniLMEncoder:
    return MiniLMEncoder()


@lru_cache(maxsize=8192)
def _vector(text: str) -> Vectors:
    with one_thread():
        vector: Vectors = _encoder().encode([text])[0]
    return vector
