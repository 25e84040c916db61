"""A recording as a line of the caller: cut to its speech, brought to its level, or refused with why."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from harness.calls.voice.speaking.recorded_line import recorded_line
from harness.errors import UserError
from voice_sim.conditions.level import active_level_dbfs
from voice_sim.policies.script import LineSound

SPEECH = Path(__file__).parents[6] / "fixtures" / "speech"


def wav(folder: Path, samples: np.ndarray, rate: int = 16_000) -> LineSound:
    path = folder / "line.wav"
    soundfile.write(path, samples, rate, subtype="PCM_16")
    return LineSound(path=path)


def test_noise_around_the_words_is_not_said(tmp_path: Path) -> None:
    clean, rate = soundfile.read(SPEECH / "question.flac", dtype="float32")
    known = recorded_line(LineSound(path=SPEECH / "question.flac", trimmed=True), level_dbfs=-23.0)
    noise = np.random.default_rng(1).normal(0.0, 10 ** (-55 / 20), len(clean) + 2 * rate)
    noisy = noise.astype(np.float32)
    noisy[rate : rate + len(clean)] += clean
    said = recorded_line(wav(tmp_path, noisy, rate), level_dbfs=-23.0)
    # A second of noise on each side is gone; the edges are as near as noise lets them be told.
    assert said.duration_s == pytest.approx(known.duration_s, abs=0.03)
    assert active_level_dbfs(said.samples, sample_rate_hz=48_000) == pytest.approx(-23.0, abs=0.3)


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (np.zeros((16_000, 2), np.float32), "2 channels; a line has one"),
        (np.zeros(16_000, np.float32), "no speech is heard in it"),
        (np.zeros(61 * 16_000, np.float32), "61 s; a line has 60 s at most"),
    ],
)
def test_what_is_no_line_is_refused_by_its_name(made: np.ndarray, why: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=why) as raised:
        recorded_line(wav(tmp_path, made), level_dbfs=-23.0)
    assert "line.wav" in str(raised.value)


def test_a_file_that_is_no_sound_is_told(tmp_path: Path) -> None:
    (tmp_path / "line.wav").write_bytes(b"RIFF and no more")
    with pytest.raises(UserError, match="not a sound file that can be read"):
        recorded_line(LineSound(path=tmp_path / "line.wav"), level_dbfs=-23.0)
