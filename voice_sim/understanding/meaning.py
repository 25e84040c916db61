"""The nearest of several meanings, by a model of sentence embeddings.

Cues come first; this is for a question that no cue was written for. It only decides when the best candidate
is near enough **and** clear of the second best, so that rounding on another processor, or a question about
something else, gives no answer instead of a wrong one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class SentenceEncoder(Protocol):
    """A model of sentence meaning. Vectors have length 1, one row a text.

    Attributes:
        near: Cosine from which a question is about a candidate, as measured for this model.
        margin: By how much the best candidate has to be ahead of the second best.
    """

    @property
    def near(self) -> float: ...

    @property
    def margin(self) -> float: ...

    def encode_questions(self, texts: Sequence[str]) -> Vectors: ...

    def encode_answers(self, texts: Sequence[str]) -> Vectors: ...


class NearestMeaning:
    """Finds the candidate that a question is about, if it is clearly about one."""

    def __init__(self, encoder: SentenceEncoder) -> None:
        self._encoder = encoder
        self._questions: dict[str, Vectors] = {}
        self._answers: dict[str, Vectors] = {}

    def prepare(self, candidates: Mapping[str, str]) -> None:
        """Reads candidates before anything is asked about them: it takes as long as several questions."""
        if candidates:
            _vectors(list(candidates.values()), self._answers, self._encoder.encode_answers)

    def nearest(self, question: str, candidates: Mapping[str, str]) -> str | None:
        """Key of the candidate whose text answers ``question``; None when none is near, or two are."""
        if not candidates:
            return None
        keys = list(candidates)
        answers = _vectors(list(candidates.values()), self._answers, self._encoder.encode_answers)
        asked = _vectors([question], self._questions, self._encoder.encode_questions)
        cosines = answers @ asked[0]
        order = np.argsort(-cosines, kind="stable")
        best = float(cosines[order[0]])
        second = float(cosines[order[1]]) if len(keys) > 1 else -1.0
        if best < self._encoder.near or best - second < self._encoder.margin:
            return None
        return keys[int(order[0])]


def _vectors(
    texts: Sequence[str], known: dict[str, Vectors], encode: Callable[[Sequence[str]], Vectors]
) -> Vectors:
    missing = [text for text in dict.fromkeys(texts) if text not in known]
    if missing:
        known.update(zip(missing, encode(missing), strict=True))
    return np.stack([known[text] for text in texts])
