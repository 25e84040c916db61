"""Sound files that were cut off are read as far as they go, and say so; those of strangers break nothing."""

from __future__ import annotations

import contextlib
import io
import os
import struct
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.errors import UserError
from harness.runs.sound_file import RecordingFile, read_audio_file
from harness.runs.sound_length import promised_frames

RATE = 48_000
FRAMES = 3 * RATE
_AUDIO = (np.random.default_rng(7).standard_normal((FRAMES, 2)) * 0.1).astype(np.float32)


def _file(kind: str, subtype: str = "PCM_16") -> bytes:
    written = io.BytesIO()
    soundfile.write(written, _AUDIO, RATE, format=kind, subtype=subtype)
    return written.getvalue()


@pytest.mark.parametrize("kind", ["WAV", "WAVEX", "RF64", "FLAC"])
def test_a_whole_file_promises_what_it_holds(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.sound"
    path.write_bytes(_file(kind))
    sound = read_audio_file(path)
    assert (sound.promised_s, sound.duration_s, sound.cut) == (3.0, 3.0, "")
    assert sound.samples.shape == (FRAMES, 2)
    assert RecordingFile(path=path, content=path.read_bytes()).cut == ""


@pytest.mark.parametrize("share", [0.25, 0.5, 0.99])
@pytest.mark.parametrize("kind", ["WAV", "WAVEX", "RF64", "FLAC"])
def test_a_file_that_was_cut_off_is_read_as_far_as_it_goes_and_says_so(
    tmp_path: Path, kind: str, share: float
) -> None:
    path = tmp_path / "a.sound"
    whole = _file(kind)
    path.write_bytes(whole[: round(len(whole) * share)])
    sound = read_audio_file(path)
    # Noise takes as many bytes everywhere. Of FLAC up to two frames (4096 samples) are lost: the one that is
    # not whole, and the one before it, whose end libFLAC only knows by the next one's beginning.
    assert 3.0 * share - 2 * 4096 / RATE - 0.01 <= sound.duration_s <= 3.0 * share + 0.01
    np.testing.assert_allclose(sound.samples, _AUDIO[: len(sound.samples)], atol=2**-14)
    told = f"its header promises 3.00 s, {sound.duration_s:.2f} s can be read"
    assert told in sound.cut
    recording = RecordingFile(path=path, content=path.read_bytes())
    assert recording.cut == sound.cut
    assert len(recording.samples()) == len(sound.samples)


@pytest.mark.parametrize("size", [0, 0xFFFFFFFF, 0x7FFFFFFF])
def test_a_recorder_that_did_not_know_the_length_promised_nothing(tmp_path: Path, size: int) -> None:
    whole = bytearray(_file("WAV"))
    struct.pack_into("<I", whole, whole.index(b"data") + 4, size)
    assert promised_frames(io.BytesIO(bytes(whole))) is None


def test_a_format_without_a_promise_is_not_held_to_one(tmp_path: Path) -> None:
    path = tmp_path / "a.ogg"
    path.write_bytes(_file("OGG", "VORBIS"))
    assert (read_audio_file(path).promised_s, read_audio_file(path).cut) == (None, "")


def test_chunks_before_the_sound_are_passed_over() -> None:
    whole = _file("WAV")
    at = whole.index(b"data")
    odd = whole[:at] + b"LIST" + struct.pack("<I", 5) + b"abcde\0" + whole[at:]
    assert promised_frames(io.BytesIO(odd)) == FRAMES
    assert promised_frames(io.BytesIO(whole[:at])) is None
    assert promised_frames(io.BytesIO(b"RIFF")) is None
    assert promised_frames(io.BytesIO(b"fLaC\x04")) is None


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not a sound file"),
        (b"RIFF\xff\xff\xff\xffWAVE", "not a sound file"),
        (b"hello" * 100, "not a sound file"),
        (_file("WAV")[:44], "holds no sound"),
        (_file("FLAC")[:60], "not a sound file"),
    ],
    ids=["empty", "head only", "text", "no samples", "flac head"],
)
def test_what_holds_no_sound_is_named(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(content)
    with pytest.raises(UserError, match=f"a.wav: .*{words}|a.wav: {words}"):
        read_audio_file(path)


def test_a_pipe_and_a_folder_are_no_sound(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.wav")
    with pytest.raises(UserError, match="is a device or a pipe"):
        read_audio_file(tmp_path / "a.wav")
    with pytest.raises(UserError, match="is a folder"):
        read_audio_file(tmp_path)


@pytest.mark.parametrize("kind", ["WAV", "FLAC"])
def test_a_header_that_promises_years_takes_no_memory(tmp_path: Path, kind: str) -> None:
    content = bytearray(_file(kind)[:20_000])
    if kind == "FLAC":
        content[21:26] = b"\xf0" + b"\xff" * 4  # 36 bits of samples, the upper four beside the sample size
    else:
        struct.pack_into("<I", content, content.index(b"data") + 4, 0xFFFFFF00)
    path = tmp_path / "a.sound"
    path.write_bytes(content)
    if kind == "FLAC":  # years of it; libsndfile itself counts the bytes of a WAV file
        with pytest.raises(UserError, match="too large to score"):
            read_audio_file(path)
        return
    sound = read_audio_file(path)
    assert sound.duration_s < 1.0
    assert "cut off" in sound.cut


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kind=st.sampled_from(["WAV", "FLAC"]), position=st.integers(0, 200), value=st.integers(0, 255))
def test_a_wrong_byte_in_the_header_is_read_or_named(
    tmp_path: Path, kind: str, position: int, value: int
) -> None:
    content = bytearray(_SHORT[kind])
    content[position % len(content)] = value
    path = tmp_path / "a.sound"
    path.write_bytes(content)
    # Any error but one for the person at the terminal fails the test.
    with contextlib.suppress(UserError):
        assert len(read_audio_file(path).samples) > 0


def _short(kind: str) -> bytes:
    written = io.BytesIO()
    soundfile.write(written, _AUDIO[:5000], RATE, format=kind, subtype="PCM_16")
    return written.getvalue()


_SHORT = {kind: _short(kind) for kind in ("WAV", "FLAC")}
