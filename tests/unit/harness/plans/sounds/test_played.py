"""A line that plays a sound that comes along."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from harness.calls.voice.speaking.recorded_line import recorded_line
from harness.errors import UserError
from harness.plans.plan import load_plan
from harness.plans.sounds.played import PLAYED
from metrics.resample import resampled
from voice_sim.policies.script import ScriptLine


def line(folder: Path, **written: Any) -> ScriptLine:
    content = {"agent": "http://127.0.0.1:9", "calls": [{"id": "a", "script": {"lines": [written]}}]}
    path = folder / "plan.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    script = load_plan(path).calls[0].script
    assert script is not None
    return script.lines[0]


def test_it_has_no_words_and_asks_for_no_answer_unless_said_so(tmp_path: Path) -> None:
    cough = line(tmp_path, play="cough", level_db=-6)
    assert (cough.text, cough.kind) == ("(cough, synthetic)", "aside")
    assert cough.sound is not None
    assert (cough.sound.words, cough.sound.level_db) == ("heard", -6)
    assert line(tmp_path, play="cough", barge_in_after_s=1.2).kind == "backchannel"
    assert line(tmp_path, play="ringback_us", kind="turn").kind == "turn"


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ({"play": "burp"}, r"calls.*lines\[0\].play: there is no sound 'burp'; known: busy_tone_eu, "),
        ({"play": ["cough"]}, "there is no sound"),
        ({"play": "cough", "say": "Hello."}, "a line that plays a sound has no say"),
        ({"play": "cough", "level_db": 90}, "level_db"),
    ],
)
def test_what_cannot_be_played_is_told(tmp_path: Path, written: dict[str, Any], why: str) -> None:
    with pytest.raises(UserError, match=why):
        line(tmp_path, **written)


@pytest.mark.parametrize("name", sorted(PLAYED))
def test_each_can_be_sent(tmp_path: Path, name: str) -> None:
    sound = line(tmp_path, play=name).sound
    assert sound is not None
    assert recorded_line(sound, level_dbfs=-23.0).samples.size > 0


@pytest.mark.parametrize(
    ("name", "hz", "on_s"),
    [
        ("dial_tone_eu", {425}, None),
        ("dial_tone_us", {350, 440}, None),
        ("busy_tone_eu", {425}, 0.5),
        ("busy_tone_us", {480, 620}, 0.5),
        ("ringback_eu", {425}, 1.0),
        ("ringback_us", {440, 480}, 2.0),
    ],
)
def test_tones_have_the_frequencies_and_cadences_of_their_names(
    tmp_path: Path, name: str, hz: set[int], on_s: float | None
) -> None:
    sound = line(tmp_path, play=name).sound
    assert sound is not None
    said = recorded_line(sound, level_dbfs=-23.0)
    samples = resampled(said.samples, 48_000, 8_000)
    first = samples[800 : round(8_000 * (on_s or 1.0)) - 400]
    spectrum = np.abs(np.fft.rfft(first * np.hanning(first.size), n=80_000))
    found = {f for f in range(300, 700, 5) if spectrum[f * 10] > 0.5 * spectrum.max()}
    assert {min(hz, key=lambda one: abs(one - f)) for f in found} == hz
    assert all(min(abs(one - f) for one in hz) <= 5 for f in found)
    if on_s is not None:
        loud = np.abs(samples) > 0.1 * np.abs(samples).max()
        edge = np.flatnonzero(loud[: round(8_000 * (on_s + 0.4))])
        assert (edge[-1] - edge[0]) / 8_000 == pytest.approx(on_s, abs=0.02)
