"""Seams with one thing planted: a pause, a step of the level, another voice."""

from __future__ import annotations

import numpy as np
import pytest

from metrics.spans import Span
from metrics.synthesis.prosody.seams import SeamSounds, seam_sounds
from tests.unit.metrics.synthesis.prosody.made_voice import RATE, SOUND_S, Samples, span_of, spoken

HEAD, PHRASE, TAIL = "pleasekepinm", "dthouc", "athisyounday"
PARTS = [(HEAD, 1.0), (PHRASE, 1.0), (TAIL, 1.0)]
START, END = span_of(PARTS, 1)


def measured(head: Samples, phrase: Samples, tail: Samples) -> SeamSounds:
    """Words of three sounds each; the phrase is two of them."""
    start, end = len(head) / RATE, (len(head) + len(phrase)) / RATE
    words = [Span(start_s=at * 3 * SOUND_S, end_s=(at + 1) * 3 * SOUND_S) for at in range(4)]
    words += [Span(start_s=start, end_s=(start + end) / 2), Span(start_s=(start + end) / 2, end_s=end)]
    words += [Span(start_s=end + at * 3 * SOUND_S, end_s=end + (at + 1) * 3 * SOUND_S) for at in range(4)]
    found = seam_sounds(
        np.concatenate([head, phrase, tail]), RATE, phrase=Span(start_s=start, end_s=end), words=words
    )
    assert found is not None
    return found


def cut(sound: Samples) -> tuple[Samples, Samples, Samples]:
    return (
        sound[: round(START * RATE)],
        sound[round(START * RATE) : round(END * RATE)],
        sound[round(END * RATE) :],
    )


WHOLE = spoken(PARTS)
CLEAN = measured(*cut(WHOLE))


def test_fluent_speech_has_no_pause_at_its_seams() -> None:
    assert (CLEAN.pause_before_s, CLEAN.pause_after_s) == (0, 0)
    assert (CLEAN.own_gap_s, CLEAN.longest_gap_s) == (0, 0)


@pytest.mark.parametrize("pause_s", [0.1, 0.3])
def test_a_pause_is_measured_where_it_is(pause_s: float) -> None:
    head, phrase, tail = cut(WHOLE)
    found = measured(np.pad(head, (0, round(pause_s * RATE))), phrase, tail)
    assert found.pause_before_s == pytest.approx(pause_s, abs=0.02)
    assert found.pause_after_s == 0
    assert found.pauses_beyond(CLEAN) == (found.pause_before_s, 0)


@pytest.mark.parametrize("step_db", [-6.0, 3.0, 6.0])
def test_a_step_of_the_level_is_measured_against_the_control(step_db: float) -> None:
    head, phrase, tail = cut(WHOLE)
    found = measured(head, phrase * np.float32(10 ** (step_db / 20)), tail)
    assert found.level_db - CLEAN.level_db == pytest.approx(step_db, abs=0.7)
    assert found.timbre_db == pytest.approx(CLEAN.timbre_db, abs=1.0)


def test_another_voice_has_another_timbre() -> None:
    head, phrase, tail = cut(WHOLE)
    spectrum = np.fft.rfft(phrase) * np.linspace(1.0, 12.0, len(phrase) // 2 + 1) ** -3
    other = np.fft.irfft(spectrum, len(phrase)).astype(np.float32)
    found = measured(head, other * np.float32(np.std(phrase) / np.std(other)), tail)
    assert found.timbre_db > CLEAN.timbre_db + 2.0


def test_a_phrase_at_the_end_has_one_seam_and_silence_none() -> None:
    head, phrase, _ = cut(WHOLE)
    found = measured(head, phrase, np.zeros(0, np.float32))
    assert found.pause_after_s is None
    assert found.pauses_beyond(CLEAN)[1] is None
    span = Span(start_s=0.2, end_s=0.5)
    assert seam_sounds(np.zeros(RATE, np.float32), RATE, phrase=span, words=[span]) is None
