"""Where in a reading a phrase is said, from the words around it.

The phrase itself may be written in any way ("4729" for four digits), so it is placed by the carrier: from the
end of the word before it to the beginning of the word after it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Protocol

from metrics.spans import Span

_PIECES = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:'[^\W\d_]+)?")
NEAR_WORDS = 3
"""How many words from the phrase the carrier has to be recognised at the latest."""


class TimedWord(Protocol):
    """A recognised word, its times in seconds."""

    @property
    def word(self) -> str: ...
    @property
    def start_s(self) -> float: ...
    @property
    def end_s(self) -> float: ...


@dataclass(frozen=True, kw_only=True)
class Placed:
    """Where a phrase was said, and what was recognised there, in lower case without punctuation."""

    span: Span
    heard: str


@dataclass(frozen=True, kw_only=True)
class _Piece:
    text: str
    start_s: float
    end_s: float


def place_phrase(words: Sequence[TimedWord], *, before: str, phrase: str, after: str) -> Placed | None:
    """From the first to the last of ``phrase``; None: the carrier was not recognised beside it.

    Args:
        words: What was recognised, in order, with times.
        before, phrase, after: The sentence as it was to be read; ``before`` or ``after`` may be empty, where
            the phrase begins or ends the reading.
    """
    heard = [piece for word in words for piece in _pieces_of(word)]
    head, tail = _split(before), _split(after)
    wanted = [*head, *_split(phrase), *tail]
    if not heard:
        return None
    matcher = SequenceMatcher(None, wanted, [one.text for one in heard], autojunk=False)
    pairs = {
        block.a + step: block.b + step
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
    }
    tail_begins = len(wanted) - len(tail)
    lasts = [at for at in range(max(0, len(head) - NEAR_WORDS), len(head)) if at in pairs]
    firsts = [at for at in range(tail_begins, min(len(wanted), tail_begins + NEAR_WORDS)) if at in pairs]
    if (head and not lasts) or (tail and not firsts):
        return None
    # Words of the carrier between the recognised one and the phrase are stepped over as heard.
    first = pairs[lasts[-1]] + len(head) - lasts[-1] if head else 0
    last = pairs[firsts[0]] - (firsts[0] - tail_begins) - 1 if tail else len(heard) - 1
    if not 0 <= first <= last < len(heard):
        return None
    start_s, end_s = heard[first].start_s, heard[last].end_s
    if end_s <= start_s:
        return None
    return Placed(
        span=Span(start_s=start_s, end_s=end_s), heard=" ".join(one.text for one in heard[first : last + 1])
    )


def _split(text: str) -> list[str]:
    return [piece.lower() for piece in _PIECES.findall(text)]


def _pieces_of(word: TimedWord) -> list[_Piece]:
    """A word's own parts: several characters of Chinese share its time equally."""
    parts = _split(word.word)
    each = (word.end_s - word.start_s) / max(len(parts), 1)
    return [
        _Piece(text=part, start_s=word.start_s + number * each, end_s=word.start_s + (number + 1) * each)
        for number, part in enumerate(parts)
    ]
