"""Clips of voices before anybody hears them: whose they are, and which of them are decoded."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import soundfile

from harness.analysis.components.kept import Kept
from harness.analysis.components.tts import TtsResult
from harness.errors import UserError
from harness.scoring.listening import voices
from harness.scoring.listening.voices import voices_in
from metrics.audio import Audio
from tests.unit.harness.scoring.listening.said_by_voices import folder_of_voices


def test_two_voices_with_their_sound_in_one_file_are_refused(tmp_path: Path) -> None:
    folder = folder_of_voices(tmp_path / "tts", {"piper/joe": {"a": 2.5}, "piper-joe": {"a": 2.5}})
    told = "piper-joe and piper/joe have their sound in one file, audio/piper-joe/a.flac"
    with pytest.raises(UserError, match=re.escape(told)):
        voices_in(folder)
    # Said again, one of them has a file of its own; the other's may still be the one's.
    kept = Kept(folder, TtsResult)
    kept.put(TtsResult(key="1", system="piper/joe", item="a", audio="audio/1/a.flac"))
    with pytest.raises(UserError, match=re.escape(told)):
        voices_in(folder)
    kept.put(TtsResult(key="2", system="piper-joe", item="a", audio="audio/2/a.flac"))
    assert [one.results["a"].audio for one in voices_in(folder)] == ["audio/1/a.flac", "audio/2/a.flac"]


def test_a_clip_of_many_minutes_or_of_two_channels_is_not_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of_voices(tmp_path / "tts", {"piper/joe": {"a": 2.5}})
    [joe] = voices_in(folder)
    clip = folder / joe.results["a"].audio

    def decoded(path: Path) -> Audio:
        raise AssertionError(f"{path} was decoded")

    monkeypatch.setattr(Audio, "from_file", decoded)
    for samples, told in (
        (np.zeros(601 * 8000, np.int16), "601.0 s; a clip has at most 600"),
        (np.zeros((24_000, 2), np.int16), "2 channels; a clip has one"),
    ):
        soundfile.write(clip, samples, 8000)
        with pytest.raises(UserError, match=re.escape(f"{clip}: {told}")):
            joe.sound("a")
    clip.write_bytes(b"no sound at all")
    with pytest.raises(UserError, match=re.escape(f"{clip}: not a sound file that can be read")):
        joe.sound("a")


def test_a_clip_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of_voices(tmp_path / "tts", {"piper/joe": {"a": 2.5}})
    [joe] = voices_in(folder)
    monkeypatch.setattr(voices, "MAX_CLIP_BYTES", 10)
    with pytest.raises(UserError, match=r"a\.flac: cannot be read: \d+ bytes; the most that is read is 10"):
        joe.sha256("a")
