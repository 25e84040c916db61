"""Outline and embedded copy of recordings whose samples are known."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import numpy as np
import pytest
import soundfile

from harness.reports.parts.audio import MAX_BUCKETS, AudioError, estimated_uri_bytes, opus_data_uri, outline

RATE_HZ = 48_000


def recording(path: Path, audio: np.ndarray, rate_hz: int = RATE_HZ, *, form: str = "FLAC") -> Path:
    soundfile.write(path, audio, rate_hz, format=form, subtype="PCM_16")
    return path


def test_the_outline_has_each_extreme_in_its_bucket(tmp_path: Path) -> None:
    audio = np.zeros((RATE_HZ, 2))
    audio[12_000, 0] = 0.5  # caller, at 0.25 s
    audio[36_120, 1] = -0.25  # agent, at 0.7525 s
    found = outline(recording(tmp_path / "a.flac", audio))
    assert found.duration_s == 1.0
    assert found.buckets_per_s == 200
    assert found.full_scale == pytest.approx(0.5, abs=1e-4)
    assert found.caller.shape == found.agent.shape == (200, 2)
    assert np.argmax(found.caller[:, 1]) == 50
    assert found.caller[50].tolist() == [0, 127]
    assert np.argmin(found.agent[:, 0]) == 150
    assert found.agent[150].tolist() == [-64, 0]
    assert np.count_nonzero(found.caller) == np.count_nonzero(found.agent) == 1


def test_packed_outline_is_lowest_and_highest_alternating(tmp_path: Path) -> None:
    audio = np.zeros((480, 2))
    audio[0] = [0.5, -0.5]
    found = outline(recording(tmp_path / "a.flac", audio))
    assert base64.b64decode(found.packed(found.caller)) == bytes([0, 127, 0, 0])
    assert base64.b64decode(found.packed(found.agent)) == bytes([256 - 127, 0, 0, 0])


def test_a_long_recording_gets_wider_buckets(tmp_path: Path) -> None:
    seconds = 200
    found = outline(recording(tmp_path / "a.flac", np.zeros((8_000 * seconds, 2)), 8_000))
    assert len(found.agent) <= MAX_BUCKETS
    assert len(found.agent) / found.buckets_per_s == pytest.approx(seconds, abs=0.1)


def test_silence_is_a_flat_line(tmp_path: Path) -> None:
    found = outline(recording(tmp_path / "a.flac", np.zeros((RATE_HZ, 2))))
    assert not found.caller.any()
    assert not found.agent.any()


def test_the_copy_keeps_time_and_sides(tmp_path: Path) -> None:
    """A click on the left at 0.5 s and one on the right at 1.5 s come back where they were."""
    audio = np.zeros((2 * RATE_HZ, 2))
    burst = 0.5 * np.sin(2 * np.pi * 1000 * np.arange(960) / RATE_HZ)
    audio[24_000:24_960, 0] = burst
    audio[72_000:72_960, 1] = burst
    uri = opus_data_uri(recording(tmp_path / "a.flac", audio))
    kind, _, packed = uri.partition(",")
    assert kind == "data:audio/ogg;base64"
    copy, rate_hz = soundfile.read(io.BytesIO(base64.b64decode(packed)))
    assert rate_hz == RATE_HZ
    assert copy.shape == audio.shape
    for side, first in ((0, 24_000), (1, 72_000)):
        loud = np.flatnonzero(np.abs(copy[:, side]) > 0.25)
        assert loud[0] == pytest.approx(first, abs=96)  # 2 ms
        assert loud[-1] == pytest.approx(first + 960, abs=96)


def test_the_estimate_is_near_the_size(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).normal(0, 0.1, (4 * RATE_HZ, 2))
    path = recording(tmp_path / "a.flac", noise)
    assert len(opus_data_uri(path)) == pytest.approx(estimated_uri_bytes(path), rel=0.25)


def test_what_cannot_be_used_says_why(tmp_path: Path) -> None:
    (tmp_path / "text.flac").write_text("no sound")
    with pytest.raises(AudioError, match="cannot be opened") as caught:
        outline(tmp_path / "text.flac")
    assert str(tmp_path) not in str(caught.value)
    with pytest.raises(AudioError, match="holds no sound"):
        outline(recording(tmp_path / "empty.flac", np.zeros((0, 2)), form="WAV"))
    with pytest.raises(AudioError, match="3 channels"):
        outline(recording(tmp_path / "three.flac", np.zeros((100, 3))))
    with pytest.raises(AudioError, match="44100 Hz"):
        opus_data_uri(recording(tmp_path / "cd.flac", np.zeros((100, 2)), 44_100))
