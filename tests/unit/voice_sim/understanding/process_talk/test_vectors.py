"""The vectors that come along are those of the lines, as the encoder gives them."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from voice_sim.understanding.encoders.base import MissingEncoderError
from voice_sim.understanding.encoders.e5 import E5Encoder
from voice_sim.understanding.process_talk import vectors as kept
from voice_sim.understanding.process_talk.lines import all_process_lines
from voice_sim.understanding.process_talk.vectors import process_vectors, write_vectors


@pytest.mark.parametrize("language", ["en", "zh"])
def test_they_are_the_encoder_s(language: Literal["en", "zh"]) -> None:
    try:
        encoder = E5Encoder()
    except MissingEncoderError as error:
        pytest.skip(str(error))
    along = process_vectors(language, encoder.name, dimension=384)
    assert along is not None
    lines = all_process_lines(language)
    assert list(along) == lines
    some = lines[:: len(lines) // 8]
    cosines = (np.stack([along[line] for line in some]) * encoder.encode(some)).sum(axis=1)
    assert cosines.min() > 0.999


def test_those_of_other_lines_or_another_encoder_are_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    rows = np.random.default_rng(1).normal(size=(len(all_process_lines("en")), 8)).astype(np.float32)
    write_vectors("en", "toy", rows)
    found = process_vectors("en", "toy", dimension=8)
    assert found is not None
    assert np.linalg.norm(next(iter(found.values()))) == pytest.approx(1.0)
    assert process_vectors("en", "another", dimension=8) is None
    assert process_vectors("en", "toy", dimension=9) is None
    process_vectors.cache_clear()
    monkeypatch.setattr(kept, "process_version", lambda language: "00000000")
    assert process_vectors("en", "toy", dimension=8) is None
    process_vectors.cache_clear()
