"""Speech at another pace: its length, its pitch, its level and its order."""

from __future__ import annotations

import numpy as np
import pytest

from voice_sim.tts.base import Speech
from voice_sim.tts.stretch import stretched

RATE_HZ = 16_000


@pytest.mark.parametrize("rate", [0.5, 0.8, 1.25, 2.0])
def test_pace_changes_and_pitch_and_level_do_not(rate: float) -> None:
    t = np.arange(2 * RATE_HZ) / RATE_HZ
    voice = sum(np.sin(2 * np.pi * 120 * k * t) / k for k in range(1, 9)) * 0.1
    speech = Speech(samples=voice.astype(np.float32), sample_rate_hz=RATE_HZ)
    result = stretched(speech, rate=rate)
    assert result.duration_s == pytest.approx(2.0 / rate, abs=0.001)
    spectrum = np.abs(np.fft.rfft(result.samples * np.hanning(result.samples.size)))
    assert np.argmax(spectrum) * RATE_HZ / result.samples.size == pytest.approx(120, abs=1)
    assert np.std(result.samples) == pytest.approx(np.std(speech.samples), rel=0.05)
    np.testing.assert_array_equal(result.samples, stretched(speech, rate=rate).samples)


@pytest.mark.parametrize("rate", [0.7, 1.4])
def test_what_is_said_keeps_its_place(rate: float) -> None:
    samples = np.zeros(2 * RATE_HZ, np.float32)
    tone = np.sin(2 * np.pi * 300 * np.arange(RATE_HZ // 5) / RATE_HZ).astype(np.float32)
    for start_s in (0.4, 1.2):
        samples[round(start_s * RATE_HZ) : round(start_s * RATE_HZ) + tone.size] = 0.5 * tone
    result = stretched(Speech(samples=samples, sample_rate_hz=RATE_HZ), rate=rate).samples
    loud = np.abs(result) > 0.1
    near = (np.convolve(loud, np.ones(800), "same") > 0).astype(int)
    starts = np.flatnonzero(np.diff(near) == 1) + 400
    assert starts / RATE_HZ == pytest.approx([0.4 / rate, 1.2 / rate], abs=0.03)


def test_nothing_is_done_where_there_is_nothing_to_do() -> None:
    speech = Speech(samples=np.ones(2000, np.float32) * 0.1, sample_rate_hz=RATE_HZ)
    assert stretched(speech, rate=1.0) is speech
    short = Speech(samples=np.ones(100, np.float32) * 0.1, sample_rate_hz=RATE_HZ)
    assert stretched(short, rate=1.5) is short
