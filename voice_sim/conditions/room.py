"""How a voice sounds from some distance in a room: its direct sound, and the room's own behind it.

The room is a model, not a recording: a living room or small office of 50 m³ that takes 0.5 s to fall silent
(reverberation time, 60 dB). Its sound is diffuse: Gaussian noise that decays exponentially, begins 4 ms after
the direct sound, and is darker than it (low-pass of first order at 5 kHz: furniture and air). Direct sound
falls by 6 dB with each doubling of the distance while the room's stays, so that their ratio is

    20 log10(critical distance / distance) dB,   critical distance = 0.057 sqrt(Q V / T60) = 0.81 m

(Kuttruff, Room Acoustics; Q = 2 for a mouth). What is left out: single early reflections, the room's
resonances, the mouth's direction. The delay of the sound's travel (3 ms a metre) is counted out, because it
is no part of anybody's reaction time; the level is set afterwards, as a telephone's own gain control does.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.signal import fftconvolve, lfilter

from voice_sim.tts.base import Speech
from voice_sim.voice.utterance import Utterance, prepare_utterance

Samples = NDArray[np.float32]

VOLUME_M3 = 50.0
REVERBERATION_S = 0.5
MOUTH_DIRECTIVITY = 2.0
FIRST_REFLECTION_S = 0.004
TAIL_LOW_PASS_HZ = 5000.0
MIN_DISTANCE_M, MAX_DISTANCE_M = 0.1, 10.0
CRITICAL_DISTANCE_M = 0.057 * math.sqrt(MOUTH_DIRECTIVITY * VOLUME_M3 / REVERBERATION_S)


def at_distance(utterance: Utterance, *, distance_m: float, level_dbfs: float, seed: int) -> Utterance:
    """The utterance as a microphone at some distance picks it up, trimmed and at its level again.

    Its last voiced sample is where the room's sound falls below the threshold of ``utterance``:
    that, not the end of the direct sound, is what is sent and what anybody can hear.

    Args:
        utterance: Spoken close to the microphone.
        distance_m: Mouth to microphone, 0.1-10.
        level_dbfs: Active speech level of the result.
        seed: Which room of its kind.

    Raises:
        ValueError: A distance outside 0.1-10 m.
    """
    response = room_response(distance_m, seed=seed, sample_rate_hz=utterance.sample_rate_hz)
    heard = fftconvolve(utterance.samples.astype(np.float64), response.astype(np.float64))
    return prepare_utterance(
        Speech(samples=heard.astype(np.float32), sample_rate_hz=utterance.sample_rate_hz),
        level_dbfs=level_dbfs,
        sample_rate_hz=utterance.sample_rate_hz,
    )


@lru_cache(maxsize=8)
def room_response(distance_m: float, *, seed: int, sample_rate_hz: int) -> Samples:
    """Impulse response of the room: the direct sound is 1.0 at sample 0.

    Raises:
        ValueError: A distance outside 0.1-10 m.
    """
    if not MIN_DISTANCE_M <= distance_m <= MAX_DISTANCE_M:
        raise ValueError(f"a distance of {distance_m} m is outside {MIN_DISTANCE_M}-{MAX_DISTANCE_M} m")
    count = round(1.2 * REVERBERATION_S * sample_rate_hz)
    time_s = np.arange(count) / sample_rate_hz
    noise = np.random.default_rng(seed).standard_normal(count)
    pole = math.exp(-2.0 * math.pi * TAIL_LOW_PASS_HZ / sample_rate_hz)
    tail = lfilter([1.0 - pole], [1.0, -pole], noise) * 10.0 ** (-3.0 * time_s / REVERBERATION_S)
    tail[: round(FIRST_REFLECTION_S * sample_rate_hz)] = 0.0
    tail *= distance_m / CRITICAL_DISTANCE_M / math.sqrt(float(np.sum(np.square(tail))))
    tail[0] = 1.0
    tail.setflags(write=False)
    response: Samples = tail.astype(np.float32)
    return response
