"""A place in a text that identifies something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["person", "company", "place", "address", "email", "link", "number", "amount", "date", "other"]
"""``number``: of a telephone, card, order, identity card and the like."""


@dataclass(frozen=True, kw_only=True)
class Span:
    """Where an identifier stands.

    Attributes:
        start, end: In the text.
        kind: What it is.
        key: What it means, the same for every way to write it: ``3333`` for "three three three three".
        sure: Whether the place itself shows that it identifies; a bare number does so only where the same
            number was sure elsewhere.
        style: How it is written, for what writes another in its place.
    """

    start: int
    end: int
    kind: Kind
    key: str
    sure: bool = True
    style: str = ""


def without_overlaps(spans: list[Span]) -> list[Span]:
    """Of overlapping spans the sure one, then the longest, then the first; in the order of the text."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda one: (not one.sure, one.start - one.end, one.start)):
        if all(span.end <= other.start or span.start >= other.end for other in kept):
            kept.append(span)
    return sorted(kept, key=lambda one: one.start)
