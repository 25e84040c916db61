"""Pairs for a comparison: stretches of two runs, of the same call, in which the agent said the same words."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from harness.scoring.listening.stretches import Stretch

ALIKE = 0.8
"""Share of the words that two stretches must have in common, by our recogniser."""
FEWEST_WORDS = 3

_NO_WORD = re.compile(r"[^\w]+")


def pairs_of(first: Sequence[Stretch], second: Sequence[Stretch]) -> list[tuple[Stretch, Stretch]]:
    """Each stretch of a call with the one of the other run that is most like it, no stretch twice."""
    found = []
    for call_id in dict.fromkeys(one.call_id for one in first):
        ones = [one for one in first if one.call_id == call_id]
        others = [one for one in second if one.call_id == call_id]
        likeness = sorted(
            (
                (alike(one.words, other.words), -i, -j)
                for i, one in enumerate(ones)
                for j, other in enumerate(others)
            ),
            reverse=True,
        )
        taken: set[tuple[str, int]] = set()
        for how_alike, i, j in likeness:
            if how_alike < ALIKE or ("one", i) in taken or ("other", j) in taken:
                continue
            taken |= {("one", i), ("other", j)}
            found.append((ones[-i], others[-j]))
    return found


def alike(first: Sequence[str], second: Sequence[str]) -> float:
    """0 to 1: twice the words in common and in the same order, over all of both. Short ones are not alike."""
    ones, others = _plain(first), _plain(second)
    if min(len(ones), len(others)) < FEWEST_WORDS:
        return 0.0
    return difflib.SequenceMatcher(None, ones, others, autojunk=False).ratio()


def _plain(words: Sequence[str]) -> list[str]:
    return [plain for word in words if (plain := _NO_WORD.sub("", word.casefold()))]
