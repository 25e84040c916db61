"""What voices say is kept, each in a place of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
import soundfile

from harness.analysis.components.tts import TtsItem, speak_all
from tests.unit.harness.analysis.components.one_level import nobody_listens, voice_of

ALIKE = ("livekit/" + "x" * 60 + "/a", "livekit/" + "x" * 60 + "/b", "piper/Zoë", "piper/Zoö")
"""The first two begin alike for more than 60 characters; the other two differ in a letter beyond ASCII."""


def test_voices_of_names_that_are_nearly_alike_have_clips_of_their_own(tmp_path: Path) -> None:
    levels = {name: 0.1 * number for number, name in enumerate(ALIKE, 1)}
    item = TtsItem(id="a", text="Good morning.")
    voices = {name: voice_of(level) for name, level in levels.items()}
    found = speak_all([item], voices, tmp_path, nobody_listens())
    for name, level in levels.items():
        samples, _ = soundfile.read(tmp_path / found[name]["a"].audio)
        # Within a step of 16 bits.
        assert samples.max() == pytest.approx(level, abs=1e-4)
