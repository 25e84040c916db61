"""G.722: its odd clock, its delay measured from end to end, and what it carries that a telephone does not."""

from __future__ import annotations

import numpy as np
import pytest

from harness.transports.codecs.g711 import PCMU
from harness.transports.codecs.g722 import G722
from harness.transports.codecs.recording_rate import at_recording_rate

RATE = 16_000


def test_the_clock_runs_at_half_the_sampling_rate() -> None:
    assert (G722.sample_rate_hz, G722.clock_rate_hz) == (16_000, 8_000)
    assert (G722.frame_samples, G722.frame_ticks, G722.frame_s) == (320, 160, 0.02)
    assert [len(packet) for packet in G722.encode(np.zeros(640, np.float32))] == [160, 160]


def test_the_stated_delay_is_the_measured_one() -> None:
    """By the slope of the phase between noise and what is heard of it, over both sub-bands."""
    noise = np.random.default_rng(0).normal(0.0, 0.1, 4 * RATE).astype(np.float32)
    heard = G722.decode(G722.encode(noise))
    length = 2048
    window = np.hanning(length)
    cross = sum(
        np.conj(np.fft.rfft(noise[start : start + length] * window))
        * np.fft.rfft(heard[start : start + length] * window)
        for start in range(0, len(heard) - length, length // 2)
    )
    frequency = np.fft.rfftfreq(length)
    for low, high in ((0.01, 0.22), (0.28, 0.45)):
        band = (frequency > low) & (frequency < high)
        slope = np.polyfit(frequency[band], np.unwrap(np.angle(cross[band])), 1)[0]
        assert -slope / (2 * np.pi) == pytest.approx(G722.delay_samples, abs=0.05)


def test_it_carries_what_a_telephone_does_not() -> None:
    tone = (0.2 * np.sin(2 * np.pi * 6000 / 48_000 * np.arange(48_000))).astype(np.float32)
    wide, narrow = (at_recording_rate(codec) for codec in (G722, PCMU))
    assert np.std(wide.decode(wide.encode(tone))) == pytest.approx(np.std(tone), rel=0.1)
    assert np.std(narrow.decode(narrow.encode(tone))) < 0.01 * np.std(tone)
