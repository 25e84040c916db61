"""Natural speech for tests that need some: the clips that come along, ready to be sent."""

from __future__ import annotations

import functools

import numpy as np
import soundfile
from numpy.typing import NDArray

from fixtures import SPEECH_FOLDER
from voice_sim.tts.base import Speech
from voice_sim.voice.utterance import prepare_utterance

CLIPS = tuple(sorted(path.stem for path in SPEECH_FOLDER.glob("*.flac") if path.stem != "mm"))
RATE = 48_000


@functools.cache
def clip(name: str) -> NDArray[np.float32]:
    """A clip at 48 kHz and -23 dBFS, from its first to its last voiced sample."""
    samples, rate = soundfile.read(SPEECH_FOLDER / f"{name}.flac", dtype="float32")
    return prepare_utterance(Speech(samples=samples, sample_rate_hz=rate), level_dbfs=-23.0).samples


def placed_at(clip_samples: NDArray[np.float32], at_s: float, *, total_s: float) -> NDArray[np.float32]:
    """Silence of ``total_s`` with the clip's first sample at ``at_s``."""
    audio = np.zeros(round(total_s * RATE), np.float32)
    start = round(at_s * RATE)
    audio[start : start + len(clip_samples)] = clip_samples
    return audio
