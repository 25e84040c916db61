"""What a caller has said too often: language models, small ones above all, repeat themselves."""

from __future__ import annotations

import re
from collections.abc import Collection

from voice_sim.policies.base import Dialogue, Said

SAME_LINE = 2
"""A sentence is said so often and no more."""

_LONG = 12
_WORDS = re.compile(r"\w+")
_SENTENCES = re.compile(r"(?<=[.!?。！？])\s*")


def worn_out(dialogue: Dialogue) -> frozenset[str]:
    """The sentences, as :func:`sentence_key` gives them, that were said as often as one may."""
    counts: dict[str, int] = {}
    for turn in dialogue:
        if isinstance(turn, Said):
            for sentence in _SENTENCES.split(turn.text):
                if key := sentence_key(sentence):
                    counts[key] = counts.get(key, 0) + 1
    return frozenset(key for key, count in counts.items() if count >= SAME_LINE)


def sentence_key(sentence: str) -> str:
    """What two wordings of a sentence have in common. Empty for a short answer ("Yes."), which may come as
    often as it likes; a short question ("What was that?") may not."""
    words = _WORDS.findall(sentence.casefold())
    letters = sum(map(len, words))
    asks = letters > 1 and sentence.rstrip().endswith(("?", "？"))
    return " ".join(words) if asks or letters >= _LONG or (len(words) == 1 and letters > 5) else ""


def in_a_row(dialogue: Dialogue, lines: Collection[str]) -> int:
    """How many of the caller's turns, counted from the last one, were nothing but one of these lines."""
    count = 0
    for turn in reversed(dialogue):
        if not isinstance(turn, Said) or turn.kind == "backchannel":
            continue
        if turn.text not in lines:
            break
        count += 1
    return count
