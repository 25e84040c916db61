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

from spoken_language.chinese_numbers import NUMERALS
from spoken_language.english_number_words import NUMBER_WORDS, SPOKEN_ZERO

VERSION = "2"
"""1 took "five dollars" to be said in "twenty five dollars"."""
CLEAR = 2.0
"""Natural logarithms by which one has to fit better: e² is 7 times as probable. Less decides nothing."""
CLEARER_THAN_UNKNOWN = 12.0
"""Where what the recogniser wrote by itself fits this much better than every form that the suite knows,
nothing is said of it: it may be a way to read it that nobody thought of, or misheard."""

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
) -> Judged:
    """The verdict on one sentence.

    Args:
        licensed: What may be said for the symbol, at least one, each with its logarithm.
        wrong: What may not, as far as it is known.
        in_words: What the recogniser wrote by itself, with its logarithm; None: nothing. Where one of
            ``licensed`` stands in it, and not as a part of a longer number or of one of ``wrong``, it speaks
            for that, whatever became of the rest of the sentence.
    """
    said, best = max(licensed, key=lambda one: one[1])
    known = in_words is not None and any(
        _stands_in(name, in_words[0], wrong=[other for other, _ in wrong]) for name, _ in licensed
    )
    if in_words is not None and not known:
        nearest = max(value for _, value in (*licensed, *wrong))
        if in_words[1] - nearest >= CLEARER_THAN_UNKNOWN:
            return Judged(verdict="indeterminate", said=in_words[0], margin=best - in_words[1])
    if not wrong:
        # Nothing can speak against it but what the recogniser wrote.
        return Judged(verdict="right" if known else "indeterminate", said=said, margin=None)
    other, value = max(wrong, key=lambda one: one[1])
    margin = best - value
    verdict: Verdict = "right" if margin >= CLEAR else "wrong" if margin <= -CLEAR else "indeterminate"
    return Judged(verdict=verdict, said=said if margin >= 0 else other, margin=margin)


def plain_words(text: str) -> str:
    """Words without case and marks, and not what they mean: "thirty five" is not "three five"."""
    spoken = _DOT_INSIDE.sub(" dot ", text.lower())
    return " ".join(_WORD.findall(spoken.replace("'", "").replace("’", "")))


def _stands_in(reading: str, text: str, *, wrong: Sequence[str]) -> bool:
    reading, text = plain_words(reading), plain_words(text)
    if not reading:
        return False
    others = [one for one in map(plain_words, wrong) if one != reading]
    taken = [match.span() for one in others for match in re.finditer(re.escape(one), text)]
    for match in re.finditer(rf"(?={re.escape(reading)})", text):
        start, end = match.start(), match.start() + len(reading)
        within = any(begin <= start and end <= until for begin, until in taken)
        if not within and not _goes_on(reading, text[:start], text[end:]):
            return True
    return False


def _goes_on(reading: str, before: str, after: str) -> bool:
    """Whether what stands beside a reading makes it a part of a word, or its number one of another number."""
    if not reading.isascii():
        begins, holds = reading[0] in _HAN_NUMBER, not _HAN_NUMBER.isdisjoint(reading)
        return (begins and before[-1:] in _HAN_NUMBER) or (holds and after[:1] in _HAN_NUMBER)
    if before[-1:].strip() or after[:1].strip():
        return True
    words, following = before.split(), after.split()
    words = words[:-1] if words[-1:] == ["and"] else words
    following = following[1:] if following[:1] == ["and"] else following
    own = [_is_number(one) for one in reading.split()]
    return (own[0] and any(map(_is_number, words[-1:]))) or (any(own) and any(map(_is_number, following[:1])))


def _is_number(word: str) -> bool:
    return word in _NUMBER or word.isdigit()


_NUMBER = NUMBER_WORDS | {*SPOKEN_ZERO, "point", "minus", "negative"}
_HAN_NUMBER = frozenset(f"{NUMERALS}点负0123456789")
_DOT_INSIDE = re.compile(r"(?<=[^\W\d_])\.(?=[^\W\d_])")
_WORD = re.compile(r"[^\W_]+")
