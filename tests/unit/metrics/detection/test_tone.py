"""Chimes and beeps, which no voice makes, and what is near them and stays in doubt."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.signal import butter, sosfilt

from metrics.detection.tone import LOWEST_HZ, SOUND_SHARE, STEP_S, WINDOW_S, is_tone
from metrics.resample import to_speech_rate
from tests.unit.harness.stand_ins.spoken import CLIPS, RATE, clip

Samples = NDArray[np.float32]

SPEECH_RATE = 16_000


def _note(hz: float, length_s: float, *, rate: int = RATE, overtones: tuple[float, ...] = (1.0,)) -> Samples:
    """With the first 5 and the last 20 ms faded, as chimes are; ``overtones`` are amplitudes from 1 f on."""
    t = np.arange(round(length_s * rate)) / rate
    faded = np.minimum(1.0, np.minimum(t / 0.005, (length_s - t) / 0.02))
    waves = sum(a * np.sin(2 * np.pi * hz * (k + 1) * t) for k, a in enumerate(overtones))
    return np.asarray(0.07 * faded * waves, np.float32)


def _one_after_another(*hz: float, each_s: float = 0.06) -> Samples:
    """Without a break, as a synthesiser plays them: the phase goes on."""
    each = np.repeat(np.asarray(hz), round(each_s * RATE))
    return np.asarray(0.07 * np.sin(2 * np.pi * np.cumsum(each) / RATE), np.float32)


@pytest.mark.parametrize("rate", [8000, 16_000, 22_050, 48_000])
@pytest.mark.parametrize("hz", [523.0, 880.0, 1000.0, 1320.0])
def test_a_beep_is_a_tone_at_every_rate(hz: float, rate: int) -> None:
    assert is_tone(_note(hz, 0.12, rate=rate), rate)


@pytest.mark.parametrize("hz", [(880, 1320), (1320, 880), (523, 659, 784)])
def test_notes_one_after_another_are_a_tone(hz: tuple[float, ...]) -> None:
    assert is_tone(_one_after_another(*hz), RATE)


@pytest.mark.parametrize("overtones", [(1.0, 0.5, 0.3), (1.0, 0.0, 0.33, 0.0, 0.2)])
def test_overtones_of_a_note_are_of_it(overtones: tuple[float, ...]) -> None:
    assert is_tone(_note(523.0, 0.2, overtones=overtones), RATE)


def test_a_bell_that_dies_away_is_a_tone() -> None:
    bell = _note(660.0, 0.4) * np.exp(-np.arange(round(0.4 * RATE)) / (0.08 * RATE))
    assert is_tone(bell.astype(np.float32), RATE)


@pytest.mark.parametrize("hz", [100.0, 150.0, 220.0, 300.0])
def test_a_hum_is_none_whichever_of_its_overtones_is_loudest(hz: float) -> None:
    for loudest in range(5):
        overtones = tuple(1.0 / (1 + abs(k - loudest)) for k in range(12))
        assert not is_tone(_note(hz, 0.2, overtones=overtones), RATE)
    # As pure as a tone, and low.
    assert not is_tone(_note(hz, 0.2), RATE)


def test_two_notes_at_once_are_left_in_doubt() -> None:
    assert not is_tone(_note(554.0, 0.2) + _note(880.0, 0.2), RATE)


def test_the_lowest_tone_is_above_a_voice_s_pitch() -> None:
    """A window of 40 ms has bins of 25 Hz, of which a tenth is 2.5 Hz."""
    assert LOWEST_HZ == 500.0
    assert is_tone(_note(LOWEST_HZ + 2.5, 0.2), RATE)
    assert not is_tone(_note(LOWEST_HZ - 2.5, 0.2), RATE)
    assert not is_tone(_note(440.0, 0.2), RATE)


@pytest.mark.parametrize(("up", "tone"), [(1.004, True), (1.04, False)])
def test_a_note_keeps_its_pitch(up: float, tone: bool) -> None:
    """One that rises by 4 % in 0.12 s is 0.5 % higher after 15 ms: two windows are not three."""
    hz = np.linspace(600.0, 600.0 * up, round(0.12 * RATE))
    sound = np.asarray(0.07 * np.sin(2 * np.pi * np.cumsum(hz) / RATE), np.float32)
    assert is_tone(sound, RATE) is tone


@pytest.mark.parametrize(("each_s", "tone"), [(0.07, True), (0.06, True), (0.045, False)])
def test_a_note_lasts_three_windows(each_s: float, tone: bool) -> None:
    assert is_tone(_one_after_another(880, 1320, 1760, each_s=each_s), RATE) is tone


@pytest.mark.parametrize(("noise_db", "tone"), [(-20.0, True), (-10.0, False)])
def test_a_tone_is_told_in_noise_well_below_it(noise_db: float, tone: bool) -> None:
    """Noise of a hundredth of the power is 1 % of all, of a tenth 9 %, 8 % outside the comb: 5 % may be."""
    sound = 0.07 * np.sin(2 * np.pi * 1000 * np.arange(round(0.2 * RATE)) / RATE)
    noise = np.random.default_rng(1).standard_normal(len(sound))
    noise *= np.sqrt(np.mean(sound**2)) * 10 ** (noise_db / 20)
    assert is_tone((sound + noise).astype(np.float32), RATE) is tone


@pytest.mark.parametrize(("noise_s", "tone"), [(0.02, True), (0.1, False)])
def test_a_sound_is_a_tone_by_nearly_all_of_it(noise_s: float, tone: bool) -> None:
    """0.4 s in all, as loud throughout: 5 % that is none is within the tenth allowed, a quarter is not."""
    sound = 0.07 * np.sin(2 * np.pi * 1000 * np.arange(round((0.4 - noise_s) * RATE)) / RATE)
    noise = 0.07 / np.sqrt(2) * np.random.default_rng(1).standard_normal(round(noise_s * RATE))
    assert 0.02 / 0.4 < 1 - SOUND_SHARE < 0.1 / 0.4
    assert is_tone(np.concatenate([sound, noise]).astype(np.float32), RATE) is tone


def test_what_is_shorter_than_a_window_and_what_is_silent_is_none() -> None:
    """Three windows that overlap by a step of 10 ms are 60 ms, and more than 50 takes a third."""
    sound = np.sin(2 * np.pi * 1000 * np.arange(RATE) / RATE).astype(np.float32)
    window, step = round(WINDOW_S * RATE), round(STEP_S * RATE)
    assert is_tone(sound[: window + 2 * step], RATE)
    assert is_tone(sound[: window + step + 1], RATE)
    assert not is_tone(sound[: window + step], RATE)
    assert not is_tone(sound[: window - 1], RATE)
    assert not is_tone(np.zeros(2 * window, np.float32), RATE)
    assert not is_tone(np.zeros(0, np.float32), RATE)


@pytest.mark.parametrize("name", [*CLIPS, "mm"])
def test_no_piece_of_speech_is_a_tone(name: str) -> None:
    """Pieces of 60 and 150 ms, every 50 ms, as they are and in a telephone's band."""
    wide = to_speech_rate(clip(name), RATE)
    band = butter(4, [300, 3400], "bandpass", fs=SPEECH_RATE, output="sos")
    for audio in (wide, np.asarray(sosfilt(band, wide), np.float32)):
        for length_s in (0.06, 0.15):
            length = round(length_s * SPEECH_RATE)
            starts = range(0, len(audio) - length, round(0.05 * SPEECH_RATE))
            pieces = [audio[start : start + length] for start in starts]
            assert pieces
            assert not any(is_tone(piece, SPEECH_RATE) for piece in pieces)
