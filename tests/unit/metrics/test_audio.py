"""Audio that knows its own rate: what is no sound is refused, and nothing is taken at the wrong speed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from metrics.audio import Audio, AudioError
from metrics.spans import Span


def test_samples_become_float32_that_nobody_changes() -> None:
    given = np.linspace(-1, 1, 8000)
    audio = Audio(samples=given, sample_rate_hz=8000)
    assert audio.samples.dtype == np.float32
    assert audio.duration_s == 1.0
    with pytest.raises(ValueError, match="read-only"):
        audio.samples[0] = 0


def test_what_it_was_made_of_can_still_be_written() -> None:
    given = np.zeros(100, dtype=np.float32)
    Audio(samples=given, sample_rate_hz=16_000)
    given[0] = 1


@pytest.mark.parametrize(
    ("samples", "rate", "why"),
    [
        (np.zeros((100, 2), np.float32), 16_000, "one channel, not an array of shape"),
        (np.zeros(100, np.int16), 16_000, "floating point with full scale at 1, not int16"),
        (np.zeros(100, np.float32), 16, "16 Hz is no rate"),
        (np.array([0, np.nan], np.float32), 16_000, "not finite"),
    ],
)
def test_what_is_no_audio_is_refused(samples: np.ndarray, rate: int, why: str) -> None:
    with pytest.raises(AudioError, match=why):
        Audio(samples=samples, sample_rate_hz=rate)


def test_a_file_keeps_its_rate_and_its_channels_apart(tmp_path: Path) -> None:
    path = tmp_path / "call.wav"
    soundfile.write(path, np.stack([np.full(800, 0.25), np.full(800, -0.5)], axis=1), 8000, subtype="FLOAT")
    with pytest.raises(AudioError, match=r"call\.wav: 2 channels: choose one"):
        Audio.from_file(path)
    assert Audio.from_file(path, channel="left").samples[0] == 0.25
    right = Audio.from_file(path, channel="right")
    assert (right.samples[0], right.sample_rate_hz) == (-0.5, 8000)
    with pytest.raises(AudioError, match="no channel 2: it has 2"):
        Audio.from_file(path, channel=2)
    with pytest.raises(AudioError, match="no channel 'middle'"):
        Audio.from_file(path, channel="middle")  # type: ignore[arg-type]


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_text("no sound")
    for name in ("a.wav", "nowhere.wav"):
        with pytest.raises(AudioError, match=f"{name}: not a sound file that can be read"):
            Audio.from_file(tmp_path / name)


@pytest.mark.parametrize("rate", [8000, 22_050, 48_000])
def test_another_rate_is_the_same_sound(rate: int) -> None:
    def tone(at_hz: int) -> np.ndarray:
        return np.sin(2 * np.pi * 440 * np.arange(at_hz) / at_hz)

    found = Audio(samples=tone(16_000), sample_rate_hz=16_000).resampled(rate)
    assert (found.sample_rate_hz, len(found)) == (rate, rate)
    middle = slice(rate // 10, -rate // 10)
    assert np.abs(found.samples - tone(rate))[middle].max() < 1e-3


def test_its_own_rate_is_itself() -> None:
    audio = Audio(samples=np.zeros(160), sample_rate_hz=16_000)
    assert audio.resampled() is audio


def test_a_part_of_it() -> None:
    audio = Audio(samples=np.arange(16_000) / 16_000, sample_rate_hz=16_000)
    part = audio.within(Span(start_s=0.5, end_s=2.0))
    assert (len(part), float(part.samples[0])) == (8000, 0.5)
