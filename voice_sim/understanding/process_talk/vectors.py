"""The vectors of the process lines, which come along: to encode 555 lines takes ten seconds.

``python -m bench.understanding.process_vectors`` writes them anew after a change of the lines. A byte a
dimension: the cosine of two lines changes by less than 0.01.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np

from voice_sim.understanding.encoders.base import Vectors
from voice_sim.understanding.process_talk.lines import FOLDER, all_process_lines, process_version


@cache
def process_vectors(
    language: Literal["en", "zh"], encoder: str, *, dimension: int
) -> Mapping[str, Vectors] | None:
    """Line -> vector of length 1; None where none come along for this encoder and these lines."""
    path = vectors_path(language, encoder)
    if not path.is_file():
        return None
    with np.load(path) as kept:
        if str(kept["version"]) != process_version(language):
            return None
        if kept["rows"].shape[1] != dimension:
            return None
        rows = kept["rows"].astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return dict(zip(all_process_lines(language), rows, strict=True))


def write_vectors(language: Literal["en", "zh"], encoder: str, vectors: Vectors) -> None:
    """Keeps the vectors of :func:`all_process_lines`, in that order; shape (lines, dimension)."""
    scaled = vectors / np.abs(vectors).max(axis=1, keepdims=True) * 127
    np.savez_compressed(
        vectors_path(language, encoder),
        rows=np.round(scaled).astype(np.int8),
        version=np.array(process_version(language)),
    )


def vectors_path(language: Literal["en", "zh"], encoder: str) -> Path:
    """Where they stand."""
    return FOLDER / f"{language}.{encoder}.npz"
