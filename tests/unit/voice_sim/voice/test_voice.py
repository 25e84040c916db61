"""A voice says lines: with pauses where ellipses are, at its pitch, and what it said once from the cache."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from voice_sim.tts.base import Speech
from voice_sim.tts.joining import joined, trimmed
from voice_sim.voice.cache import SynthesisCache
from voice_sim.voice.voice import Voice, pieces_of

RATE_HZ = 24_000
PAD_S = 0.2


class Beeper:
    """Says every text as 0.1 s of 500 Hz a letter, silence of 0.2 s before and behind it; counts its work."""

    name = "beeper"

    def __init__(self) -> None:
        self.said: list[tuple[str, str, float]] = []

    def identity(self, voice: str) -> str:
        return f"1, {voice}"

    def synthesize(self, text: str, *, voice: str, rate: float) -> Speech:
        self.said.append((text, voice, rate))
        letters = sum(character.isalnum() for character in text)
        t = np.arange(round(letters * 0.1 / rate * RATE_HZ)) / RATE_HZ
        sound = 0.3 * np.cos(2 * np.pi * 500 * t)
        return Speech(
            samples=np.pad(sound, round(PAD_S * RATE_HZ)).astype(np.float32), sample_rate_hz=RATE_HZ
        )


@pytest.mark.parametrize(
    ("line", "pieces"),
    [
        ("Well… I don't know.", ["Well", "I don't know."]),
        ("Well... no.", ["Well", "no."]),
        ("我……我不知道。", ["我", "我不知道。"]),
        ("…Hello…", ["Hello"]),
        ("And then…? Right.", ["And then", "? Right."]),
        ("Really…?", ["Really?"]),
        ("One… two… three.", ["One", "two", "three."]),
        ("It is 3.50. Fine.", ["It is 3.50. Fine."]),
        ("…", ["…"]),
    ],
)
def test_ellipses_divide_a_line(line: str, pieces: list[str]) -> None:
    assert pieces_of(line) == pieces


def silences_s(samples: np.ndarray) -> list[float]:
    """Lengths of the silences of more than 20 ms, at 48 kHz."""
    quiet = np.abs(samples) < 1e-3
    edges = np.flatnonzero(np.diff(np.concatenate([[False], quiet, [False]]).astype(int)))
    lengths = (edges[1::2] - edges[::2]) / 48_000
    return [float(length) for length in lengths if length > 0.02]


@pytest.mark.parametrize(("pause_s", "pitch"), [(0.35, 1.0), (0.7, 1.0), (0.5, 0.92), (0.5, 1.08)])
def test_a_pause_is_as_long_as_it_is_said_to_be(pause_s: float, pitch: float) -> None:
    voice = Voice(engine=Beeper(), name="a", pause_s=pause_s, pitch=pitch)
    utterance = voice.speak("…four… five… six…")
    assert silences_s(utterance.samples) == [pytest.approx(pause_s, abs=0.004)] * 2
    assert utterance.duration_s == pytest.approx(1.1 + 2 * pause_s, abs=0.01)
    assert utterance.first_voiced == 0
    assert abs(utterance.samples[0]) > 0.005
    assert abs(utterance.samples[-1]) > 0.005


def test_a_line_without_a_pause_is_spoken_as_it_stands() -> None:
    engine = Beeper()
    Voice(engine=engine, name="a").speak("One. Two. Three!")
    assert engine.said == [("One. Two. Three!", "a", 1.0)]


@pytest.mark.parametrize("pitch", [0.92, 1.08])
def test_another_pitch_is_no_other_pace(pitch: float) -> None:
    plain = Voice(engine=Beeper(), name="a").speak("fourfour")
    shifted = Voice(engine=Beeper(), name="a", pitch=pitch).speak("fourfour")
    assert shifted.duration_s == pytest.approx(plain.duration_s, abs=0.003)
    spectrum = np.abs(np.fft.rfft(shifted.samples * np.hanning(shifted.samples.size)))
    peak_hz = float(np.argmax(spectrum)) * 48_000 / shifted.samples.size
    assert peak_hz == pytest.approx(500 * pitch, abs=3)


def test_what_was_said_once_is_kept_and_everything_that_changes_it_is_in_the_key(tmp_path: Path) -> None:
    engine, cache = Beeper(), SynthesisCache(tmp_path)

    def say(
        text: str, *, name: str = "a", rate: float = 1.0, pitch: float = 1.0, level: float = -23.0
    ) -> bytes:
        voice = Voice(engine=engine, name=name, rate=rate, pitch=pitch, level_dbfs=level, cache=cache)
        return voice.speak(text).samples.tobytes()

    first = say("yes… no")
    assert say("yes… no") == first
    assert len(engine.said) == 2
    say("yes")
    say("yes", level=-30.0)
    assert len(engine.said) == 2  # the piece was said before, the level is set afterwards
    say("yes", name="b")
    say("yes", rate=1.1)
    say("yes", pitch=1.05)
    say("yes!")
    assert len(engine.said) == 6


def test_pieces_are_trimmed_and_joined_exactly() -> None:
    sound = np.pad(np.full(100, 0.5, np.float32), (30, 50))
    piece = trimmed(Speech(samples=sound, sample_rate_hz=8000))
    assert piece.samples.size == 100
    both = joined([piece, piece], gap_s=0.01)
    assert both.samples.size == 280
    assert not np.any(both.samples[100:180])
    silent = Speech(samples=np.zeros(10, np.float32), sample_rate_hz=8000)
    assert trimmed(silent) is silent
    with pytest.raises(ValueError, match="2 sample rates"):
        joined([piece, Speech(samples=sound, sample_rate_hz=16_000)], gap_s=0.1)
