"""What Whisper makes of an agent's lines, spoken by Piper and carried by a codec."""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np

from harness.models.resolve import resolve
from harness.transports.codecs.base import Samples
from harness.transports.codecs.table import codec_named
from metrics.resample import resampled, to_speech_rate
from metrics.transcript import Transcriber
from voice_sim.tts import create_engine
from voice_sim.tts.base import TTSEngine

VOICE = "joe"
RATE_HZ = 48_000
BESIDE_S = 0.3
"""Silence before and behind a line."""


@lru_cache(maxsize=1)
def _engine() -> TTSEngine:
    return create_engine("piper", folder=resolve(VOICE).path)


@lru_cache(maxsize=1)
def _whisper() -> Transcriber:
    return Transcriber(resolve("whisper-base").path)


@lru_cache(maxsize=4096)
def spoken(text: str) -> Samples:
    """A line at 48 kHz."""
    speech = _engine().synthesize(text, voice=VOICE, rate=1.0)
    quiet = np.zeros(round(BESIDE_S * RATE_HZ), np.float32)
    return np.concatenate([quiet, resampled(speech.samples, speech.sample_rate_hz, RATE_HZ), quiet])


def carried(sound: Samples, codec_name: str) -> Samples:
    """The sound as the other side of a line hears it."""
    codec = codec_named(codec_name)
    padded = np.concatenate([sound, np.zeros(codec.delay_samples + codec.frame_samples, np.float32)])
    return codec.decode(codec.encode(padded))[codec.delay_samples :][: len(sound)]


def heard(text: str, codec_name: str, *, hot_words: tuple[str, ...] = ()) -> str:
    """What Whisper writes of a line that was carried by a codec.

    Args:
        hot_words: Words that it is told to expect.
    """
    whisper = _whisper()
    sound = to_speech_rate(carried(spoken(text), codec_name), RATE_HZ)
    original = whisper._model.transcribe
    if hot_words:
        whisper._model.transcribe = partial(original, hotwords=", ".join(hot_words))
    try:
        return whisper.transcribe(sound, "en").text
    finally:
        whisper._model.transcribe = original
