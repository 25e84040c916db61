"""The speech engines: the same words always give the same samples, and errors say what to do."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.bare_machine import seeing
from voice_sim.tts import create_engine
from voice_sim.tts.base import MAX_TEXT_CHARS, Speech, SynthesisError, TTSEngine
from voice_sim.tts.espeak import EspeakEngine

LINE = "Hello, this is Alex."


@pytest.fixture(scope="module")
def piper(piper_folder: Path) -> TTSEngine:
    return create_engine("piper", folder=piper_folder)


@pytest.fixture(scope="module")
def espeak() -> Iterator[TTSEngine]:
    with seeing("espeak-ng"):
        yield create_engine("espeak")


def test_piper_speaks_the_same_samples_whatever_was_said_before(piper: TTSEngine, piper_folder: Path) -> None:
    first = piper.synthesize(LINE, voice="joe", rate=1.0)
    piper.synthesize("Something else in between.", voice="joe", rate=1.0)
    again = piper.synthesize(LINE, voice="joe", rate=1.0)
    fresh = create_engine("piper", folder=piper_folder).synthesize(LINE, voice="joe", rate=1.0)
    assert first.sample_rate_hz == 22_050
    assert 1.0 < first.duration_s < 2.5
    np.testing.assert_array_equal(first.samples, again.samples)
    np.testing.assert_array_equal(first.samples, fresh.samples)


def test_piper_speaks_faster_when_asked(piper: TTSEngine) -> None:
    normal = piper.synthesize(LINE, voice="joe", rate=1.0).duration_s
    fast = piper.synthesize(LINE, voice="joe", rate=1.5).duration_s
    assert normal / 1.7 < fast < normal / 1.3


def test_piper_knows_a_voice_by_either_name(piper: TTSEngine) -> None:
    assert piper.identity("joe") == piper.identity("en_US-joe-medium")
    with pytest.raises(SynthesisError, match=r"voice 'ann' is not among those in .*en_US-joe-medium"):
        piper.identity("ann")


def test_piper_reads_double_brackets_as_text(piper: TTSEngine) -> None:
    said = piper.synthesize("Press [[a]] now.", voice="joe", rate=1.0)
    spelt = piper.synthesize("Press [ [a] ] now.", voice="joe", rate=1.0)
    np.testing.assert_array_equal(said.samples, spelt.samples)


def test_piper_refuses_folders_without_a_usable_voice(tmp_path: Path) -> None:
    engine = create_engine("piper", folder=tmp_path)
    with pytest.raises(SynthesisError, match="no voice at all"):
        engine.synthesize(LINE, voice="joe", rate=1.0)
    (tmp_path / "en_US-joe-low.onnx").write_bytes(b"not a model")
    with pytest.raises(SynthesisError, match=r"has no en_US-joe-low\.onnx\.json"):
        engine.synthesize(LINE, voice="joe", rate=1.0)
    (tmp_path / "en_US-joe-low.onnx.json").write_text("{}")
    with pytest.raises(SynthesisError, match="cannot be loaded"):
        engine.synthesize(LINE, voice="joe", rate=1.0)
    (tmp_path / "en_US-joe-high.onnx").write_bytes(b"")
    with pytest.raises(SynthesisError, match="fits more than one"):
        engine.synthesize(LINE, voice="joe", rate=1.0)


def test_espeak_is_deterministic_and_obeys_the_rate(espeak: TTSEngine) -> None:
    first = espeak.synthesize(LINE, voice="en-us", rate=1.0)
    again = espeak.synthesize(LINE, voice="en-us", rate=1.0)
    fast = espeak.synthesize(LINE, voice="en-us", rate=1.6)
    np.testing.assert_array_equal(first.samples, again.samples)
    assert np.max(np.abs(first.samples)) > 0.05
    assert fast.duration_s < 0.8 * first.duration_s
    assert "eSpeak NG" in espeak.identity("en-us")


def test_espeak_takes_text_as_text_and_voices_as_voices(espeak: TTSEngine) -> None:
    option = espeak.synthesize("--version", voice="en-us", rate=1.0)
    assert option.duration_s > 0.3
    with pytest.raises(SynthesisError, match="is not a voice"):
        espeak.synthesize(LINE, voice="../../etc/passwd", rate=1.0)
    with pytest.raises(SynthesisError, match=r"does not exist.*known: .*cmn.*en-us"):
        espeak.synthesize(LINE, voice="klingonish", rate=1.0)


def test_espeak_offers_its_accents_by_name(espeak: TTSEngine) -> None:
    assert isinstance(espeak, EspeakEngine)
    accents = espeak.voices("en")
    assert {"en-gb", "en-gb-scotland", "en-us"} <= set(accents)
    assert "de" not in accents
    said = [
        espeak.synthesize(LINE, voice=voice, rate=1.0) for voice in ("en-us", "en-gb-scotland", "en-us+f3")
    ]
    assert not np.array_equal(said[0].samples[:8000], said[1].samples[:8000])
    assert not np.array_equal(said[0].samples[:8000], said[2].samples[:8000])
    assert {"zh", "cmn", "en"} <= set(espeak.voices())
    with pytest.raises(SynthesisError, match=r"'\+zz' does not exist; known: .*f3"):
        espeak.synthesize(LINE, voice="en-us+zz", rate=1.0)
    with pytest.raises(SynthesisError, match=r"does not exist.*known: .*en-gb-scotland"):
        espeak.synthesize(LINE, voice="en-mars", rate=1.0)


def test_espeak_without_the_program_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(SynthesisError, match="apt install espeak-ng"):
        create_engine("espeak")


@pytest.mark.parametrize(
    ("text", "rate", "problem"),
    [
        ("  \n ", 1.0, "no text"),
        ("x" * (MAX_TEXT_CHARS + 1), 1.0, "at most"),
        ("beep\x07", 1.0, "control characters"),
        (LINE, 0.0, "rate"),
        (LINE, float("nan"), "rate"),
    ],
)
def test_what_no_engine_can_say_is_refused(espeak: TTSEngine, text: str, rate: float, problem: str) -> None:
    with pytest.raises(SynthesisError, match=problem):
        espeak.synthesize(text, voice="en-us", rate=rate)


@pytest.mark.parametrize(
    ("samples", "rate"),
    [
        (np.zeros((2, 10), np.float32), 16_000),
        (np.zeros(10, np.float64), 16_000),
        (np.zeros(10, np.float32), 100),
        (np.array([np.nan], np.float32), 16_000),
    ],
)
def test_speech_is_finite_mono_float32(samples: np.ndarray, rate: int) -> None:
    with pytest.raises(ValueError, match=r"speech|sample rate"):
        Speech(samples=samples, sample_rate_hz=rate)
