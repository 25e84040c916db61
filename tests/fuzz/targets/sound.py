"""Sound files from anywhere, and recordings of calls."""

from __future__ import annotations

from pathlib import Path

from harness.calls.voice.speaking.recorded_line import recorded_line
from harness.runs.sound_file import RecordingFile, read_audio_file
from metrics.resample import to_speech_rate
from tests.fuzz.targets.base import Target
from voice_sim.policies.script import LineSound

LISTENED_S = 5.0


def sound(data: bytes, folder: Path) -> None:
    path = folder / "sound.wav"
    path.write_bytes(data)
    found = read_audio_file(path)
    assert found.cut == "" or found.promised_s is not None
    if 8_000 <= found.sample_rate_hz <= 192_000 and found.duration_s <= LISTENED_S:
        to_speech_rate(found.samples[:, 0], found.sample_rate_hz)
    RecordingFile(path=path, content=data).samples()


def line_sound(data: bytes, folder: Path) -> None:
    """A recording that a line of a script names; its length is bounded, so that all of it is listened to."""
    path = folder / "line.wav"
    path.write_bytes(data)
    recorded_line(LineSound(path=path), level_dbfs=-23.0)


TARGETS = {
    "line_sound": Target(run=line_sound, form="bytes"),
    "sound": Target(run=sound, form="bytes"),
}
