"""Resampling against tones whose place, level and aliases are known."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.signal import firwin

from metrics.resample import SPEECH_RATE_HZ, _low_pass, resampled, to_speech_rate

RATES = [8_000, 22_050, 24_000, 44_100, 48_000]


def tone(frequency_hz: float, rate: int, *, seconds: float = 1.0) -> NDArray[np.float32]:
    t = np.arange(round(seconds * rate)) / rate
    return (0.5 * np.sin(2 * np.pi * frequency_hz * t)).astype(np.float32)


def level_db(audio: NDArray[np.float32]) -> float:
    """Relative to the tone that went in, without the filter's edges."""
    middle = audio[len(audio) // 10 : -len(audio) // 10].astype(np.float64)
    return float(20 * np.log10(np.sqrt(2 * np.mean(middle**2)) / 0.5 + 1e-12))


@pytest.mark.parametrize("rate", [24_000, 44_100, 48_000])
@pytest.mark.parametrize("frequency_hz", [8_100, 9_000, 10_000, 11_500])
def test_what_lies_above_8_khz_does_not_fold_back(rate: int, frequency_hz: int) -> None:
    assert level_db(to_speech_rate(tone(frequency_hz, rate), rate)) < -75.0


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("frequency_hz", [100, 1_000, 3_500])
def test_speech_band_keeps_its_level_and_place(rate: int, frequency_hz: int) -> None:
    heard = to_speech_rate(tone(frequency_hz, rate), rate)
    assert heard.dtype == np.float32
    assert len(heard) == SPEECH_RATE_HZ
    expected = tone(frequency_hz, SPEECH_RATE_HZ)
    # Sample by sample: a delay of one sample at 3.5 kHz would be an error of 0.6.
    assert np.abs(heard - expected)[1_600:-1_600].max() < 0.002


@pytest.mark.parametrize("rate", [8_001, 11_027, 44_101, 47_999, 191_999])
@pytest.mark.parametrize("frequency_hz", [100, 1_000, 3_000])
def test_rates_without_a_common_divisor_keep_level_and_place_too(rate: int, frequency_hz: int) -> None:
    heard = to_speech_rate(tone(frequency_hz, rate), rate)
    assert len(heard) == SPEECH_RATE_HZ
    assert np.abs(heard - tone(frequency_hz, SPEECH_RATE_HZ))[1_600:-1_600].max() < 0.002


def test_rates_without_a_common_divisor_fold_nothing_back_and_take_no_endless_filter() -> None:
    assert level_db(to_speech_rate(tone(9_500, 47_999), 47_999)) < -75.0
    up = 3  # 24 times 16 kHz and more
    assert len(_low_pass(16_000 / (191_999 * up))) < 20_000


@pytest.mark.parametrize("frequency_hz", [6_500, 7_100])
def test_the_upper_speech_band_is_flat(frequency_hz: int) -> None:
    assert level_db(to_speech_rate(tone(frequency_hz, 48_000), 48_000)) == pytest.approx(0.0, abs=0.05)


def test_nothing_to_do_and_nothing_to_do_it_on() -> None:
    audio = tone(440, SPEECH_RATE_HZ)
    assert np.array_equal(to_speech_rate(audio, SPEECH_RATE_HZ), audio)
    for rate in (48_000, 47_999):
        nothing = to_speech_rate(np.zeros(0, dtype=np.float32), rate)
        assert len(nothing) == 0
        assert nothing.dtype == np.float32


def test_stereo_and_odd_rates_are_refused() -> None:
    with pytest.raises(ValueError, match="mono"):
        to_speech_rate(np.zeros((10, 2), dtype=np.float32), 48_000)
    with pytest.raises(ValueError, match="4000 Hz"):
        to_speech_rate(np.zeros(10, dtype=np.float32), 4_000)


# --- the filter itself, by Kaiser's formulas


def test_the_low_pass_is_as_long_and_as_steep_as_kaiser_says() -> None:
    """80 dB over a slope of a tenth of 8 of 24 kHz (0.1047 radians): 72.05 / (2.285 x 0.1047) = 301.1, so 151
    on either side; beta = 0.1102 x 71.3 = 7.85726; half its height at 95 % of 8 kHz."""
    assert SPEECH_RATE_HZ == 16_000
    expected = firwin(303, 0.95 / 3, window=("kaiser", 7.85726))
    np.testing.assert_allclose(_low_pass(1 / 3), expected, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("rate", [8_000, 192_000])
def test_the_rates_that_speech_has_are_taken(rate: int) -> None:
    assert len(to_speech_rate(np.zeros(rate, np.float32), rate)) == 16_000


@pytest.mark.parametrize("rate", [7_999, 192_001])
def test_rates_beyond_are_refused(rate: int) -> None:
    with pytest.raises(ValueError, match=f"{rate} Hz"):
        to_speech_rate(np.zeros(10, np.float32), rate)


def test_a_single_sample_is_resampled_like_any_other() -> None:
    assert len(resampled(np.ones(1, np.float32), 16_000, 48_000)) == 3
    [weight] = resampled(np.ones(1, np.float32), 48_000, 16_000)
    assert weight == pytest.approx(0.95 / 3, abs=0.001)


def test_audio_is_float32_also_where_there_is_nothing_to_do() -> None:
    assert resampled(np.ones(4), 16_000, 16_000).dtype == np.float32  # type: ignore[arg-type]


def test_much_sound_at_an_odd_rate_takes_little_memory_and_is_no_other_than_its_parts() -> None:
    """The samples in between of 20 s would be some 24 million: they are made stretch by stretch."""
    audio = np.random.default_rng(4).normal(0, 0.1, 20 * 47_999).astype(np.float32)
    tracemalloc.start()
    whole = resampled(audio, 47_999, 48_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64e6
    assert len(whole) == 20 * 48_000
    # A second of 47,999 samples from a place where both rates meet: the same, but where its ends are.
    part = resampled(audio[10 * 47_999 : 11 * 47_999], 47_999, 48_000)
    np.testing.assert_allclose(
        whole[10 * 48_000 + 500 : 11 * 48_000 - 500], part[500:-500], rtol=0, atol=1e-6
    )
