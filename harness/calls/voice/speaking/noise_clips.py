"""What a kind of noise is made from: a folder's recordings, people in the background, the caller's lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.speaking.babble_voices import babble_clips
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.errors import UserError
from harness.models.voices import installed_voices
from harness.plans.call import NoisePlan, VoicePlan
from harness.records.call import SAMPLE_RATE_HZ
from voice_sim.conditions.noise import NoiseError
from voice_sim.conditions.recordings import read_folder
from voice_sim.voice.utterance import Utterance


def noise_recordings(folder: Path) -> list[NDArray[np.float32]]:
    """The recordings of a folder, at 48 kHz.

    Raises:
        UserError: It has none that can be used.
    """
    try:
        return read_folder(folder, sample_rate_hz=SAMPLE_RATE_HZ)
    except NoiseError as error:
        raise UserError(f"conditions.noise.path: {error}") from error


def noise_clips(
    noise: NoisePlan, said: Sequence[Utterance], *, maker: ClipMaker, caller: VoicePlan, language: str
) -> list[NDArray[np.float32]]:
    """The clips, at 48 kHz.

    Args:
        said: The caller's lines.
        maker: Speaks for people in the background.

    Raises:
        UserError: The folder has no recordings that can be used, or a voice does not speak.
    """
    if noise.path is not None:
        return noise_recordings(noise.path)
    if noise.kind == "babble":
        return babble_clips(maker, caller, language=language, voices=installed_voices())
    return [one.samples for one in said]
