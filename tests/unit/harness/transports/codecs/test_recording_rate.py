"""To 48 kHz and back: the filter against scipy's, block by block as at once, its delay as stated."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.signal import firwin, upfirdn

from harness.transports.codecs.pcm import PCM_8K, PCM_48K
from harness.transports.codecs.recording_rate import Raiser, at_recording_rate, lowered

TIMES = pytest.mark.parametrize("times", [2, 3, 6])


def _reference(times: int) -> np.ndarray:
    """The same filter by scipy's design; its middle is at the raiser's delay."""
    half = Raiser(times).delay_samples
    return np.asarray(firwin(2 * half + 1, 0.95 / times, window=("kaiser", 0.1102 * (80.0 - 8.7))))


@TIMES
def test_raised_in_blocks_is_raised_at_once_as_scipy_does_it(times: int) -> None:
    noise = np.random.default_rng(1).normal(size=3001).astype(np.float32)
    raiser = Raiser(times)
    heard = np.concatenate([raiser.take(noise[start : start + 161]) for start in range(0, 3001, 161)])
    assert len(heard) == 3001 * times
    expected = upfirdn(_reference(times) * times, noise, up=times)[: len(heard)]
    np.testing.assert_allclose(heard, expected, atol=1e-6)
    assert len(raiser.take(np.zeros(0, np.float32))) == 0


@TIMES
@pytest.mark.parametrize("length", [1, 959, 960, 3001])
def test_lowered_is_centred_as_scipy_does_it(times: int, length: int) -> None:
    noise = np.random.default_rng(2).normal(size=length).astype(np.float32)
    taps = _reference(times)
    half = len(taps) // 2
    at_once = np.convolve(noise.astype(np.float64), taps)[half : half + length : times]
    np.testing.assert_allclose(lowered(noise, times), at_once, atol=1e-6)


@TIMES
def test_the_band_is_flat_and_its_mirror_gone(times: int) -> None:
    impulse = np.zeros(4096, np.float32)
    impulse[0] = 1.0
    spectrum = np.abs(np.fft.rfft(Raiser(times).take(impulse))) / times
    # Frequency as a share of the lower rate's Nyquist frequency.
    share = np.linspace(0, times, len(spectrum))
    assert np.abs(spectrum[share < 0.9] - 1.0).max() < 0.001
    assert 20 * np.log10(spectrum[share > 1.0].max()) < -78


def test_a_codec_of_48_khz_is_left_as_it_is() -> None:
    assert at_recording_rate(PCM_48K) is PCM_48K


def test_a_rate_that_does_not_divide_48_khz_is_refused() -> None:
    with pytest.raises(ValueError, match="codec 'pcm-8k': 48000 Hz is no whole multiple of 44100 Hz"):
        at_recording_rate(replace(PCM_8K, sample_rate_hz=44_100))
