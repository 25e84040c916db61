"""Whether a symbol was read as it may be, from how well each reading fits to the sound.

Of a sentence several spoken forms are known: those that may be said for its symbol, and wrong ones; and there
is what the recogniser itself writes in words, which may be none of them. Each has the logarithm of its
probability given the sound (:mod:`metrics.recognition.forced_decoding`). The best of those that may be said
is held against the best of all others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

VERSION = "1"
CLEAR = 2.0
"""Natural logarithms by which one has to fit better: e² is 7 times as probable. Less decides nothing."""
CLEARER_THAN_UNKNOWN = 10.0
"""What the recogniser wrote by itself has to fit this much better than every reading, where it is none that
the suite knows: it chose these words because they fit best, and mishears."""

Verdict = Literal["right", "wrong", "indeterminate"]


@dataclass(frozen=True, kw_only=True)
class Judged:
    """How a symbol was read.

    Attributes:
        said: The spoken form that fits best, as the suite has it, or the recogniser's words.
        margin: By how much the best of those that may be said fits better than the best of all others;
            negative where another one does; None where there is no other.
    """

    verdict: Verdict
    said: str
    margin: float | None


def judge(
    licensed: Sequence[tuple[str, float]],
    wrong: Sequence[tuple[str, float]],
    *,
    in_words: tuple[str, float] | None,
    sentences: Sequence[str],
) -> Judged:
    """The verdict on one sentence.

    Args:
        licensed: What may be said for the symbol, at least one, each with its logarithm.
        wrong: What may not, as far as it is known.
        in_words: What the recogniser wrote by itself, with its logarithm; None: nothing.
        sentences: The whole sentence with each of ``licensed`` in it, to know ``in_words`` by.
    """
    said, best = max(licensed, key=lambda one: one[1])
    others = [(name, value, CLEAR) for name, value in wrong]
    if in_words is not None and not any(plain_words(in_words[0]) == plain_words(one) for one in sentences):
        others.append((in_words[0], in_words[1], CLEARER_THAN_UNKNOWN))
    if not others:
        # Nothing was ever said against it: what the recogniser wrote is one of those that may be said.
        agrees = in_words is not None
        return Judged(verdict="right" if agrees else "indeterminate", said=said, margin=None)
    other, value, clear = max(others, key=lambda one: one[1] - one[2])
    margin = best - value
    if margin <= -clear:
        return Judged(verdict="wrong", said=other, margin=margin)
    known = [best - value for _, value in wrong]
    if all(one >= CLEAR for one in known):
        return Judged(verdict="right", said=said, margin=margin)
    return Judged(verdict="indeterminate", said=said, margin=margin)


def plain_words(text: str) -> str:
    """Words without case and marks, and not what they mean: "thirty five" is not "three five"."""
    return " ".join(re.findall(r"[^\W_]+", text.lower().replace("'", "").replace("’", "")))
