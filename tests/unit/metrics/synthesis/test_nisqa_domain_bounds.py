"""Every number of the domain checks from both sides, on levels and tones that are counted by hand.

At 16 kHz a spectrum has 512 samples: bins of 31.25 Hz, four of them a band of 125 Hz; frames begin every 256
samples. A tone on a bin has, through Blackman's window, 0.354 of its power in the bins beside it and 0.009 in
those beyond. Levels are those of +level and -level in turn.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics.synthesis import nisqa_domain
from metrics.synthesis.nisqa_domain import (
    DomainWarning,
    active_speech_s,
    domain_warnings,
    effective_bandwidth_hz,
    is_silent,
)

RATE = 16_000
FRAME = 320
Samples = NDArray[np.float32]


def _square(count: int, level: float) -> Samples:
    return (level * (1 - 2 * (np.arange(count) % 2))).astype(np.float32)


def _db(level_db: float) -> float:
    return float(10 ** (level_db / 20))


def _levels(*levels_db: float) -> Samples:
    """A frame of 20 ms for each level."""
    return np.concatenate([_square(FRAME, _db(level)) for level in levels_db])


def _tone(freq_hz: float, count: int, level: float = 0.5, *, rate: int = RATE) -> Samples:
    return (level * np.cos(2 * np.pi * freq_hz * np.arange(count) / rate)).astype(np.float32)


# --- levels


def test_silence_is_what_stays_below_70_dbfs() -> None:
    assert is_silent(_levels(-70.1, -80), RATE)
    assert not is_silent(_levels(-80, -69.9), RATE)


def test_exactly_at_the_bound_is_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nisqa_domain, "SILENCE_DBFS", 0.0)
    assert not is_silent(_square(FRAME, 1.0), RATE)


def test_active_is_what_lies_within_35_db_of_the_loudest() -> None:
    assert active_speech_s(_levels(-10, -44.8, -45.2, -60), RATE) == pytest.approx(0.04)
    # 9/10 or 11/10 of these differences would lie on the other side of the bound.
    assert active_speech_s(_levels(-10, -44, -44, -46), RATE) == pytest.approx(0.06)
    assert active_speech_s(_levels(-10, -47, -47, -47), RATE) == pytest.approx(0.02)


def test_nothing_below_silence_is_active() -> None:
    assert active_speech_s(_levels(-40, -69.5, -70.5, -74), RATE) == pytest.approx(0.04)


def test_as_loud_as_the_bound_is_active(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nisqa_domain, "ACTIVE_RANGE_DB", 0.0)
    assert active_speech_s(_square(4 * FRAME, 1.0), RATE) == pytest.approx(0.08)


def test_nothing_is_active_in_nothing_and_a_single_frame_may_be() -> None:
    assert active_speech_s(np.zeros(0, np.float32), RATE) == 0.0
    assert active_speech_s(_square(FRAME, 0.5), RATE) == pytest.approx(0.02)


def test_levels_are_those_of_20_ms() -> None:
    assert active_speech_s(_levels(-10, -100, -10, -100), RATE) == pytest.approx(0.04)


def test_a_last_shorter_piece_has_its_own_level() -> None:
    """49 frames at -60 dBFS, then 32 samples at -20: these alone are active, one piece of fifty."""
    samples = np.concatenate([_square(49 * FRAME, 0.001), _square(32, 0.1)])
    assert active_speech_s(samples, RATE) == pytest.approx(len(samples) / RATE / 50)


def test_the_first_sample_counts() -> None:
    samples = np.zeros(RATE, np.float32)
    samples[0] = 0.5
    assert not is_silent(samples, RATE)


def test_at_a_rate_of_a_few_samples_a_frame_is_one() -> None:
    assert active_speech_s(np.array([0.5, 0.0, -0.5, 0.0], np.float32), 20) == pytest.approx(0.1)


# --- warnings


def _noise(count: int) -> Samples:
    return (0.1 * np.random.default_rng(1).standard_normal(count)).astype(np.float32)


@pytest.mark.parametrize(("seconds", "short"), [(0.98, True), (1.0, False), (1.02, False)])
def test_short_is_under_a_second(seconds: float, short: bool) -> None:
    assert (DomainWarning.SHORT in domain_warnings(_noise(round(seconds * RATE)), RATE)) == short


@pytest.mark.parametrize(("bandwidth_hz", "narrow"), [(4250.0, True), (4375.0, False)])
def test_narrow_is_up_to_4250_hz(bandwidth_hz: float, narrow: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nisqa_domain, "effective_bandwidth_hz", lambda samples, rate: bandwidth_hz)
    assert (DomainWarning.NARROWBAND in domain_warnings(_noise(2 * RATE), RATE)) == narrow


def test_one_sample_a_second_is_a_rate() -> None:
    assert domain_warnings(np.zeros(10), 1) == (DomainWarning.SILENT,)


# --- bandwidth


def test_a_tone_ends_with_its_band() -> None:
    """1000 Hz begins the band up to 1125 Hz, at any level."""
    for level in (0.5, 0.001):
        assert effective_bandwidth_hz(_tone(1000.0, RATE, level), RATE) == 1125.0


@pytest.mark.parametrize(("below_db", "bandwidth_hz"), [(39.0, 3125.0), (41.0, 1125.0)])
def test_what_lies_within_40_db_of_the_strongest_is_held(below_db: float, bandwidth_hz: float) -> None:
    samples = _tone(1000.0, RATE) + _tone(3000.0, RATE, 0.5 * _db(-below_db))
    assert effective_bandwidth_hz(samples, RATE) == bandwidth_hz


@pytest.mark.parametrize(("below_db", "bandwidth_hz"), [(34.5, 3125.0), (36.8, 250.0)])
def test_a_band_s_level_is_the_mean_of_its_bins(below_db: float, bandwidth_hz: float) -> None:
    """A tone at 93.75 Hz lies in bin 3, which the lowest band has alone: bins 0 to 2 may hold an offset. The
    other's band has 1.363 of its power in four bins, 4.7 dB less."""
    samples = _tone(93.75, RATE) + _tone(3000.0, RATE, 0.5 * _db(-below_db))
    assert effective_bandwidth_hz(samples, RATE) == bandwidth_hz


