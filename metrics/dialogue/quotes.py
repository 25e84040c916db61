"""Whether a quote was really said: the check that keeps a judge from making its evidence up."""

from __future__ import annotations

import re

from metrics.dialogue.evidence import words

_ELLIPSIS = re.compile(r"\.{2,}|…+|\[[.…]+\]")


def is_quoted_from(quote: str, text: str) -> bool:
    """Whether a text contains the words of a quote, whole words, in one piece.

    Case, punctuation, width, thousands separators and white space do not count. A quote that leaves
    something out ("I'm sorry … eighty-eight yuan") must have each of its pieces there, in that order.
    An empty quote, or one of punctuation alone, is quoted from nothing.
    """
    pieces = [piece for part in _ELLIPSIS.split(quote) if (piece := words(part))]
    said = words(text)
    position = 0
    for piece in pieces:
        found = _find(piece, said, position)
        if found is None:
            return False
        position = found + len(piece)
    return bool(pieces)


def _find(piece: tuple[str, ...], said: tuple[str, ...], start: int) -> int | None:
    last = len(said) - len(piece)
    return next((at for at in range(start, last + 1) if said[at : at + len(piece)] == piece), None)
