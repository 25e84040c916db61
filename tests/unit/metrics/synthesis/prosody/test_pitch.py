"""Pitch of sounds whose pitch is known, also without their fundamental."""

from __future__ import annotations

import numpy as np
import pytest

from metrics.resample import resampled
from metrics.synthesis.prosody.pitch import pitch_of, pitch_track
from tests.unit.metrics.synthesis.prosody.made_voice import RATE, spoken

TEXT = [("pleasekepinmdthatyouca", 1.0)]


@pytest.mark.parametrize("pitch_hz", [80.0, 120.0, 210.0, 320.0])
def test_a_steady_pitch_is_found_within_1_percent(pitch_hz: float) -> None:
    found = pitch_of(spoken(TEXT, pitch_hz=pitch_hz), RATE)
    assert found is not None
    assert found.median_hz == pytest.approx(pitch_hz, rel=0.01)
    assert found.range_semitones < 0.5
    assert found.voiced_s > 1.7


def test_a_glide_of_an_octave_has_a_range_of_nine_tenths_of_it() -> None:
    found = pitch_of(spoken(TEXT, pitch_hz=110.0, slope=1.0), RATE)
    assert found is not None
    assert found.range_semitones == pytest.approx(10.8, abs=0.4)
    assert found.median_hz == pytest.approx(110 * 2**0.5, rel=0.02)


def test_a_line_without_the_fundamental_has_the_same_pitch() -> None:
    sound = spoken(TEXT, pitch_hz=120.0)
    spectrum = np.fft.rfft(sound)
    spectrum[: round(300 * len(sound) / RATE)] = 0
    thin = np.fft.irfft(spectrum, len(sound)).astype(np.float32)
    found = pitch_of(resampled(thin, RATE, 48_000), 48_000)
    assert found is not None
    assert found.median_hz == pytest.approx(120.0, rel=0.02)


def test_noise_and_silence_have_none() -> None:
    noise = np.random.default_rng(2).normal(0, 0.1, RATE).astype(np.float32)
    assert pitch_of(noise, RATE) is None
    assert pitch_of(np.zeros(RATE, np.float32), RATE) is None
    assert len(pitch_track(noise[:100], RATE)) == 0


def test_praat_finds_the_same() -> None:
    praat = pytest.importorskip("parselmouth", reason="praat-parselmouth (GPL-3) is not installed")
    sound = spoken(TEXT, pitch_hz=140.0, slope=0.5)
    theirs = praat.Sound(sound.astype(np.float64), RATE).to_pitch(0.01).selected_array["frequency"]
    found = pitch_of(sound, RATE)
    assert found is not None
    assert found.median_hz == pytest.approx(float(np.median(theirs[theirs > 0])), rel=0.01)
