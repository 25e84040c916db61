"""The packaged espeak-ng: accents by name, the same samples whatever was said before."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from voice_sim.tts import create_engine
from voice_sim.tts.base import SynthesisError

LINE = "Hello, this is Alex."

pytest.importorskip("espeakng_loader", reason="needs the extra voices")


def test_the_same_samples_whatever_was_said_before() -> None:
    engine = create_engine("espeakng")
    first = engine.synthesize(LINE, voice="en-gb-scotland", rate=1.0)
    engine.synthesize("Something else in between.", voice="cmn", rate=1.4)
    again = engine.synthesize(LINE, voice="en-gb-scotland", rate=1.0)
    np.testing.assert_array_equal(first.samples, again.samples)
    assert first.sample_rate_hz == 22_050
    assert 0.8 < first.duration_s < 3.0
    assert np.max(np.abs(first.samples)) > 0.05
    assert "espeakng-loader" in engine.identity("en-us")


def test_accents_differ_and_the_rate_is_obeyed() -> None:
    engine = create_engine("espeakng")
    plain = engine.synthesize(LINE, voice="en-us", rate=1.0)
    fast = engine.synthesize(LINE, voice="en-us", rate=1.6)
    other = engine.synthesize(LINE, voice="en-029", rate=1.0)
    assert fast.duration_s < 0.8 * plain.duration_s
    assert not np.array_equal(plain.samples[:8000], other.samples[:8000])


@pytest.mark.parametrize(
    ("text", "voice", "problem"),
    [
        (LINE, "en-mars", "there is no voice 'en-mars'"),
        (LINE, "../../etc/passwd", "is not a voice"),
        (" ", "en-us", "no text"),
    ],
)
def test_what_cannot_be_said_is_told(text: str, voice: str, problem: str) -> None:
    with pytest.raises(SynthesisError, match=problem):
        create_engine("espeakng").synthesize(text, voice=voice, rate=1.0)


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "espeakng_loader", None)
    with pytest.raises(SynthesisError, match="pip install"):
        create_engine("espeakng")
