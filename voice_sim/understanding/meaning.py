"""The nearest of several meanings, by a model of sentence embeddings.

Cues come first; this is for a question that no cue was written for. It only decides when the best candidate
is near enough **and** clear of the second best, so that rounding on another processor, or a question about
something else, gives no answer instead of a wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class SentenceEncoder(Protocol):
    """A model of sentence meaning.

    Attributes:
        near: Cosine from which two texts are about the same thing, as measured for this model.
        margin: By how much the best has to be ahead of the second best.
    """

    @property
    def near(self) -> float: ...

    @property
    def margin(self) -> float: ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text, as rows."""
        ...


class NearestMeaning:
    """Finds the candidate that a text means, if it clearly means one."""

    def __init__(self, encoder: SentenceEncoder) -> None:
        self._encoder = encoder
        self._known: dict[str, Vectors] = {}

    def nearest(self, text: str, candidates: Mapping[str, str]) -> str | None:
        """Key of the candidate whose text is nearest in meaning; None when none is near, or two are."""
        if not candidates:
            return None
        keys = list(candidates)
        cosines = self._vectors([candidates[key] for key in keys]) @ self._vectors([text])[0]
        order = np.argsort(-cosines)
        best = float(cosines[order[0]])
        second = float(cosines[order[1]]) if len(keys) > 1 else -1.0
        if best < self._encoder.near or best - second < self._encoder.margin:
            return None
        return keys[int(order[0])]

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if missing:
            for text, vector in zip(missing, self._encoder.encode(missing), strict=True):
                self._known[text] = vector
        return np.stack([self._known[text] for text in texts])
