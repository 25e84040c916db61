"""Noise from a folder of the user's own recordings: any rate, any number of channels.

Every file is brought to the same rate and the same RMS level, so that a loud one does not drown the others.
The files follow each other in an order drawn from the seed, joined by crossfades of equal power, until the
loop is full; where the recordings are shorter than the loop they come again. The SNR is that of the whole
loop.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray
from scipy.signal import resample_poly

from voice_sim.conditions.noise import NoiseError, Samples, unit_rms

SUFFIXES = frozenset({".wav", ".flac", ".ogg", ".mp3", ".aif", ".aiff", ".au"})
MAX_FILES = 200
MAX_FILE_S = 60.0
"""Of each file, from its beginning; what is behind is not read."""
MAX_TOTAL_S = 600.0
MIN_FILE_S = 0.5
CROSSFADE_S = 0.1


def read_folder(folder: Path, *, sample_rate_hz: int = 48_000) -> list[Samples]:
    """The recordings of a folder (not of folders in it), mono, in the order of their names.

    Raises:
        NoiseError: No folder, no recording in it, too many, or one that cannot be used; the message names it.
    """
    if not folder.is_dir():
        raise NoiseError(f"{folder} is no folder")
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file())
    if not paths:
        raise NoiseError(f"{folder} holds no recording; known: {', '.join(sorted(SUFFIXES))}")
    if len(paths) > MAX_FILES:
        raise NoiseError(f"{folder} holds {len(paths)} recordings; at most {MAX_FILES}")
    clips: list[Samples] = []
    total_s = 0.0
    for path in paths:
        clip = _read(path, sample_rate_hz=sample_rate_hz)
        clips.append(clip)
        total_s += clip.size / sample_rate_hz
        if total_s >= MAX_TOTAL_S:
            break
    return clips


def recorded(samples: int, *, seed: int, speech: Sequence[Samples], sample_rate_hz: int) -> Samples:
    """The given recordings as one loop; see the module's docstring. ``speech`` are the recordings.

    Raises:
        NoiseError: No recordings.
    """
    if not speech:
        raise NoiseError("noise of kind 'folder' needs recordings: give 'path:', a folder of them")
    random = np.random.default_rng(seed)
    fade = min(round(CROSSFADE_S * sample_rate_hz), samples // 4, *(clip.size // 4 for clip in speech))
    rising = np.sin(np.linspace(0.0, math.pi / 2.0, fade))
    loop = np.zeros(samples)
    filled = 0
    while filled < samples:
        for index in random.permutation(len(speech)):
            clip = unit_rms(speech[index].astype(np.float64)).astype(np.float64)
            # What crosses the loop's end fades out over its beginning, where the first one fades in.
            part = clip[: samples - filled + fade]
            part[:fade] *= rising
            part[part.size - fade :] *= rising[::-1]
            np.add.at(loop, np.arange(filled, filled + part.size) % samples, part)
            filled += part.size - fade
            if filled >= samples:
                break
    return unit_rms(loop)


def _read(path: Path, *, sample_rate_hz: int) -> Samples:
    try:
        with soundfile.SoundFile(path) as file:
            rate_hz = file.samplerate
            if not 4_000 <= rate_hz <= 192_000:
                raise NoiseError(f"{path}: a sample rate of {rate_hz} Hz is not sound for the ear")
            wide = file.read(round(MAX_FILE_S * rate_hz), dtype="float32", always_2d=True)
    except (OSError, RuntimeError) as error:
        raise NoiseError(f"{path}: cannot be read as sound: {error}") from error
    mono: NDArray[np.float64] = wide.mean(axis=1, dtype=np.float64)
    if mono.size < MIN_FILE_S * rate_hz:
        raise NoiseError(f"{path}: shorter than {MIN_FILE_S} s")
    if not np.all(np.isfinite(mono)):
        raise NoiseError(f"{path}: has samples that are not finite")
    mono -= mono.mean()
    if not np.any(np.abs(mono) > 1e-5):
        raise NoiseError(f"{path}: is silent")
    common = math.gcd(sample_rate_hz, rate_hz)
    clip: Samples = resample_poly(mono, sample_rate_hz // common, rate_hz // common).astype(np.float32)
    return clip
