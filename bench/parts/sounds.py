"""Sounds that are made anew: what a voice of ours says, and files at one level."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray
from scipy.signal import resample_poly

from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import VoicePlan

RATE = 16_000
SPOKEN_RATE = 48_000
Samples = NDArray[np.float64]


def spoken(maker: ClipMaker, voice: VoicePlan, text: str, *, rate: int = RATE) -> Samples:
    """What a voice says, at a rate that divides that of calls."""
    said = maker.speak(voice, text).samples.astype(np.float64)
    return np.asarray(resample_poly(said, 1, SPOKEN_RATE // rate))


def write_flac(folder: Path, name: str, samples: Samples, *, rate: int = RATE) -> None:
    """One channel of 16 bit, its highest peak at half of what there is."""
    level = 0.5 / float(np.max(np.abs(samples)))
    soundfile.write(folder / f"{name}.flac", samples * level, rate, subtype="PCM_16")
