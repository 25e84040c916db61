"""What the families of speaking say that they planted, against what they made, by a voice that says tones."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import VoicePlan
from harness.records.call import SAMPLE_RATE_HZ
from harness.selfcheck.selftest.entries import Family, Order
from harness.selfcheck.selftest.families import speaking
from harness.selfcheck.selftest.families.speaking import FAMILIES, HURRIES, LOUD_WORDS, PAUSES, RUSHES, SHOUTS
from harness.selfcheck.selftest.made.calls import MadeLine

LETTER_S = 0.02


class Tone:
    """As long as the text has letters, divided by the rate."""

    def __init__(self, voice: VoicePlan, text: str) -> None:
        length = round(len(text) * LETTER_S / voice.rate * SAMPLE_RATE_HZ)
        self.samples = np.full(length, 0.1, np.float32)


@pytest.fixture(autouse=True)
def made(monkeypatch: pytest.MonkeyPatch) -> list[MadeLine]:
    """What the agent says in the calls that are made, of which nothing is written."""
    lines: list[MadeLine] = []

    def made_call(plan: Any, own: list[MadeLine], *, random: Any) -> None:
        lines.extend(own)

    monkeypatch.setattr(ClipMaker, "__init__", lambda self: None)
    monkeypatch.setattr(ClipMaker, "speak", lambda self, voice, text: Tone(voice, text))
    monkeypatch.setattr(speaking, "made_call", made_call)
    monkeypatch.setattr(speaking, "keep", lambda folder, name, calls: None)
    return lines


def _family(name: str) -> Family:
    return next(one for one in FAMILIES if one.name == name)


def _planted(
    name: str, defect: str | None, amount: float, size: Literal["quick", "full"] = "full"
) -> dict[str, float]:
    order = Order(folder=Path("nowhere"), defect=defect, amount=amount, seed=1, size=size)
    return dict(_family(name).make(order, lambda _: None))


@pytest.mark.parametrize("faster", [0.1, 0.3])
def test_numbers_said_faster_are_planted_as_a_lower_adaptation(faster: float) -> None:
    clean = _planted("rate", None, 0.0)["speech_rate_adaptation"]
    rushed = _planted("rate", RUSHES.name, faster)["speech_rate_adaptation"]
    assert clean == pytest.approx(1.0, abs=0.005)
    assert rushed == pytest.approx(1 / (1 + faster), abs=0.005)


def test_twenty_sentences_are_said_each_beside_its_control(made: list[MadeLine]) -> None:
    _planted("rate", None, 0.0)
    assert len(made) == 40
    assert len({one.tells for one in made}) == 40


def test_of_four_feelings_two_are_subdued(made: list[MadeLine]) -> None:
    loud = _planted("prosody", SHOUTS.name, 6.0)
    peaks = [float(one.reply.max()) for one in made if one.reply is not None]
    assert loud == {"emotion_level_db": -3.0, "emotion_rate": pytest.approx(0.0)}
    assert sum(peak > 0.19 for peak in peaks) == 10
    assert sum(peak < 0.11 for peak in peaks) == 30
    fast = _planted("prosody", HURRIES.name, 0.3)
    assert fast["emotion_rate"] == pytest.approx(-0.15, abs=0.001)
    assert fast["emotion_level_db"] == 0.0


def test_foreign_words_are_paused_before_or_louder(made: list[MadeLine]) -> None:
    assert _planted("seams", None, 0.0) == {"code_switch_pause_ms": 0.0}
    clean_s = [len(one.reply) / SAMPLE_RATE_HZ for one in made if one.reply is not None]
    made.clear()
    planted = _planted("seams", PAUSES.name, 0.3)
    paused_s = [len(one.reply) / SAMPLE_RATE_HZ for one in made if one.reply is not None]
    longer_s = np.subtract(paused_s, clean_s)
    assert set(longer_s.round(3)) == {0.0, 0.28}
    assert planted["code_switch_pause_ms"] == pytest.approx(1000 * longer_s.sum() / 20, abs=0.1)
    made.clear()
    _planted("seams", None, 0.0, "quick")
    assert len(made) == len(clean_s) // 2
    made.clear()
    assert _planted("seams", LOUD_WORDS.name, 6.0) == {"code_switch_pause_ms": 0.0}
    peaks = [float(one.reply.max()) for one in made if one.reply is not None]
    assert sum(peak > 0.19 for peak in peaks) == 20


def test_what_the_agent_says_of_emotion_is_not_transcribed() -> None:
    assert _family("prosody").without == {"whisper-base"}
    assert not _family("rate").without
