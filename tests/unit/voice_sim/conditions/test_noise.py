"""Background noise: its ratio to speech, its spectrum, its seams, each measured independently here."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.signal import butter, periodogram, sosfilt

from voice_sim.conditions.level import active_level_dbfs, rms_dbfs, true_peak
from voice_sim.conditions.noise import NoiseError, babble, noise_loop, speech_shaped, white
from voice_sim.registry import UnknownPartError

RATE = 48_000
KINDS = ["white", "speech_shaped", "babble"]


def db(power: float) -> float:
    return 10 * math.log10(power)


@pytest.fixture(scope="module")
def clips() -> list[np.ndarray]:
    """Three clips of two seconds: noise below 2 kHz in bursts of 0.25 s with pauses of 0.25 s."""
    random = np.random.default_rng(5)
    low_pass = butter(4, 2000, fs=RATE, output="sos")
    bursts = (np.arange(2 * RATE) // (RATE // 4)) % 2 == 0
    return [
        (0.07 * sosfilt(low_pass, random.standard_normal(2 * RATE)) * bursts).astype(np.float32)
        for _ in range(3)
    ]


def test_active_level_leaves_the_pauses_out() -> None:
    tone = 0.1 * np.sin(2 * np.pi * 1000 * np.arange(RATE) / RATE)
    paused = np.concatenate([tone, np.zeros(3 * RATE), tone]).astype(np.float32)
    truth = db(0.1**2 / 2)
    assert active_level_dbfs(paused, sample_rate_hz=RATE) == pytest.approx(truth, abs=0.001)
    assert rms_dbfs(paused) == pytest.approx(truth + db(2 / 5), abs=0.001)
    faint = np.concatenate([tone, 0.01 * tone]).astype(np.float32)  # 40 dB down: not speech
    assert active_level_dbfs(faint, sample_rate_hz=RATE) == pytest.approx(truth, abs=0.001)


@pytest.mark.parametrize("gain_db", [-30.0, 6.0])
def test_active_level_follows_the_gain_exactly(clips: list[np.ndarray], gain_db: float) -> None:
    before = active_level_dbfs(clips[0], sample_rate_hz=RATE)
    after = active_level_dbfs(clips[0] * 10 ** (gain_db / 20), sample_rate_hz=RATE)
    assert after - before == pytest.approx(gain_db, abs=1e-4)


def test_silence_has_no_level() -> None:
    assert active_level_dbfs(np.zeros(RATE, np.float32), sample_rate_hz=RATE) == -math.inf
    assert rms_dbfs(np.zeros(0, np.float32)) == -math.inf
    assert true_peak(np.zeros(0, np.float32)) == 0.0


def test_true_peak_sees_between_the_samples() -> None:
    # A quarter of the rate at 45 degrees: every sample is 0.707, the crest between them 1.0.
    wave = np.sin(np.pi / 2 * np.arange(4800) + np.pi / 4) * np.hanning(4800)
    assert np.max(np.abs(wave)) < 0.71
    assert true_peak(wave.astype(np.float32)) == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("snr_db", [-5.0, 0.0, 10.0, 25.0])
def test_the_snr_is_what_was_asked_for(clips: list[np.ndarray], kind: str, snr_db: float) -> None:
    loop = noise_loop(
        kind,
        snr_db=snr_db,
        speech_level_dbfs=-30.0,
        duration_s=2.0,
        seed=1,
        speech=clips,
        sample_rate_hz=RATE,
    )
    noise_db = db(float(np.mean(loop.samples.astype(float) ** 2)))
    assert -30.0 - noise_db == pytest.approx(snr_db, abs=0.01)
    assert loop.samples.size == 2 * RATE


@pytest.mark.parametrize("kind", KINDS)
def test_noise_is_decided_by_its_seed(clips: list[np.ndarray], kind: str) -> None:
    def make(seed: int) -> np.ndarray:
        return noise_loop(
            kind, snr_db=10, speech_level_dbfs=-23, duration_s=1.0, seed=seed, speech=clips
        ).samples

    np.testing.assert_array_equal(make(1), make(1))
    assert abs(np.corrcoef(make(1), make(2))[0, 1]) < 0.5


@pytest.mark.parametrize("kind", KINDS)
def test_a_loop_joins_without_a_click(clips: list[np.ndarray], kind: str) -> None:
    loop = noise_loop(
        kind, snr_db=0, speech_level_dbfs=-23, duration_s=1.7, seed=4, speech=clips, sample_rate_hz=RATE
    )
    n = loop.samples.size
    twice = loop.take(n // 2, n)
    np.testing.assert_array_equal(twice, np.concatenate([loop.samples[n // 2 :], loop.samples[: n // 2]]))
    # A click is a step, or a bend, that is larger at the seam than anywhere within.
    for order in (1, 2):
        steps = np.abs(np.diff(loop.take(0, 2 * n), n=order))
        seam = steps[n - 4 : n + 4].max()
        assert seam <= steps[100 : n - 100].max()


def test_white_noise_is_white() -> None:
    frequencies, power = periodogram(white(4 * RATE, seed=3, speech=[], sample_rate_hz=RATE), fs=RATE)
    bands = [
        db(float(np.mean(power[(frequencies >= low) & (frequencies < low + 3000)])))
        for low in range(100, 21_000, 3000)
    ]
    assert max(bands) - min(bands) < 0.5


def test_speech_shaped_noise_has_the_spectrum_of_the_speech(clips: list[np.ndarray]) -> None:
    noise = speech_shaped(4 * RATE, seed=3, speech=clips, sample_rate_hz=RATE)

    def band_db(samples: np.ndarray, low: float, high: float) -> float:
        frequencies, power = periodogram(samples.astype(float), fs=RATE)
        inside = (frequencies >= low) & (frequencies < high)
        return db(float(np.sum(power[inside])) / float(np.sum(power)))

    speech = np.concatenate(clips)
    for low, high in [(100, 500), (500, 1000), (1000, 2000), (2000, 3000), (3000, 4000)]:
        assert band_db(noise, low, high) == pytest.approx(band_db(speech, low, high), abs=1.0)
    # No pauses are left in it: every tenth of a second is about as loud as the whole.
    levels = [db(float(np.mean(part**2))) for part in noise.astype(float).reshape(40, -1)]
    assert max(levels) - min(levels) < 3.0


def test_babble_fills_the_pauses_and_is_no_single_voice(clips: list[np.ndarray]) -> None:
    crowd = babble(4 * RATE, seed=3, speech=clips, sample_rate_hz=RATE).astype(float)
    quiet = np.mean([np.mean(part**2) for part in np.split(crowd, 80)] < np.float64(0.01))
    assert quiet < 0.2  # half of each clip is silent
    one = np.concatenate([clips[0], np.zeros(2 * RATE)])
    shifts = np.fft.irfft(np.fft.rfft(crowd) * np.conj(np.fft.rfft(one)))
    assert np.max(np.abs(shifts)) / np.linalg.norm(crowd) / np.linalg.norm(one) < 0.8


def test_babble_has_no_click_where_a_clip_is_cut() -> None:
    hum = np.sin(2 * np.pi * 200 * np.arange(RATE) / RATE).astype(np.float32)
    crowd = babble(round(1.713 * RATE), seed=3, speech=[hum], sample_rate_hz=RATE)
    # Six voices of equal power: were all at their steepest at once, with half as much again for the ramps.
    steepest = 6 * math.sqrt(2 / 6) * 2 * math.pi * 200 / RATE * 1.5
    assert np.max(np.abs(np.diff(crowd))) < steepest


@pytest.mark.parametrize("kind", KINDS)
def test_the_loudest_bed_that_a_plan_may_ask_for_does_not_clip(clips: list[np.ndarray], kind: str) -> None:
    loop = noise_loop(
        kind, snr_db=-10, speech_level_dbfs=-23, duration_s=2.0, seed=2, speech=clips, sample_rate_hz=RATE
    )
    assert np.max(np.abs(loop.samples)) <= 1.0


def test_what_cannot_be_is_refused(clips: list[np.ndarray]) -> None:
    with pytest.raises(
        UnknownPartError, match="known: babble, car, factory, folder, speech_shaped, street, white"
    ):
        noise_loop("pink", snr_db=0, speech_level_dbfs=-23, duration_s=1, seed=1)
    with pytest.raises(NoiseError, match="made from speech"):
        noise_loop("babble", snr_db=0, speech_level_dbfs=-23, duration_s=1, seed=1)
    with pytest.raises(NoiseError, match="clips by"):
        noise_loop("white", snr_db=-10, speech_level_dbfs=-10, duration_s=1, seed=1)
    with pytest.raises(NoiseError, match="at least"):
        noise_loop("white", snr_db=0, speech_level_dbfs=-23, duration_s=0.0, seed=1)
