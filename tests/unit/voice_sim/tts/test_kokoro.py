"""Kokoro: five voices in two languages, the same samples every time, and errors that say what to do."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from harness.models.resolve import ModelMissing, resolve_model
from voice_sim.tts import create_engine
from voice_sim.tts.base import SynthesisError, TTSEngine

pytest.importorskip("espeakng_loader", reason="espeakng-loader is not installed (extra 'voices')")
pytest.importorskip("pypinyin", reason="pypinyin is not installed (extra 'voices')")

from voice_sim.tts import kokoro
from voice_sim.tts.kokoro import KokoroEngine


@pytest.fixture(scope="module")
def folder() -> Path:
    try:
        return resolve_model("kokoro")
    except ModelMissing as missing:
        pytest.skip(str(missing).splitlines()[0])


@pytest.fixture(scope="module")
def engine(folder: Path) -> TTSEngine:
    return create_engine("kokoro", folder=folder)


def test_the_same_samples_whatever_was_said_before(engine: TTSEngine, folder: Path) -> None:
    first = engine.synthesize("Yes, speaking.", voice="jf_nezumi", rate=1.0)
    engine.synthesize("好的。", voice="jm_kumo", rate=1.2)
    fresh = create_engine("kokoro", folder=folder).synthesize("Yes, speaking.", voice="jf_nezumi", rate=1.0)
    assert first.sample_rate_hz == 24_000
    assert 0.6 < first.duration_s < 3.0
    np.testing.assert_array_equal(first.samples, fresh.samples)


def test_voices_differ_and_are_known_by_name(engine: TTSEngine, folder: Path) -> None:
    assert KokoroEngine(folder=folder).voices() == [
        "jf_alpha",
        "jf_gongitsune",
        "jf_nezumi",
        "jf_tebukuro",
        "jm_kumo",
    ]
    with pytest.raises(SynthesisError, match=r"no voice 'bob'; known: jf_alpha, .*jm_kumo"):
        engine.synthesize("Hello.", voice="bob", rate=1.0)
    with pytest.raises(SynthesisError, match="no voice 'bob'"):
        engine.identity("bob")
    for part in ("kokoro-v1.0.int8.onnx 6e742170", "voices_ja.npz fc663c0f", "pypinyin", "espeakng-loader"):
        assert part in engine.identity("jm_kumo")


def test_faster_when_asked_and_the_male_voice_is_lower(engine: TTSEngine) -> None:
    line = "你好，哪位？"
    slow = engine.synthesize(line, voice="jm_kumo", rate=0.8)
    fast = engine.synthesize(line, voice="jm_kumo", rate=1.6)
    assert 1.5 < slow.duration_s / fast.duration_s < 2.5
    woman = engine.synthesize(line, voice="jf_alpha", rate=1.0)
    assert _pitch_hz(slow.samples) < 0.75 * _pitch_hz(woman.samples)


def test_what_cannot_be_pronounced_is_refused(engine: TTSEngine) -> None:
    with pytest.raises(SynthesisError, match="nothing to pronounce in"):
        engine.synthesize("… — !", voice="jm_kumo", rate=1.0)


def test_long_texts_are_cut_where_a_speaker_would_breathe() -> None:
    sentence = "wˈʌn tˈu θɹˈi, fˈɔɹ fˈIv. "
    pieces = kokoro._split(sentence * 50)
    assert all(len(piece) <= kokoro.MAX_TOKENS and piece.endswith(".") for piece in pieces)
    assert " ".join(pieces) == (sentence * 50).strip()
    assert [len(piece) for piece in kokoro._split("a" * 1200)] == [500, 500, 200]
    words = kokoro._split("əbˈWt " * 200)
    assert " ".join(words).split() == ["əbˈWt"] * 200


def test_folders_that_hold_something_else_are_refused(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(SynthesisError, match=r"needs a folder with kokoro-v1\.0\.int8\.onnx"):
        create_engine("kokoro")
    broken = create_engine("kokoro", folder=tmp_path)
    with pytest.raises(SynthesisError, match=r"voices_ja\.npz cannot be read"):
        broken.synthesize("Hello.", voice="jm_kumo", rate=1.0)
    np.savez(tmp_path / "voices_ja.npz", jm_kumo=np.zeros((3, 4), np.float32))
    with pytest.raises(SynthesisError, match="does not hold voices of 510 styles"):
        broken.synthesize("Hello.", voice="jm_kumo", rate=1.0)
    np.savez(tmp_path / "voices_ja.npz", jm_kumo=np.zeros((510, 1, 256), np.float32))
    with pytest.raises(SynthesisError, match="no table of letters"):
        broken.synthesize("Hello.", voice="jm_kumo", rate=1.0)
    (tmp_path / "vocab.json").write_text(json.dumps({"vocab": {"h": 1}}))
    (tmp_path / "kokoro-v1.0.int8.onnx").write_bytes(b"no model")
    with pytest.raises(SynthesisError, match="cannot be loaded"):
        broken.synthesize("Hello.", voice="jm_kumo", rate=1.0)


def _pitch_hz(samples: np.ndarray) -> float:
    """Median pitch by autocorrelation over the loud 40 ms frames, 60-400 Hz, at 24 kHz."""
    frames = samples[: samples.size // 960 * 960].reshape(-1, 960).astype(np.float64)
    loud = frames[np.square(frames).mean(axis=1) > np.square(samples).mean()]
    lags = []
    for frame in loud:
        correlation = np.correlate(frame, frame, "full")[959:]
        lags.append(60 + int(np.argmax(correlation[60:400])))
    return 24_000 / float(np.median(lags))
