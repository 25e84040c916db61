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
    assert place_word(audio, 0.4, 1.2) == pytest.approx((0.9, 1.3), abs=0.011)


def test_quiet_behind_a_word_is_not_part_of_it() -> None:
    assert place_word(clip((0.5, 0.8)), 0.4, 1.1) == pytest.approx((0.5, 0.8), abs=0.011)


def test_tail_of_the_word_before_is_cut_off() -> None:
    audio = clip((0.2, 0.6), (0.9, 1.3))
    assert place_word(audio, 0.4, 1.2) == pytest.approx((0.9, 1.3), abs=0.011)


def test_closure_inside_a_word_is_part_of_it() -> None:
    audio = clip((0.5, 0.6), (0.68, 1.0))
    assert place_word(audio, 0.4, 0.9) == pytest.approx((0.5, 1.0), abs=0.011)


def test_in_loud_noise_only_the_lag_is_taken_out() -> None:
    audio = clip((0.9, 1.3), floor=0.1)
    assert place_word(audio, 0.4, 1.2) == pytest.approx((0.5, 1.3))


@pytest.mark.parametrize("times", [(-1.0, -0.5), (0.5, 0.5), (5.0, 6.0), (1.5, 0.2)])
def test_times_stay_ordered_and_inside(times: tuple[float, float]) -> None:
    for audio in (clip((0.0, 2.0)), clip(), clip(seconds=0.0)):
        start_s, end_s = place_word(audio, *times)
        assert 0.0 <= start_s <= end_s <= len(audio) / RATE


FRAME = RATE // 100


def levels(*runs: tuple[float, int]) -> NDArray[np.float32]:
    """Levels, each for so many samples."""
    return np.concatenate([np.full(samples, level, dtype=np.float32) for level, samples in runs])


def placed(audio: NDArray[np.float32], start: int, end: int) -> tuple[float, float]:
    """Start and end in samples of a word that Whisper had from one sample to another, 0.1 s early."""
    start_s, end_s = place_word(audio, start / RATE - 0.1, end / RATE - 0.1)
    assert start_s * RATE == pytest.approx(round(start_s * RATE), abs=1e-6)
    return round(start_s * RATE), round(end_s * RATE)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((0.2, 0.5), (0.3, 0.6)),
        ((-1.0, 0.4), (0.0, 0.5)),
        ((0.2, 5.0), (0.3, 1.0)),
        ((5.0, 6.0), (1.0, 1.0)),
        ((0.5, 0.2), (0.6, 0.6)),
        ((-3.0, -2.0), (0.0, 0.0)),
    ],
)
def test_the_lag_is_a_tenth_of_a_second_and_times_end_with_the_clip(
    given: tuple[float, float], expected: tuple[float, float]
) -> None:
    assert place_word(levels((0.5, RATE)), *given) == pytest.approx(expected)


def test_quiet_is_cut_off_to_the_frame() -> None:
    """Sound from 0.30 to 0.50 s, in a word from 0.10 to 0.60 s of a clip of a second."""
    audio = levels((0, 30 * FRAME), (0.5, 20 * FRAME), (0, 50 * FRAME))
    assert placed(audio, 10 * FRAME, 60 * FRAME) == (30 * FRAME, 50 * FRAME)
    # Sound of the words around it does not count.
    around = levels((0.9, 9 * FRAME), (0, 21 * FRAME), (0.5, 20 * FRAME), (0, 20 * FRAME), (0.9, 30 * FRAME))
    assert placed(around, 10 * FRAME, 60 * FRAME) == (30 * FRAME, 50 * FRAME)


def test_one_sample_makes_its_frame_sound() -> None:
    for sample in (20 * FRAME, 21 * FRAME - 1):
        audio = levels((0, 50 * FRAME))
        audio[sample] = 0.5
        assert placed(audio, 5 * FRAME, 40 * FRAME) == (20 * FRAME, 21 * FRAME)


def test_less_than_a_frame_at_the_end_belongs_to_the_word_unless_the_frames_before_it_do_not() -> None:
    whole = levels((0.5, 60 * FRAME))
    quiet_end = levels((0.5, 20 * FRAME), (0, 40 * FRAME))
    for rest in (1, 80, FRAME - 1):
        assert placed(whole, 0, 30 * FRAME + rest) == (0, 30 * FRAME + rest)
        # Ten whole frames are quiet.
        assert placed(quiet_end, 0, 30 * FRAME + rest) == (0, 20 * FRAME + rest)


def test_quiet_is_more_than_30_db_below_the_loudest_frame() -> None:
    """A frame with one sample of 400 has the energy 160000, one with 160 of 1 has 160: a thousandth."""
    loud = np.zeros(FRAME, dtype=np.float32)
    loud[80] = 400.0
    scale = np.float32(2.0**-10)
    at_bound = np.concatenate([loud, levels((1.0, 5 * FRAME), (0, 5 * FRAME))]) * scale
    assert placed(at_bound, 0, 11 * FRAME) == (0, 6 * FRAME)
    # 0.5 dB less: 10 ** (-0.5 / 20) is 0.944.
    below = np.concatenate([loud, levels((0.944, 5 * FRAME), (0, 5 * FRAME))]) * scale
    assert placed(below, 0, 11 * FRAME) == (0, FRAME)


@pytest.mark.parametrize(
    ("first", "tail", "pause", "cut"),
    [
        (0, 5, 10, True),
        (0, 5, 9, False),
        (0, 1, 10, True),
        # 0.15 s that begin within a frame lie in 16.
        (0, 16, 10, True),
        (0, 17, 10, False),
        (0, 20, 30, False),
        # It is the tail's own length that counts, and not what was quiet before it.
        (8, 12, 10, True),
        (8, 16, 10, True),
        (8, 17, 10, False),
    ],
)
def test_a_tail_of_150_ms_before_a_pause_of_100_ms_is_cut_off(
    first: int, tail: int, pause: int, cut: bool
) -> None:
    """All in frames of 10 ms; the word itself is 30 of them, and 5 quiet ones follow."""
    before = first + tail + pause
    audio = levels(
        (0, first * FRAME), (0.5, tail * FRAME), (0, pause * FRAME), (0.5, 30 * FRAME), (0, 5 * FRAME)
    )
    start = before if cut else first
    assert placed(audio, 0, (before + 35) * FRAME) == (start * FRAME, (before + 30) * FRAME)


def test_a_tail_within_frames_is_cut_off_by_its_own_length() -> None:
    """0.15 s of the word before, from the middle of a frame, and 0.16 s of quiet."""
    audio = levels((0, 80), (0.5, 2400), (0, 2640), (0.5, 30 * FRAME))
    assert placed(audio, 0, len(audio)) == (32 * FRAME, 62 * FRAME)


def test_only_the_first_tail_is_cut_off() -> None:
    """After it a short sound and another pause belong to the word."""
    audio = levels((0.5, 5 * FRAME), (0, 12 * FRAME), (0.5, 5 * FRAME), (0, 15 * FRAME), (0.5, 30 * FRAME))
    assert placed(audio, 0, len(audio)) == (17 * FRAME, 67 * FRAME)
    # What is too long for a tail ends the search: the pause behind it is the word's.
    long = levels((0.5, 18 * FRAME), (0, 15 * FRAME), (0.5, 30 * FRAME))
    assert placed(long, 0, len(long)) == (0, 63 * FRAME)
