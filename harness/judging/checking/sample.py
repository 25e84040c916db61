"""A part of a labelled set that still has something of everything, and the order in which it is judged.

The part is the same every time: within a group the digest of an item's id decides, not its place in a file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TypeVar

from harness.judging.checking.labelled_set import JudgeSet, LabelledDialogue, LabelledReply
from harness.judging.checking.tasks import JudgedTask
from metrics.dialogue.verdicts import Dimension

Item = LabelledReply | LabelledDialogue

_T = TypeVar("_T", LabelledReply, LabelledDialogue)


def sampled_replies(
    labelled: JudgeSet,
    tasks: Mapping[str, JudgedTask],
    dimensions: Collection[Dimension],
    limit: int | None = None,
) -> list[LabelledReply]:
    """The replies on the given dimensions; with ``limit`` so many of each, over scores, then domains."""
    chosen = []
    for dimension in Dimension:
        if dimension in dimensions:
            items = [item for item in labelled.replies if item.dimension is dimension]
            spread = (lambda item: labelled.score_of(item.id), lambda item: tasks[item.entry].domain)
            chosen += _dealt(items, spread, salt=dimension.value)[:limit]
    return chosen


def sampled_dialogues(
    labelled: JudgeSet, tasks: Mapping[str, JudgedTask], limit: int | None = None
) -> list[LabelledDialogue]:
    """The dialogues; with ``limit`` so many, spread over domains, then over what makes them hard."""
    spread = (lambda item: tasks[item.entry].domain, lambda item: item.trait)
    return _dealt(list(labelled.dialogues), spread, salt="dialogues")[:limit]


def in_reading_order(items: Iterable[Item]) -> list[Item]:
    """Items with the same briefing behind one another, and there those that begin with the same turns.

    A question begins with the briefing and the call. A server that keeps what it read last (llama.cpp), or
    for some minutes (providers), then reads a briefing once.
    """
    return sorted(items, key=lambda item: (item.entry, [turn.text for turn in item.turns], item.id))


def _dealt(items: Sequence[_T], spread: Sequence[Callable[[_T], str]], *, salt: str) -> list[_T]:
    """The items in an order of which every beginning is spread over the groups: one of each in turn."""
    if not spread:
        return sorted(items, key=lambda item: _draw(salt, item.id))
    groups: dict[str, list[_T]] = {}
    for item in items:
        groups.setdefault(spread[0](item), []).append(item)
    in_turn = [
        _dealt(groups[name], spread[1:], salt=f"{salt}/{name}")
        for name in sorted(groups, key=lambda name: _draw(salt, name))
    ]
    return [item for row in zip_longest(*in_turn) for item in row if item is not None]


def _draw(salt: str, name: str) -> str:
    return hashlib.sha256(f"{salt}\n{name}".encode()).hexdigest()
