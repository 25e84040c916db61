"""Vectors kept on disk: encoded once, by encoder, whatever is wrong with the file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from voice_sim.understanding.encoders.base import Vectors
from voice_sim.understanding.vectors import VectorCache


class Counts:
    """Encodes a text as its length; notes what it was asked for."""

    def __init__(self, name: str = "counts-1") -> None:
        self.name = name
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return np.array([[len(text), 1.0] for text in texts], np.float32).reshape(-1, 2)


def test_a_text_is_encoded_once_and_comes_back_as_it_was(tmp_path: Path) -> None:
    encoder = Counts()
    cache = VectorCache(tmp_path / "deep" / "vectors.sqlite")
    first = cache.encode(["one", "three", "one"], encoder)
    again = VectorCache(tmp_path / "deep" / "vectors.sqlite").encode(["three", "seven"], encoder)
    assert encoder.asked == ["one", "three", "seven"]
    assert first["three"].tolist() == again["three"].tolist() == [5.0, 1.0]


def test_another_encoder_has_vectors_of_its_own(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "vectors.sqlite")
    cache.encode(["one"], Counts())
    other = Counts("counts-2")
    cache.encode(["one"], other)
    assert other.asked == ["one"]


def test_more_texts_than_one_question_takes(tmp_path: Path) -> None:
    texts = [f"text {number}" for number in range(1203)]
    cache = VectorCache(tmp_path / "vectors.sqlite")
    cache.encode(texts, Counts())
    encoder = Counts()
    assert len(cache.encode(texts, encoder)) == 1203
    assert encoder.asked == []


def test_a_file_that_is_none_of_ours_costs_time_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    path.write_bytes(b"not a database at all, but long enough to look at" * 50)
    encoder = Counts()
    cache = VectorCache(path)
    assert cache.encode(["one"], encoder)["one"].tolist() == [3.0, 1.0]
    assert cache.encode(["one"], encoder)["one"].tolist() == [3.0, 1.0]
    assert encoder.asked == ["one", "one"]
