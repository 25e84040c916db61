"""A suite's check finds a sound that is too quiet to reach its level, and a kind that no detector hears."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from harness.analysis.instruments import Instruments
from harness.plans.probes.forms import load_suite
from harness.plans.probes.sounds import Item, SoundSuite
from harness.selfcheck import probes
from harness.selfcheck.probes import check_suite


class Deaf(Instruments):
    @property
    def whisper(self) -> None:
        self.why_no_whisper = "whisper is not installed"


@pytest.fixture(autouse=True)
def _no_recogniser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes, "Instruments", Deaf)


def suite_of(*items: Item) -> SoundSuite:
    return load_suite("restraint").model_copy(update={"items": items})


def test_the_shipped_sounds_are_at_their_level_and_speech_is_speech() -> None:
    shipped = load_suite("restraint")
    items = [next(item for item in shipped.items if item.kind == kind) for kind in shipped.kinds]
    checked = check_suite(suite_of(*items))
    assert [one.problem for one in checked.clips] == [""] * 6
    shares = {one.kind: (one.silero, one.webrtcvad) for one in checked.clips}
    assert min(shares["side_talk"]) > 0.8
    assert shares["cough"][0] < 0.5
    assert checked.notes == ["words were not checked: whisper is not installed"]


def test_clicks_cannot_be_made_loud_and_no_detector_hears_them(tmp_path: Path) -> None:
    clicks = np.zeros(16_000, np.float32)
    clicks[:: 16_000 // 2] = 0.5
    path = tmp_path / "clicks.wav"
    soundfile.write(path, clicks, 16_000)
    checked = check_suite(suite_of(Item(id="clicks", kind="clicks", sound=path)))
    assert "its level is" in checked.clips[0].problem
