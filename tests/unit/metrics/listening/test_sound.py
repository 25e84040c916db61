"""Level and degradation: against what arithmetic says of tones and noise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metrics.listening.modulated_noise import with_modulated_noise
from metrics.listening.speech_level import active_speech_level

RATE = 16_000


def tone(seconds: float, amplitude: float = 0.1) -> np.ndarray:
    return np.asarray(amplitude * np.sin(2 * np.pi * 300 * np.arange(int(seconds * RATE)) / RATE), np.float32)


def test_a_steady_tone_has_its_own_level() -> None:
    found = active_speech_level(tone(10), RATE)
    assert found == pytest.approx(20 * math.log10(0.1 / math.sqrt(2)), abs=0.1)


def test_silence_between_speech_does_not_lower_it() -> None:
    quiet = np.zeros(10 * RATE, np.float32)
    talk = np.concatenate([tone(5), quiet, tone(5), quiet])
    steady = active_speech_level(tone(10), RATE)
    found = active_speech_level(talk, RATE)
    assert found is not None
    assert steady is not None
    # Half of it is silence: 3 dB in the plain level; what hangs over is 0.2 s or so of 5 s.
    assert found == pytest.approx(steady, abs=0.5)


@pytest.mark.parametrize("gain_db", [-20.0, -6.0, 12.0])
def test_it_follows_gain(gain_db: float) -> None:
    sound = tone(3) * np.repeat(np.random.default_rng(1).random(30), RATE // 10).astype(np.float32)
    louder = np.asarray(sound * 10 ** (gain_db / 20), np.float32)
    first, second = active_speech_level(sound, RATE), active_speech_level(louder, RATE)
    assert first is not None
    assert second is not None
    # Between two thresholds it is interpolated along a line.
    assert second - first == pytest.approx(gain_db, abs=0.3)


@pytest.mark.parametrize("sound", [np.zeros(RATE, np.float32), np.zeros(0, np.float32)])
def test_no_sound_has_no_level(sound: np.ndarray) -> None:
    assert active_speech_level(sound, RATE) is None


@pytest.mark.parametrize("q_db", [35.0, 15.0, 0.0])
def test_modulated_noise_lies_so_far_below_the_speech(q_db: float) -> None:
    speech = tone(10)
    noise = with_modulated_noise(speech, q_db, seed=3) - speech
    ratio = 10 * math.log10(float(speech @ speech) / float(noise @ noise))
    assert ratio == pytest.approx(q_db, abs=0.15)


def test_noise_follows_the_speech_and_its_seed() -> None:
    speech = np.concatenate([tone(1), np.zeros(RATE, np.float32)])
    noisy = with_modulated_noise(speech, 5.0, seed=4)
    assert not noisy[RATE:].any()
    assert np.array_equal(noisy, with_modulated_noise(speech, 5.0, seed=4))
    assert not np.array_equal(noisy, with_modulated_noise(speech, 5.0, seed=5))
