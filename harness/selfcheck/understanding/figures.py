"""Labelled lines tried on a caller: how many are taken as meant, and how often something else is taken.

*As meant*: of the lines that mean something, those of which an item that is meant was taken. *False*: of all
lines, those of which an item was taken that is not meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from harness.selfcheck.understanding.labelled import Labelled
from metrics.intervals import Interval, wilson
from voice_sim.person.examples import Item, ItemKind

AS_MEANT_AT_LEAST, FALSE_AT_MOST = 0.90, 0.05
"""What a set that nobody tuned on has to come to, in each language."""

Takes = Callable[[Labelled], frozenset[Item]]
"""What a line is taken to mean."""


@dataclass(frozen=True, kw_only=True)
class Tried:
    """A line and what it was taken to mean."""

    line: Labelled
    taken: frozenset[Item]

    @property
    def as_meant(self) -> bool:
        return bool(self.taken & self.line.means)

    @property
    def false(self) -> bool:
        return bool(self.taken - self.line.means)


@dataclass(frozen=True, kw_only=True)
class Share:
    """A count of lines, with the 95 % interval of its share (Wilson)."""

    hits: int
    n: int

    @property
    def value(self) -> float | None:
        """None of no lines."""
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> Interval | None:
        return wilson(self.hits, self.n) if self.n else None


def try_lines(lines: Iterable[Labelled], takes: Takes) -> list[Tried]:
    """What each line is taken to mean."""
    return [Tried(line=line, taken=takes(line)) for line in lines]


def as_meant(tried: Sequence[Tried], kind: ItemKind | None = None) -> Share:
    """Of the lines that mean something (of this kind), those of which it was taken."""
    meaning = [(one, _of(one.line.means, kind)) for one in tried if _of(one.line.means, kind)]
    return Share(hits=sum(bool(one.taken & means) for one, means in meaning), n=len(meaning))


def false(tried: Sequence[Tried], kind: ItemKind | None = None) -> Share:
    """Of all lines, those of which something (of this kind) was taken that is not meant."""
    return Share(hits=sum(bool(_of(one.taken - one.line.means, kind)) for one in tried), n=len(tried))


def false_on_nothing(tried: Sequence[Tried], kind: ItemKind | None = None) -> Share:
    """Of the lines that mean nothing, those of which something (of this kind) was taken."""
    return false([one for one in tried if not one.line.means], kind)


def _of(items: frozenset[Item], kind: ItemKind | None) -> frozenset[Item]:
    return items if kind is None else frozenset(item for item in items if item.kind == kind)
