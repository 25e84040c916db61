from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import signal

from metrics.synthesis.nisqa_domain import (
    DomainWarning,
    active_speech_s,
    domain_warnings,
    effective_bandwidth_hz,
    is_silent,
)


def noise(duration_s: float, rate_hz: int, *, level: float = 0.1) -> NDArray[np.float32]:
    return level * np.random.default_rng(1).standard_normal(round(duration_s * rate_hz)).astype(np.float32)


def low_passed(samples: NDArray[np.float32], cutoff_hz: float, rate_hz: int) -> NDArray[np.float32]:
    taps = signal.firwin(801, cutoff_hz, fs=rate_hz, window=("kaiser", 10.0))
    filtered: NDArray[np.float32] = signal.fftconvolve(samples, taps, mode="same").astype(np.float32)
    return filtered


@pytest.mark.parametrize("rate_hz", [16_000, 22_050, 44_100, 48_000])
@pytest.mark.parametrize("cutoff_hz", [3_400, 5_500, 7_000])
def test_bandwidth_is_where_the_filter_cut(cutoff_hz: int, rate_hz: int) -> None:
    samples = low_passed(noise(3.0, rate_hz), cutoff_hz, rate_hz)
    assert effective_bandwidth_hz(samples, rate_hz) == pytest.approx(cutoff_hz, abs=350)


@pytest.mark.parametrize("rate_hz", [8_000, 16_000, 48_000])
def test_white_noise_fills_the_band(rate_hz: int) -> None:
    assert effective_bandwidth_hz(noise(2.0, rate_hz), rate_hz) == pytest.approx(rate_hz / 2, abs=130)


def test_a_few_sibilants_show_the_band() -> None:
    rate_hz = 48_000
    samples = low_passed(noise(4.0, rate_hz), 3_000, rate_hz)
    for start_s in (0.5, 1.5, 2.5, 3.5):
        start = round(start_s * rate_hz)
        samples[start : start + 4_800] = 0.02 * noise(0.1, rate_hz, level=1.0)
    assert effective_bandwidth_hz(samples, rate_hz) > 20_000


def test_telephone_audio_at_48_khz_is_narrowband() -> None:
    telephone = signal.resample_poly(low_passed(noise(3.0, 8_000), 3_400, 8_000), 6, 1).astype(np.float32)
    assert domain_warnings(telephone, 48_000) == (DomainWarning.NARROWBAND,)
    assert domain_warnings(noise(3.0, 8_000), 8_000) == (DomainWarning.NARROWBAND,)
    assert domain_warnings(noise(3.0, 16_000), 16_000) == ()


def test_short_is_counted_in_speech_not_in_seconds() -> None:
    rate_hz = 16_000
    padded = np.zeros(4 * rate_hz, dtype=np.float32)
    padded[rate_hz : rate_hz + rate_hz // 2] = noise(0.5, rate_hz)

    assert active_speech_s(padded, rate_hz) == pytest.approx(0.5, abs=0.021)
    assert domain_warnings(padded, rate_hz) == (DomainWarning.SHORT,)
    assert domain_warnings(noise(0.9, rate_hz), rate_hz) == (DomainWarning.SHORT,)
    assert domain_warnings(noise(1.1, rate_hz), rate_hz) == ()


@pytest.mark.parametrize(
    "samples",
    [
        np.zeros(0),
        np.zeros(16_000),
        np.full(16_000, 0.25),
        np.tile([8 / 32768, -8 / 32768], 8_000),  # idle A-law
        1e-4 * np.sin(np.arange(16_000)),
    ],
    ids=["empty", "zeros", "constant", "idle A-law", "-83 dBFS"],
)
def test_silence(samples: NDArray[np.float64]) -> None:
    assert is_silent(samples.astype(np.float32), 8_000)
    assert domain_warnings(samples, 8_000) == (DomainWarning.SILENT,)


def test_one_loud_moment_is_not_silence() -> None:
    samples = np.zeros(16_000, dtype=np.float32)
    samples[8_000:8_320] = 0.01
    assert not is_silent(samples, 16_000)
    assert DomainWarning.SHORT in domain_warnings(samples, 16_000)


def test_stereo_and_integers_are_taken() -> None:
    stereo = np.stack([noise(2.0, 16_000)] * 2, axis=1)
    assert domain_warnings((stereo * 32767).astype(np.int16), 16_000) == ()


def test_no_rate_is_refused() -> None:
    with pytest.raises(ValueError, match="no sample rate"):
        domain_warnings(noise(1.0, 8_000), 0)
