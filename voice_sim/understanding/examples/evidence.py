"""What speaks for each meaning of an utterance, as numbers: how near its parts are to the example lines.

For every item of a person, over the parts of the utterance: nearness to the three nearest examples together,
and to the nearest one; by how much that is ahead of the other items and of what means nothing; whether a
question goes with an item that is asked for; and whether a cue phrase is found. :mod:`.weights` makes a
probability of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from voice_sim.person.examples import ItemKind
from voice_sim.understanding.cues import Found
from voice_sim.understanding.encoders.base import Vectors
from voice_sim.understanding.examples.shared_words import WordsShared

NEAREST = 3
KINDS: tuple[ItemKind, ...] = get_args(ItemKind)
NEARNESS = (
    "whole",
    "best part",
    "nearest example",
    "ahead of the rest",
    "ahead in that part",
    "ahead of nothing",
)
SHARED = ("shared words", "shared ahead of the rest", "shared ahead of nothing")
NAMES = (
    *NEARNESS,
    *SHARED,
    *(name for kind in KINDS for name in (f"is {kind}", f"is {kind}, asks")),
    "cue exactly",
    "cue nearly",
)
"""What the columns are, in their order."""
FARTHEST = -1.0

Evidence = NDArray[np.float64]
"""Shape (items, len(NAMES))."""


def evidence_of(
    parts: Vectors,
    *,
    examples: Sequence[Vectors],
    nothing: Vectors,
    kinds: Sequence[ItemKind],
    asks: bool,
    cues: Sequence[Found],
    shared: WordsShared,
) -> Evidence:
    """The evidence for each item.

    Args:
        parts: Of the utterance, the whole first; shape (parts, dimension).
        examples: One array an item; shape (0, dimension) where it has none.
        nothing: Lines that mean nothing.
        kinds: Of the items.
        asks: Something in the utterance wants an answer.
        cues: How well a cue phrase of each item is found.
        shared: How much of the utterance's content words the examples have.
    """
    per_item = [_nearness(parts, one) for one in examples]
    three = np.stack([near for near, _ in per_item])  # items, parts
    one = np.stack([nearest for _, nearest in per_item])
    of_nothing, _ = _nearness(parts, nothing)
    part = three.argmax(axis=1)
    best = three.max(axis=1)
    columns = [
        three[:, 0],
        best,
        one.max(axis=1),
        best - _best_of_others(best),
        best - np.array([_others(three[:, at], row) for row, at in enumerate(part)]),
        best - of_nothing[part],
    ]
    columns += [shared.items, shared.items - _best_of_others(shared.items), shared.items - shared.nothing]
    for kind in KINDS:
        is_kind = np.array([float(of == kind) for of in kinds])
        columns += [is_kind, is_kind * asks]
    columns += [np.array([float(found is how) for found in cues]) for how in (Found.EXACTLY, Found.NEARLY)]
    return np.stack(columns, axis=1)


def _nearness(parts: Vectors, lines: Vectors) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each part: the mean cosine of the three nearest lines, and the nearest one's."""
    if not len(lines):
        far = np.full(len(parts), FARTHEST)
        return far, far
    cosines = -np.sort(-(parts @ lines.T).astype(np.float64), axis=1)
    return cosines[:, :NEAREST].mean(axis=1), cosines[:, 0]


def _best_of_others(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([_others(values, row) for row in range(len(values))])


def _others(values: NDArray[np.float64], row: int) -> float:
    return float(np.delete(values, row).max(initial=FARTHEST))
