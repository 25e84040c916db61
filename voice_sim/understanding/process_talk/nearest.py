"""Which process act a sentence is: the nearest lines vote, those of the person's own items among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from voice_sim.understanding.encoders.base import Vectors
from voice_sim.understanding.process_talk.lines import PROCESS_ACTS, ProcessAct, process_lines

VOTERS = 7
"""So many of the nearest lines vote, each with what it is nearer than the next one after them."""


class NearestActs:
    """Tells the acts of sentences.

    Args:
        language: Of the lines.
        vectors: Of each process line.
        others: Of lines that mean something to the person, whatever they do; shape (lines, dimension).
        authors: Whose process lines count; None: everybody's.
    """

    def __init__(
        self,
        language: Literal["en", "zh"],
        vectors: Mapping[str, Vectors],
        others: Vectors,
        *,
        authors: Sequence[str] | None = None,
    ) -> None:
        known = [
            (number, vectors[line])
            for number, act in enumerate(PROCESS_ACTS)
            for author, lines in process_lines(language)[act].items()
            if authors is None or author in authors
            for line in lines
        ]
        own = np.stack([vector for _, vector in known])
        self._lines = np.concatenate([own, others]) if len(others) else own
        self._acts = np.array([number for number, _ in known] + [len(PROCESS_ACTS)] * len(others))

    def shares(self, sentence: Vectors) -> dict[ProcessAct, float]:
        """Of the votes, those for each act; what is not in it went to the person's items.

        Args:
            sentence: Its vector; shape (dimension,).
        """
        nearness = self._lines @ sentence
        nearest = np.argsort(-nearness, kind="stable")[: VOTERS + 1]
        weight = nearness[nearest[:-1]] - nearness[nearest[-1]]
        total = float(weight.sum()) or 1.0
        votes = np.bincount(self._acts[nearest[:-1]], weight, minlength=len(PROCESS_ACTS) + 1)
        return {act: float(votes[number]) / total for number, act in enumerate(PROCESS_ACTS) if votes[number]}
