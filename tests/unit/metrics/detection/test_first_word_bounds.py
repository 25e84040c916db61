"""When a first word is asked for and what is made of the answer: numbers that are exact in binary."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics.detection.first_word import first_words, is_heard, is_speech
from metrics.spans import Span

Samples = NDArray[np.float32]
Listen = Callable[[Samples], list[Span]]


def spans(*pairs: tuple[float, float]) -> list[Span]:
    return [Span(start_s=start, end_s=end) for start, end in pairs]


def pairs(found: list[Span]) -> list[tuple[float, float]]:
    return [(one.start_s, one.end_s) for one in found]


def found_in(
    energy: list[tuple[float, float]],
    silero: list[tuple[float, float]],
    other: list[tuple[float, float]],
    *answers: list[tuple[float, float]],
) -> tuple[list[tuple[float, float]], int]:
    """What is found in five seconds where half a second is a pause, and how often was asked; each time the
    next of these answers is given, and nothing after the last one."""
    asked: list[Samples] = []

    def listen(audio: Samples) -> list[Span]:
        asked.append(audio)
        return spans(*answers[len(asked) - 1]) if len(asked) <= len(answers) else []

    found = first_words(
        np.zeros(80_000, np.float32),
        spans(*energy),
        spans(*silero),
        spans(*other),
        pause_s=0.5,
        listen=listen,
    )
    return pairs(found), len(asked)


# ---- what is speech to whom


def test_just_50_ms_or_three_tenths_are_speech() -> None:
    long, short = Span(start_s=0.0, end_s=1.0), Span(start_s=0.0, end_s=0.125)
    assert is_speech(long, Span(start_s=0.0, end_s=0.05))
    assert not is_speech(long, Span(start_s=0.0, end_s=0.0499))
    assert is_speech(short, Span(start_s=0.0, end_s=0.3 * 0.125))
    assert not is_speech(short, Span(start_s=0.0, end_s=0.0374))


@pytest.mark.parametrize(("ends_s", "heard"), [(0.79, False), (0.8, True), (0.81, True)])
def test_four_fifths_of_a_word_are_speech_to_webrtcvad(ends_s: float, heard: bool) -> None:
    assert is_heard(Span(start_s=0.0, end_s=1.0), spans((0.0, ends_s))) is heard


def test_what_webrtcvad_hears_of_a_word_is_taken_together() -> None:
    word = Span(start_s=0.0, end_s=1.0)
    assert is_heard(word, spans((0.0, 0.5), (0.625, 1.0)))
    assert not is_heard(word, spans((0.0, 0.5), (0.75, 1.0)))


# ---- what is asked for


def test_a_sound_of_just_a_second_is_asked_for() -> None:
    word = [(0.5, 0.75)]
    assert found_in([(1.0, 2.0), (2.5, 4.0)], [(2.5, 4.0)], [(1.0, 2.0)], word) == ([(1.0, 1.25)], 1)
    assert found_in([(0.9375, 2.0), (2.5, 4.0)], [(2.5, 4.0)], [(0.9375, 2.0)], word) == ([], 0)


def test_what_silero_hears_is_not_asked_for_again() -> None:
    heard = [(1.0, 1.5), (2.0, 2.5)]
    assert found_in(heard, heard, heard, [(0.5, 1.0)], [(0.5, 1.0)]) == ([], 0)


# ---- what is found


def test_words_one_before_the_other_are_found_in_order() -> None:
    """Each half a second behind what the model is given."""
    energy = [(1.0, 1.25), (1.75, 2.0), (2.5, 2.75), (3.0, 4.0)]
    word = [(0.5, 0.75)]
    found = found_in(energy, [(3.0, 4.0), (4.25, 4.5)], energy[:3], word, word, word)
    assert found == (energy[:3], 3)


def test_a_word_before_one_of_two_parts_is_found_before_both() -> None:
    energy = [(1.0, 1.25), (1.75, 2.25), (2.5, 4.0)]
    found = found_in(energy, [(2.5, 4.0)], energy[:2], [(0.5, 0.625), (0.75, 1.0)], [(0.5, 0.75)])
    assert found == ([(1.0, 1.25), (1.75, 1.875), (2.0, 2.25)], 2)


def test_of_a_word_that_is_heard_its_shorter_parts_are_kept_too() -> None:
    """Of half a second 50 ms are speech, 16 are not; what lies before the word is none of it."""
    energy, silero = [(1.75, 2.25), (2.5, 4.0)], [(2.5, 4.0)]
    parts = [(0.25, 0.5), (0.5, 0.515625), (0.625, 1.0)]
    assert found_in(energy, silero, energy[:1], parts) == ([(1.75, 1.765625), (1.875, 2.25)], 1)
    assert found_in(energy, silero, energy[:1], parts[:2]) == ([], 1)
