from __future__ import annotations

import numpy as np
import pytest

from metrics.synthesis.mel import MelSettings, log_mel_spectrogram, mel_filterbank, mono_float32

SETTINGS = MelSettings(n_fft=512, hop_s=0.01, window_s=0.02, n_mels=12, fmax_hz=4000)


def test_one_frame_by_the_definition_of_the_transform() -> None:
    rate_hz, frame = 8000, 3
    samples = np.random.default_rng(5).standard_normal(1000).astype(np.float32) * 0.1
    # The window of 160 samples lies in the middle of 512, which are centred on sample 3 * 80.
    first = frame * 80 - 80
    taper = np.array([np.sin(np.pi * n / 160) ** 2 for n in range(160)])
    windowed = samples[first : first + 160] * taper
    bins = np.arange(257)
    spectrum = np.array(
        [abs(sum(windowed[n] * np.exp(-2j * np.pi * k * n / 512) for n in range(160))) for k in bins]
    )
    expected = 20 * np.log10(mel_filterbank(rate_hz, SETTINGS).astype(np.float64) @ spectrum)

    spectrogram = log_mel_spectrogram(samples, rate_hz, SETTINGS)

    assert spectrogram.shape == (12, 1 + 1000 // 80)
    assert spectrogram[:, frame] == pytest.approx(expected, abs=1e-4)


def test_first_frame_sees_the_signal_mirrored() -> None:
    samples = np.random.default_rng(6).standard_normal(2000).astype(np.float32) * 0.1
    mirrored = np.concatenate([samples[800:0:-1], samples])

    spectrogram = log_mel_spectrogram(samples, 8000, SETTINGS)

    assert spectrogram[:, 0] == pytest.approx(log_mel_spectrogram(mirrored, 8000, SETTINGS)[:, 10], abs=1e-4)


def test_a_tone_shows_in_its_own_band() -> None:
    rate_hz = 8000
    # Up to 1 kHz a mel is 200/3 Hz: 4 kHz is 15 + 27 ln 4 / ln 6.4 mels, in 13 steps.
    step = (15 + 27 * np.log(4) / np.log(6.4)) / 13
    tone_hz = 4 * step * 200 / 3
    samples = np.sin(2 * np.pi * tone_hz * np.arange(8000) / rate_hz).astype(np.float32)

    spectrogram = log_mel_spectrogram(samples, rate_hz, SETTINGS)

    assert (spectrogram[:, 10:-10].argmax(axis=0) == 3).all()


def test_range_is_80_db_below_the_clips_own_maximum() -> None:
    loud_then_silent = np.concatenate([np.ones(2000), np.zeros(4000)]).astype(np.float32) * 0.5
    spectrogram = log_mel_spectrogram(loud_then_silent, 8000, SETTINGS)
    assert spectrogram.min() == pytest.approx(max(-80.0, spectrogram.max() - 80.0))

    silence = log_mel_spectrogram(np.zeros(1000, dtype=np.float32), 8000, SETTINGS)
    assert silence == pytest.approx(np.full((12, 13), -80.0))


@pytest.mark.parametrize("rate_hz", [0, -8000, 50, 40_000])
def test_a_rate_without_a_window_is_refused(rate_hz: int) -> None:
    # At 40 kHz the window of 20 ms has 800 samples, more than the 512 of the transform.
    with pytest.raises(ValueError, match="does not fit"):
        log_mel_spectrogram(np.ones(1000, dtype=np.float32), rate_hz, SETTINGS)


def test_channels_are_averaged_and_integers_scaled() -> None:
    stereo = np.array([[0.5, -0.25], [1.0, 0.0]])
    assert mono_float32(stereo).tolist() == [0.125, 0.5]
    assert mono_float32(np.array([-32768, 16384], dtype=np.int16)).tolist() == [-1.0, 0.5]
    assert mono_float32(np.array([-(2**31), 2**30], dtype=np.int32)).tolist() == [-1.0, 0.5]
    assert mono_float32(np.array([0.25])).dtype == np.float32


@pytest.mark.parametrize(
    ("audio", "message"),
    [
        (np.zeros((2, 3, 4)), "3 dimensions"),
        (np.zeros((2, 48_000)), "channels"),
        (np.zeros((100, 0)), "channels"),
        (np.zeros(4, dtype=np.uint8), "uint8"),
        (np.array([0.0, np.nan]), "not finite"),
        (np.array([0.0, np.inf]), "not finite"),
        (np.array([0.0, 12_000.0]), "full scale must be 1.0"),
    ],
)
def test_what_is_no_audio_is_refused(audio: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mono_float32(audio)
