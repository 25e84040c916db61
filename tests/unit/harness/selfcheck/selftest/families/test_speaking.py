"""What the families of speaking say that they planted, against what they made, by a voice that says tones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import VoicePlan
from harness.records.call import SAMPLE_RATE_HZ
from harness.runs.reader import read_run
from harness.selfcheck.selftest.entries import Family, Order
from harness.selfcheck.selftest.families.speaking import FAMILIES, HURRIES, RUSHES, SHOUTS

LETTER_S = 0.02


class _Tones:
    """As long as the text has letters, divided by the rate."""

    def speak(self, voice: VoicePlan, text: str) -> Any:
        length = round(len(text) * LETTER_S / voice.rate * SAMPLE_RATE_HZ)

        class Said:
            samples = np.full(length, 0.1, np.float32)

        return Said()


@pytest.fixture(autouse=True)
def tones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ClipMaker, "__init__", lambda self: None)
    monkeypatch.setattr(ClipMaker, "speak", lambda self, voice, text: _Tones().speak(voice, text))


def _family(name: str) -> Family:
    return next(one for one in FAMILIES if one.name == name)


def _planted(name: str, folder: Path, defect: str | None, amount: float) -> dict[str, float]:
    order = Order(folder=folder, defect=defect, amount=amount, seed=1, size="quick")
    return dict(_family(name).make(order, lambda _: None))


@pytest.mark.parametrize("faster", [0.1, 0.3])
def test_numbers_said_faster_are_planted_as_a_lower_adaptation(tmp_path: Path, faster: float) -> None:
    clean = _planted("rate", tmp_path / "clean", None, 0.0)["speech_rate_adaptation"]
    rushed = _planted("rate", tmp_path / "rushed", RUSHES.name, faster)["speech_rate_adaptation"]
    assert clean == pytest.approx(1.0, abs=0.005)
    assert rushed == pytest.approx(1 / (1 + faster), abs=0.005)


def test_twenty_sentences_are_said_each_beside_its_control(tmp_path: Path) -> None:
    _planted("rate", tmp_path / "run", None, 0.0)
    records = [call.record for call in read_run(tmp_path / "run").calls]
    assert sum(len(one.utterances) for one in records if one is not None) == 40


def test_of_four_feelings_two_are_subdued(tmp_path: Path) -> None:
    loud = _planted("prosody", tmp_path / "loud", SHOUTS.name, 6.0)
    fast = _planted("prosody", tmp_path / "fast", HURRIES.name, 0.3)
    assert loud == {"emotion_level_db": -3.0, "emotion_rate": 0.0}
    assert fast["emotion_rate"] == pytest.approx(-0.15)
    assert fast["emotion_level_db"] == 0.0


def test_what_the_agent_says_of_emotion_is_not_transcribed() -> None:
    assert _family("prosody").without == {"whisper-base"}
    assert not _family("rate").without
