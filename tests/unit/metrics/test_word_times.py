"""Word times on sounds whose edges are known to the sample."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics.word_times import place_word

RATE = 16_000


def clip(*sounding: tuple[float, float], seconds: float = 2.0, floor: float = 0.0) -> NDArray[np.float32]:
    """A tone between the given times, and noise of level ``floor`` everywhere."""
    audio = floor * np.random.default_rng(1).normal(size=round(seconds * RATE))
    for start_s, end_s in sounding:
        t = np.arange(round(start_s * RATE), round(end_s * RATE)) / RATE
        audio[round(start_s * RATE) : round(end_s * RATE)] += 0.3 * np.sin(2 * np.pi * 200 * t)
    return audio.astype(np.float32)


@pytest.mark.parametrize("floor", [0.0, 0.0005])
def test_pause_before_a_word_is_not_part_of_it(floor: float) -> None:
    audio = clip((0.2, 0.5), (0.9, 1.3), floor=floor)
    # Whisper: the second word starts where the first ended, and everything is 0.1 s early.
    assert place_word(audio, 0.4, 1.2) == (pytest.approx(0.9, abs=0.011), pytest.approx(1.3, abs=0.011))


def test_quiet_behind_a_word_is_not_part_of_it() -> None:
    assert place_word(clip((0.5, 0.8)), 0.4, 1.1) == (
        pytest.approx(0.5, abs=0.011),
        pytest.approx(0.8, abs=0.011),
    )


def test_tail_of_the_word_before_is_cut_off() -> None:
    audio = clip((0.2, 0.6), (0.9, 1.3))
    assert place_word(audio, 0.4, 1.2) == (pytest.approx(0.9, abs=0.011), pytest.approx(1.3, abs=0.011))


def test_closure_inside_a_word_is_part_of_it() -> None:
    audio = clip((0.5, 0.6), (0.68, 1.0))
    assert place_word(audio, 0.4, 0.9) == (pytest.approx(0.5, abs=0.011), pytest.approx(1.0, abs=0.011))


def test_in_loud_noise_only_the_lag_is_taken_out() -> None:
    audio = clip((0.9, 1.3), floor=0.1)
    assert place_word(audio, 0.4, 1.2) == (pytest.approx(0.5), pytest.approx(1.3))


@pytest.mark.parametrize("times", [(-1.0, -0.5), (0.5, 0.5), (5.0, 6.0), (1.5, 0.2)])
def test_times_stay_ordered_and_inside(times: tuple[float, float]) -> None:
    for audio in (clip((0.0, 2.0)), clip(), clip(seconds=0.0)):
        start_s, end_s = place_word(audio, *times)
        assert 0.0 <= start_s <= end_s <= len(audio) / RATE