def test_a_full_band_ends_at_half_the_rate() -> None:
    assert effective_bandwidth_hz(_noise(2 * RATE), RATE) == 8000.0


def test_what_has_no_spectrum_has_no_band() -> None:
    assert effective_bandwidth_hz(np.zeros(RATE, np.float32), RATE) == 0.0
    # All 33 bins of 64 samples lie below 50 Hz.
    assert effective_bandwidth_hz(_noise(100), 50) == 0.0


@pytest.mark.parametrize(("below_db", "bandwidth_hz"), [(36.0, 250.0), (41.0, 125.0)])
def test_what_lies_below_50_hz_is_no_signal(below_db: float, bandwidth_hz: float) -> None:
    """Of 64 samples at 500 Hz: 46.9 Hz is bin 6, the first to count; 31.25 Hz is 10 dB louder."""
    tones = ((31.25, 0.316), (46.875, 0.1), (187.5, 0.1 * _db(-below_db)))
    samples = np.sum([_tone(freq, 500, level, rate=500) for freq, level in tones], axis=0)
    assert effective_bandwidth_hz(samples.astype(np.float32), 500) == bandwidth_hz


def _burst(first: int, frames: int, *, total: int = 41) -> Samples:
    """1000 Hz all the time, and 3000 Hz, 37 dB below, for as long as so many frames are full of it."""
    samples = _tone(1000.0, 512 + 256 * (total - 1))
    high = _tone(3000.0, len(samples), 0.5 * _db(-37))
    start = first * 256
    end = start + 512 + 256 * (frames - 1)
    samples[start:end] += high[start:end]
    return samples


def _held(samples: Samples) -> bool:
    return effective_bandwidth_hz(samples, RATE) > 3000


def test_three_of_forty_one_frames_are_enough() -> None:
    """The 95th percentile of 41 is the third largest. Frames that are half full are 6 dB lower."""
    assert _held(_burst(11, 3))
    assert not _held(_burst(11, 2))
    assert _held(_burst(12, 3))


def test_of_a_long_clip_frames_are_taken_all_over_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """128 s are 4000 frames of 32 ms. Here at most ten: every fifth of 41, nine, of which one in twenty is
    nearly the largest."""
    assert nisqa_domain._MAX_SPECTRA == 4_000
    monkeypatch.setattr(nisqa_domain, "_MAX_SPECTRA", 10)
    assert _held(_burst(15, 6))
    assert not _held(_burst(16, 3))


def test_a_clip_shorter_than_a_frame_is_filled_up_with_silence() -> None:
    """Where it breaks off, the window lets more of the tone's skirt through."""
    assert effective_bandwidth_hz(_tone(1000.0, 400), RATE) > 1125.0


def test_as_strong_as_the_bound_belongs_to_the_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    """1000 Hz is a bin: the band of the strongest frequency is that from 1000 to 1125 Hz."""
    monkeypatch.setattr(nisqa_domain, "BANDWIDTH_RANGE_DB", 0.0)
    assert effective_bandwidth_hz(_tone(1000.0, RATE), RATE) == 1125.0


def test_a_frequency_that_is_not_there_at_all_is_no_silence() -> None:
    """Two samples alike in the middle of a frame: their power at bin k is as the square of cos(pi k / 512),
    nothing at 8 kHz, and in the band below that (bins 252 to 255) 35.5 dB less than at the strongest."""
    samples = np.zeros(512, np.float32)
    samples[255:257] = 0.5
    assert effective_bandwidth_hz(samples, RATE) == 8000.0


def test_a_spectrum_has_the_power_of_two_that_is_next_to_32_ms() -> None:
    """At 22.05 kHz those are 705.6 samples, and in octaves 512 are nearer than 1024: a clip of so many is not
    filled up, and the tone, on bin 24, keeps to its band, which ends at 1125 Hz. Of 33.6 ms it would be."""
    assert effective_bandwidth_hz(_tone(24 * 22_050 / 512, 512, rate=22_050), 22_050) == 1125.0


@pytest.mark.parametrize(("count", "bandwidth_hz"), [(96, 250.0), (95, 125.0)])
def test_a_spectrum_has_64_samples_at_least_and_begins_after_32(count: int, bandwidth_hz: float) -> None:
    """At 500 Hz 32 ms would be 16. 187.5 Hz begins with sample 64: the first frame does not hear it, and
    there is a second one, from sample 32 on, if there are 96 samples."""
    samples = _tone(62.5, count, rate=500)
    samples[64:] += _tone(187.5, count - 64, rate=500)
    assert effective_bandwidth_hz(samples, 500) == bandwidth_hz
