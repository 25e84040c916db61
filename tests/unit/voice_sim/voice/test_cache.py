"""The synthesis cache and the voice that uses it."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from voice_sim.tts.base import Speech
from voice_sim.voice.cache import SynthesisCache, synthesis_key
from voice_sim.voice.voice import Voice


def speech(value: float, samples: int = 1000) -> Speech:
    wave = value * np.sin(np.arange(samples) / 10.0)
    return Speech(samples=wave.astype(np.float32), sample_rate_hz=22_050)


class CountingEngine:
    """Says everything as the same sine, and counts how often it was asked to."""

    name = "counting"

    def __init__(self) -> None:
        self.version = "1"
        self.calls: list[tuple[str, str, float]] = []

    def identity(self, voice: str) -> str:
        return self.version

    def synthesize(self, text: str, *, voice: str, rate: float) -> Speech:
        self.calls.append((text, voice, rate))
        return speech(0.3, 22_050)


def test_what_comes_out_is_what_went_in_bit_for_bit(tmp_path: Path) -> None:
    cache = SynthesisCache(tmp_path / "new" / "folder")
    assert cache.get("a") is None
    cache.put("a", speech(1.0 / 3.0))
    found = cache.get("a")
    assert found is not None
    assert found.sample_rate_hz == 22_050
    assert found.samples.tobytes() == speech(1.0 / 3.0).samples.tobytes()
    assert cache.get("b") is None


def test_every_part_of_the_key_matters() -> None:
    base = {"engine": "piper", "identity": "1", "voice": "joe", "rate": 1.0, "text": "Hi"}
    changes = [{"engine": "x"}, {"identity": "2"}, {"voice": "ann"}, {"rate": 1.1}, {"text": "Ho"}]
    keys = {synthesis_key(**{**base, **change}) for change in [{}, *changes]}  # type: ignore[arg-type]
    assert len(keys) == 6


def test_the_longest_unused_entries_go_first(tmp_path: Path) -> None:
    cache = SynthesisCache(tmp_path, max_bytes=10_500)
    for age, key in enumerate(["old", "middle", "young"]):
        cache.put(key, speech(0.1, 600))
        (path,) = [file for file in tmp_path.iterdir() if file.stat().st_mtime > 1e6]
        os.utime(path, (age + 1, age + 1))
    assert cache.get("old") is not None  # being used makes it the youngest
    cache.put("new", speech(0.1, 600))
    assert cache.get("middle") is None
    assert all(cache.get(key) is not None for key in ("old", "young", "new"))
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 10_500


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 torn", b"\x93NUMPY garbage"])
def test_a_damaged_entry_counts_as_not_there_and_is_replaced(tmp_path: Path, damage: bytes) -> None:
    cache = SynthesisCache(tmp_path)
    cache.put("a", speech(0.1))
    (path,) = tmp_path.iterdir()
    path.write_bytes(damage)
    assert cache.get("a") is None
    cache.put("a", speech(0.2))
    found = cache.get("a")
    assert found is not None
    np.testing.assert_array_equal(found.samples, speech(0.2).samples)


def test_an_entry_with_foreign_objects_is_not_unpickled(tmp_path: Path) -> None:
    cache = SynthesisCache(tmp_path)
    cache.put("a", speech(0.1))
    (path,) = tmp_path.iterdir()
    np.savez(path, samples=np.array([{"not": "audio"}], dtype=object), sample_rate_hz=22_050)
    assert cache.get("a") is None


def test_nothing_is_left_behind_when_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full_disk(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(np, "savez", full_disk)
    cache = SynthesisCache(tmp_path)
    cache.put("a", speech(0.1))
    assert list(tmp_path.iterdir()) == []
    assert cache.get("a") is None


def test_a_voice_synthesises_a_line_once(tmp_path: Path) -> None:
    engine = CountingEngine()
    voice = Voice(engine=engine, name="v", rate=1.25, level_dbfs=-26.0, cache=SynthesisCache(tmp_path))
    first, second = voice.speak("Hello"), voice.speak("Hello")
    assert engine.calls == [("Hello", "v", 1.25)]
    assert first.pcm_sha256 == second.pcm_sha256
    assert first.level_dbfs == pytest.approx(-26.0, abs=0.02)
    engine.version = "2"
    voice.speak("Hello")
    assert len(engine.calls) == 2


def test_a_voice_works_without_a_cache() -> None:
    engine = CountingEngine()
    voice = Voice(engine=engine, name="v")
    assert voice.speak("Hello").pcm_sha256 == voice.speak("Hello").pcm_sha256
    assert len(engine.calls) == 2
