"""The mel front end against librosa 0.11.0.

Pinned from ``librosa.feature.melspectrogram(n_fft=4096, hop_length=int(rate * 0.01), win_length=int(rate *
0.02), power=1.0, n_mels=48, pad_mode="reflect", ...)`` and ``amplitude_to_db(ref=1.0, amin=1e-4,
top_db=80)`` on the same samples.
"""

from __future__ import annotations

import numpy as np
import pytest

from metrics.synthesis.mel import MelSettings, log_mel_spectrogram, mel_filterbank
from tests.golden.nisqa_signals import voice_like


def settings(fmax_hz: float) -> MelSettings:
    return MelSettings(n_fft=4096, hop_s=0.01, window_s=0.02, n_mels=48, fmax_hz=fmax_hz)


# (rate, fmax): frames, mean, and the values at (band, frame) (3, 0), (10, 30), (24, 17), (40, 45), (47, 60).
LIBROSA_DB = {
    (8000, 20000): (61, -46.6756, -27.3790, -43.6769, -43.9097, -76.3591, -76.3591),
    (16000, 8000): (61, -32.1687, -26.2175, -46.6576, -53.9710, -39.2522, -43.7157),
    (24000, 20000): (61, -39.6969, -23.1248, -45.5539, -49.7705, -48.3629, -76.3359),
    (44100, 20000): (61, -38.1920, -21.3301, -53.5215, -42.3258, -49.7331, -52.9808),
    (48000, 8000): (61, -34.7288, -22.9823, -61.8184, -53.9991, -40.5864, -55.7370),
}


@pytest.mark.parametrize(("rate_hz", "fmax_hz"), LIBROSA_DB)
def test_spectrogram_agrees_with_librosa(rate_hz: int, fmax_hz: int) -> None:
    spectrogram = log_mel_spectrogram(voice_like(0.6, rate_hz), rate_hz, settings(fmax_hz))
    frames, mean, *points = LIBROSA_DB[rate_hz, fmax_hz]

    assert spectrogram.shape == (48, frames)
    assert spectrogram.astype(np.float64).mean() == pytest.approx(mean, abs=2e-3)
    found = [spectrogram[band, frame] for band, frame in ((3, 0), (10, 30), (24, 17), (40, 45), (47, 60))]
    assert found == pytest.approx(points, abs=2e-3)


def test_a_clip_shorter_than_half_a_transform_is_reflected_again_and_again() -> None:
    # 1200 samples stand in 2048 of padding on each side: reflected twice, as numpy and librosa do.
    spectrogram = log_mel_spectrogram(voice_like(0.15, 8000), 8000, settings(8000))

    assert spectrogram.shape == (48, 16)
    assert spectrogram.mean() == pytest.approx(-27.138353, abs=2e-3)
    assert spectrogram[[3, 10, 24], 15] == pytest.approx([-18.565434, -15.345556, -6.015683], abs=2e-3)
    assert spectrogram[[3, 10, 24], 0] == pytest.approx([-29.847664, -21.10464, -29.552113], abs=2e-3)


def test_filters_agree_with_librosa() -> None:
    filters = mel_filterbank(24_000, settings(20_000))
    # librosa.filters.mel(sr=24000, n_fft=4096, n_mels=48, fmax=20000): band, its peak and height, its sum.
    for band, peak, height, total in (
        (0, 14, 0.0121799660846591, 0.17051953077316284),
        (10, 150, 0.01218606997281313, 0.17052564024925232),
        (24, 475, 0.004353779833763838, 0.17068098485469818),
        (36, 1273, 0.0016270867781713605, 0.17066770792007446),
        (47, 0, 0.0, 0.0),  # above half the rate: empty
    ):
        assert int(filters[band].argmax()) == peak
        assert float(filters[band].max()) == pytest.approx(height, rel=1e-6)
        assert float(filters[band].sum()) == pytest.approx(total, rel=1e-5)
