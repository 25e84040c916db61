"""An engine without a model: all that it says is one level, by which its clips are told apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harness.analysis.components.tts import Voice
from harness.analysis.instruments import Instruments
from metrics.recognition.normalize import Language
from voice_sim.tts.base import Speech


class OneLevel:
    """Says every text as a fifth of a second of ``level``."""

    name = "level"

    def __init__(self, level: float) -> None:
        self._level = level

    def identity(self, voice: str) -> str:
        return "1"

    def synthesize(self, text: str, *, voice: str, rate: float) -> Speech:
        return Speech(samples=np.full(3200, self._level, np.float32), sample_rate_hz=16_000)


def voice_of(level: float) -> Voice:
    return Voice(engine=OneLevel(level), voices={"en": "x"})


def opened(name: str, languages: Sequence[Language]) -> Voice:
    """In the place of ``open_voice``."""
    return voice_of(0.5)


def nobody_listens() -> Instruments:
    """In the place of instruments whose models may be here."""
    return Instruments(without=frozenset({"whisper-base", "nisqa"}))
