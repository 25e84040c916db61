"""Artefacts by construction: a voice made of tones that rise and fall, and one thing planted in it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics.spans import Span
from metrics.synthesis.artefacts import find_artefacts

RATE = 48_000
Samples = NDArray[np.float32]


def voice(seconds: float = 6.0) -> Samples:
    """Syllables of 0.18 s with 40 ms between them, each as loud as no other, rising and falling in 60 ms."""
    t = np.arange(round(0.18 * RATE)) / RATE
    shape = np.sin(np.pi / 2 * np.minimum(1.0, np.minimum(t, t[-1] - t) / 0.06)) ** 2
    random = np.random.default_rng(4)
    syllables = []
    while len(syllables) * 0.22 < seconds:
        tone = sum(np.sin(2 * np.pi * f * t + random.uniform(0, 6)) for f in (140, 280, 700, 1200))
        level = 0.08 * random.uniform(0.6, 1.4)
        syllables.append(np.pad(level * shape * tone, (0, round(0.04 * RATE))).astype(np.float32))
    return np.concatenate([np.zeros(RATE // 2, np.float32), *syllables, np.zeros(RATE // 2, np.float32)])


def spoken(sound: Samples) -> Span:
    voiced = np.nonzero(np.abs(sound) > 0.004)[0]
    return Span(start_s=voiced[0] / RATE, end_s=voiced[-1] / RATE)


def test_a_voice_with_nothing_planted_has_none() -> None:
    sound = voice()
    found = find_artefacts(sound, RATE, spoken(sound))
    assert (found.drop_outs, found.jumps, found.clipped, found.cut_end) == ((), (), False, False)
    assert found.peak_spread is not None
    assert found.peak_spread > 0.15


@pytest.mark.parametrize("ms", [20, 60])
def test_a_hole_is_found_where_it_is(ms: int) -> None:
    sound = voice()
    # Within syllable 9, or from there into the next one.
    start_s = 0.5 + 9 * 0.22 + 0.06
    sound[round(start_s * RATE) : round((start_s + ms / 1000) * RATE)] = 0
    found = find_artefacts(sound, RATE, spoken(sound))
    [hole] = found.drop_outs
    assert hole.start_s == pytest.approx(start_s, abs=0.006)
    assert hole.duration_s == pytest.approx(ms / 1000, abs=0.008)
    assert (found.jumps, found.clipped, found.cut_end) == ((), False, False)


def test_a_pause_between_words_is_no_hole() -> None:
    sound = voice()
    start = round((0.5 + 9 * 0.22) * RATE)
    sound[start : start + round(0.22 * RATE)] = 0
    assert find_artefacts(sound, RATE, spoken(sound)).drop_outs == ()


def test_what_is_clipped_has_peaks_that_are_all_alike() -> None:
    sound = voice()
    clipped = np.clip(sound * 4, -np.abs(sound).max(), np.abs(sound).max())
    found = find_artefacts(clipped, RATE, spoken(clipped))
    assert found.clipped
    assert (found.drop_outs, found.jumps, found.cut_end) == ((), (), False)


@pytest.mark.parametrize("db", [-10.0, 10.0])
def test_a_step_of_the_level_is_told_with_its_sign(db: float) -> None:
    sound = voice()
    sound[len(sound) // 2 :] *= 10 ** (db / 20)
    found = find_artefacts(sound, RATE, spoken(sound))
    [jump] = found.jumps
    assert jump.at_s == pytest.approx(len(sound) / 2 / RATE, abs=0.15)
    assert jump.db == pytest.approx(db, abs=1.5)
    assert (found.drop_outs, found.clipped, found.cut_end) == ((), False, False)


def test_speech_that_breaks_off_is_told_from_speech_that_ends() -> None:
    sound = voice()
    sound[round((0.5 + 12 * 0.22 + 0.09) * RATE) :] = 0
    found = find_artefacts(sound, RATE, spoken(sound))
    assert found.cut_end
    assert (found.drop_outs, found.jumps, found.clipped) == ((), (), False)


def test_what_ends_with_the_recording_breaks_off_there() -> None:
    """Whether that was the agent or the end of the call is for the figure to tell."""
    sound = voice()[: round((0.5 + 12 * 0.22 + 0.09) * RATE)]
    assert find_artefacts(sound, RATE, spoken(sound)).cut_end is True


@pytest.mark.parametrize(("noise_dbfs", "known"), [(-40.0, False), (-60.0, True)])
def test_over_a_noise_beneath_the_voice_nobody_hears_how_it_ends(noise_dbfs: float, known: bool) -> None:
    """The voice is at about -20 dBFS where it is loud: silence would be what lies below -45."""
    noise = 10 ** (noise_dbfs / 20) * np.random.default_rng(2).standard_normal(len(voice()))
    whole = voice()
    cut = whole.copy()
    cut[round((0.5 + 12 * 0.22 + 0.09) * RATE) :] = 0
    for sound, ends_cut in ((whole, False), (cut, True)):
        heard = (sound + noise).astype(np.float32)
        assert find_artefacts(heard, RATE, spoken(sound)).cut_end is (ends_cut if known else None)


def test_silence_and_a_word_have_no_figures() -> None:
    nothing = find_artefacts(np.zeros(RATE, np.float32), RATE, Span(start_s=0.0, end_s=1.0))
    assert (nothing.drop_outs, nothing.jumps, nothing.clipped, nothing.cut_end) == ((), (), None, None)
    word = voice(0.4)
    assert find_artefacts(word, RATE, spoken(word)).clipped is None
