"""The guards alone: which sounds can be speech, and which of Whisper's answers can be believed."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics.recognition.whisper.guards import invention_reason, silence_reason, word_silence_reason

RATE = 16_000


def white(level_dbfs: float, seconds: float) -> NDArray[np.float32]:
    noise = np.random.default_rng(3).normal(size=round(seconds * RATE))
    return (noise * 10 ** (level_dbfs / 20)).astype(np.float32)


def syllables(level_dbfs: float, seconds: float) -> NDArray[np.float32]:
    """A voice-like tone that swells and fades four times a second."""
    t = np.arange(round(seconds * RATE)) / RATE
    tone = np.sin(2 * np.pi * 150 * t) * np.sin(2 * np.pi * 2 * t) ** 2
    return (tone / np.sqrt(np.mean(tone**2)) * 10 ** (level_dbfs / 20)).astype(np.float32)


@pytest.mark.parametrize(
    ("clip", "reason"),
    [
        (np.zeros(RATE, dtype=np.float32), "silence"),
        (np.full(RATE, 0.3, dtype=np.float32), "silence"),  # DC is no sound
        (syllables(-75, 2.0), "silence"),
        (white(-50, 2.0), "steady"),
        (white(-20, 0.6), "steady"),
        (syllables(-23, 0.05), "shorter"),
        (np.zeros(0, dtype=np.float32), "shorter"),
    ],
)
def test_no_speech_can_be_in(clip: NDArray[np.float32], reason: str) -> None:
    assert reason in silence_reason(clip)


@pytest.mark.parametrize(
    "clip",
    [syllables(-23, 2.0), syllables(-50, 1.0), syllables(-23, 2.0) + white(-23, 2.0), syllables(-30, 0.15)],
)
def test_speech_may_be_in(clip: NDArray[np.float32]) -> None:
    assert silence_reason(clip) == ""


@pytest.mark.parametrize(
    ("no_speech", "log_probability", "compression_ratio", "reason"),
    [
        # As measured with the base model: see the thresholds.
        (0.74, -0.10, 23.6, "no-speech"),  # "I'm sorry, I'm sorry ..." on white noise
        (0.55, -1.28, 0.3, "no-speech"),  # "." on comfort noise
        (0.30, -1.30, 0.8, "log probability"),
        (0.10, -0.30, 11.4, "repeats itself"),
        (0.02, -0.25, 1.1, ""),  # a clear sentence
        (0.41, -0.47, 0.3, ""),  # "Yeah" in noise of the same level
        (0.15, -0.23, 2.4, ""),  # fifteen zeros, really spoken
        (0.57, -0.63, 0.2, ""),  # "25" at -3 dB SNR
    ],
)
def test_which_answers_are_believed(
    no_speech: float, log_probability: float, compression_ratio: float, reason: str
) -> None:
    found = invention_reason(
        no_speech=no_speech, log_probability=log_probability, compression_ratio=compression_ratio
    )
    assert reason in found
    assert bool(found) == bool(reason)


def test_a_word_needs_sound_within_a_tenth_of_a_second() -> None:
    clip = np.concatenate([syllables(-23, 1.0), np.zeros(RATE, dtype=np.float32)])
    assert word_silence_reason(clip, 0.2, 0.6) == ""
    assert word_silence_reason(clip, 1.05, 1.4) == ""
    assert "silence" in word_silence_reason(clip, 1.2, 1.6)
    assert "silence" in word_silence_reason(clip, 2.5, 2.6)
