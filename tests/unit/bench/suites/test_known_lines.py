"""A piece of a line is that line's, at its place, in noise as well; and what is no line fits none."""

from __future__ import annotations

import numpy as np
import pytest

from bench.suites.known_lines import CALL_RATE, KnownLines, Pcm
from harness.selfcheck.selftest.made.calls import shipped_clip

NAMES = ("question", "say_again", "refund", "answer_long")
SURE = 0.6


@pytest.fixture(scope="module")
def known() -> KnownLines:
    return KnownLines({name: shipped_clip(name) for name in NAMES})


def piece(name: str, begins_s: float, *, noise_db: float | None = None) -> Pcm:
    """0.4 s of a clip, from a place on; before its beginning there is silence."""
    line = np.concatenate([np.zeros(CALL_RATE, np.float32), shipped_clip(name)])
    start = round((1.0 + begins_s) * CALL_RATE)
    sound = line[start : start + round(0.4 * CALL_RATE)].copy()
    if noise_db is not None:
        level = float(np.sqrt(np.mean(np.square(sound)))) * 10 ** (-noise_db / 20)
        sound += np.random.default_rng(7).normal(0.0, level, len(sound)).astype(np.float32)
    return sound


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("begins_s", "noise_db"), [(-0.2, None), (0.5, None), (0.5, 0.0)])
def test_a_piece_is_found_at_its_place(
    known: KnownLines, name: str, begins_s: float, noise_db: float | None
) -> None:
    heard = known.find(piece(name, begins_s, noise_db=noise_db))
    assert heard is not None
    assert heard.name == name
    assert heard.begins_s == pytest.approx(begins_s, abs=0.002)
    assert heard.lasts_s == pytest.approx(len(shipped_clip(name)) / CALL_RATE, abs=0.001)
    assert heard.fits > (0.95 if noise_db is None else SURE)


def test_what_is_no_line_fits_none(known: KnownLines) -> None:
    assert known.find(np.zeros(CALL_RATE // 2, np.float32)) is None
    noise = np.random.default_rng(3).normal(0.0, 0.05, round(0.4 * CALL_RATE)).astype(np.float32)
    heard = known.find(noise)
    assert heard is not None
    assert heard.fits < 0.35


def test_lines_that_begin_alike_are_told_apart_by_all_of_them() -> None:
    begins, one, other = (shipped_clip(name) for name in ("refund", "question", "say_again"))
    lines = {"one": np.concatenate([begins, one]), "other": np.concatenate([begins, other])}
    known = KnownLines(lines)
    for name, line in lines.items():
        heard = known.find(line)
        assert heard is not None
        assert heard.name == name
        assert heard.begins_s == pytest.approx(0.0, abs=0.002)
        assert heard.fits > 0.95
