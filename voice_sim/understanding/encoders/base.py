"""The port of sentence encoders: texts in, one vector of length 1 each out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""One row a text, each of length 1: the product of two rows is their cosine."""


class MissingEncoderError(RuntimeError):
    """The package that carries the encoder's weights is not installed."""


class SentenceEncoder(Protocol):
    """A model of sentence meaning.

    A text has the same vector whatever is encoded beside it: what a caller understands must not hang on what
    else was said.

    Attributes:
        name: With the version of the weights; it stands in plans and names what was kept on disk.
    """

    @property
    def name(self) -> str: ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Shape (number of texts, dimension).

        Raises:
            MissingEncoderError: The package with the weights is not installed.
        """
        ...
