"""Signals for tests of speech detection that are counted by hand, and detectors that hear what they are told.

Signals alternate between +level and -level from sample to sample: no mean, every sample at full level. What
the trained detectors hear is put in where it is not what is asked about.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics import speech
from metrics.spans import Span
from metrics.speech import SpeechActivity, detect_speech

RATE = 48_000
MS = 48
"""Samples of a millisecond."""
Samples = NDArray[np.float32]


def square(count: int, level: float = 0.1) -> Samples:
    return (level * (1 - 2 * (np.arange(count) % 2))).astype(np.float32)


def silence(count: int) -> Samples:
    return np.zeros(count, np.float32)


def cosine(freq_hz: float, length: int, level: float = 0.1) -> Samples:
    return (level * np.cos(2 * np.pi * freq_hz * np.arange(length) / RATE)).astype(np.float32)


def sounds(*parts: tuple[int, int], total: int = 3 * RATE, level: float = 0.1) -> Samples:
    """Sounds as (first sample, how many) in silence."""
    audio = silence(total)
    for first, count in parts:
        audio[first : first + count] = square(count, level)
    return audio


def in_samples(spans: Sequence[Span]) -> list[tuple[int, int]]:
    return [(round(span.start_s * RATE), round(span.end_s * RATE)) for span in spans]


def as_tones(audio: Samples, **options: object) -> SpeechActivity:
    """What is heard where energy alone decides."""
    return detect_speech(audio, RATE, marker_tones=True, **options)  # type: ignore[arg-type]


def hears(patch: pytest.MonkeyPatch, *spans: tuple[float, float]) -> None:
    """What Silero is to hear, in seconds."""
    heard = [Span(start_s=start, end_s=end) for start, end in spans]
    patch.setattr(speech, "silero_spans", lambda audio: list(heard))


def webrtcvad_hears(patch: pytest.MonkeyPatch, *spans: tuple[float, float]) -> None:
    heard = [Span(start_s=start, end_s=end) for start, end in spans]
    patch.setattr(speech, "webrtcvad_spans", lambda audio: list(heard))
