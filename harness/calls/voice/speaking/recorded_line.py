"""A line that is a recording of somebody: cut to its speech, brought to the caller's level.

Where speech begins and ends in it is told by the detectors that measure the agent (:mod:`metrics.speech`), so
that noise around the words counts neither as the caller's speech nor as the agent's latency. Noise between
the words is said with them.
"""

from __future__ import annotations

import io

import numpy as np
import soundfile
from numpy.typing import NDArray

from harness.errors import UserError
from harness.plans.sounds.of_lines import sound_bytes
from harness.records.call import SAMPLE_RATE_HZ
from metrics.resample import resampled
from metrics.speech import detect_speech
from spoken_language.outside_text import one_line
from voice_sim.policies.script import LineSound
from voice_sim.tts.base import Speech
from voice_sim.voice.utterance import Utterance, UtteranceError, prepare_utterance

MAX_LINE_S = 60.0
RATES_HZ = (8_000, 192_000)


def recorded_line(sound: LineSound, *, level_dbfs: float) -> Utterance:
    """The recording as an utterance that is ready to be sent.

    Args:
        level_dbfs: Active speech level that it is brought to, as every line of the caller; a sound may say
            by how much it is louder.

    Raises:
        UserError: It cannot be read, has more than one channel, is too long, or holds no speech.
    """
    samples = _samples(sound)
    if not sound.trimmed:
        activity = detect_speech(samples, SAMPLE_RATE_HZ, marker_tones=False)
        if not activity.talks:
            raise UserError(f"sound {sound.path}: no speech is heard in it")
        first = round(activity.talks[0].span.start_s * SAMPLE_RATE_HZ)
        last = round(activity.talks[-1].span.end_s * SAMPLE_RATE_HZ)
        samples = np.ascontiguousarray(samples[first : last + 1])
    speech = Speech(samples=samples, sample_rate_hz=SAMPLE_RATE_HZ)
    try:
        return prepare_utterance(speech, level_dbfs=level_dbfs + sound.level_db)
    except UtteranceError as error:
        raise UserError(f"sound {sound.path}: {error}") from error


def _samples(sound: LineSound) -> NDArray[np.float32]:
    content = sound_bytes(sound)
    try:
        with soundfile.SoundFile(io.BytesIO(content)) as file:
            rate, channels, length_s = file.samplerate, file.channels, file.frames / max(1, file.samplerate)
            if channels != 1:
                raise UserError(f"sound {sound.path}: {channels} channels; a line has one, the caller's")
            if not RATES_HZ[0] <= rate <= RATES_HZ[1]:
                raise UserError(
                    f"sound {sound.path}: {rate} Hz is no speech ({RATES_HZ[0]} to {RATES_HZ[1]})"
                )
            if length_s > MAX_LINE_S:
                raise UserError(
                    f"sound {sound.path}: {length_s:.0f} s; a line has {MAX_LINE_S:.0f} s at most"
                )
            audio = file.read(round(MAX_LINE_S * rate), dtype="float32")
    except soundfile.LibsndfileError as error:
        why = one_line(error.error_string, most=200)
        raise UserError(f"sound {sound.path}: not a sound file that can be read: {why}") from error
    if not len(audio) or not np.all(np.isfinite(audio)):
        raise UserError(f"sound {sound.path}: holds no sound, or values that are no numbers")
    return resampled(np.asarray(audio, np.float32), rate, SAMPLE_RATE_HZ)
