"""Real speech for tests that listen: spoken by Piper, at 16 kHz."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics.resample import to_speech_rate

Speak = Callable[[str], NDArray[np.float32]]


@pytest.fixture(scope="session")
def speak(joe_folder: Path) -> Speak:
    """From a text to its speech: mono, 16 kHz, -23 dBFS (RMS), without silence before and after.

    Without the voice's own noise, which nothing can seed: with it "No." was heard as "Now." on a bad day.
    """
    piper = pytest.importorskip("piper", reason="piper-tts is not installed (extra 'local')")
    voice = piper.PiperVoice.load(joe_folder / "joe.onnx")
    plain = piper.SynthesisConfig(noise_scale=0.0, noise_w_scale=0.0)
    spoken: dict[str, NDArray[np.float32]] = {}

    def speak(text: str) -> NDArray[np.float32]:
        if text not in spoken:
            chunks = list(voice.synthesize(text, syn_config=plain))
            raw = np.concatenate([chunk.audio_float_array for chunk in chunks]).astype(np.float32)
            audio = to_speech_rate(raw, chunks[0].sample_rate)
            voiced = np.flatnonzero(np.abs(audio) > 0.01 * np.abs(audio).max())
            audio = audio[voiced[0] : voiced[-1] + 1]
            spoken[text] = (audio / np.sqrt(np.mean(audio**2)) * 10 ** (-23 / 20)).astype(np.float32)
        return spoken[text]

    return speak
