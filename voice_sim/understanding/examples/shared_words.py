"""How much of an utterance's content words the examples of each item have: what vectors blur, words tell.

"The last digits of the phone" and "of the card" lie close together in meaning; the rarer word of the two
decides. A word counts by its rarity among the items of the person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from voice_sim.understanding.topic import content_words


@dataclass(frozen=True, kw_only=True)
class WordsShared:
    """Shares of an utterance's content words, weighted by rarity, from 0 to 1.

    Attributes:
        items: That the examples of each item have.
        nothing: That the lines have which mean nothing.
    """

    items: NDArray[np.float64]
    nothing: float


class ExampleWords:
    """The words of one person's examples.

    Args:
        items: The lines of each item.
        nothing: Lines that mean nothing.
    """

    def __init__(self, items: Sequence[Sequence[str]], nothing: Sequence[str]) -> None:
        self._items = [_words_of(lines) for lines in items]
        self._nothing = _words_of(nothing)

    def shared_with(self, text: str) -> WordsShared:
        """How much of ``text`` is in them."""
        words = content_words(text)
        rarity = {word: self._rarity(word) for word in words}
        total = sum(rarity.values())

        def share(known: frozenset[str]) -> float:
            return sum(rarity[word] for word in words & known) / total if total else 0.0

        return WordsShared(
            items=np.array([share(known) for known in self._items]), nothing=share(self._nothing)
        )

    def _rarity(self, word: str) -> float:
        groups = [*self._items, self._nothing]
        within = sum(word in known for known in groups)
        return float(np.log((1 + len(groups)) / (1 + within)))


def _words_of(lines: Sequence[str]) -> frozenset[str]:
    return frozenset().union(*map(content_words, lines))
