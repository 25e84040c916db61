"""From a line of text to a clip that can be sent: voice, engine, cache, encoder.

Used before a call (``prepare``) and during one (``live_voice_worker``): both make the same
clip of the same text, bit for bit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.speaking.packet_cache import PacketCache
from harness.calls.voice.speaking.recorded_line import recorded_line
from harness.errors import UserError
from harness.models.resolve import resolve
from harness.models.voices import model_of
from harness.paths import cache_dir
from harness.plans.call import ConditionsPlan, VoicePlan
from harness.transports.clips.clip import Clip, prepare_clip
from harness.transports.codecs.base import Codec
from voice_sim.conditions.line import Line
from voice_sim.conditions.room import at_distance
from voice_sim.policies.script import LineSound
from voice_sim.registry import MissingExtraError, UnknownPartError
from voice_sim.tts import create_engine
from voice_sim.tts.base import SynthesisError, TTSEngine
from voice_sim.voice.cache import SynthesisCache
from voice_sim.voice.utterance import Utterance, UtteranceError
from voice_sim.voice.voice import Voice

CLEAR = ConditionsPlan()


class ClipMaker:
    """Speaks lines; keeps engines between them, so that a voice is loaded once.

    Raises (all methods): UserError that names the voice and what is wrong with it or with the text.
    """

    def __init__(self) -> None:
        self._engines: dict[tuple[str, str], TTSEngine] = {}
        self._cache = SynthesisCache(cache_dir() / "speech")
        self.encode = PacketCache(cache_dir() / "packets").encode

    def load(self, voice: VoicePlan) -> None:
        """Loads the voice's engine, or finds out that it is not to be had."""
        try:
            self._engine(voice)
        except (SynthesisError, UnknownPartError, MissingExtraError) as error:
            raise UserError(f"voice {voice.engine}/{voice.name}: {error}") from error

    def speak(
        self, voice: VoicePlan, text: str, *, conditions: ConditionsPlan = CLEAR, seed: int = 0
    ) -> Utterance:
        """The line as it is at the microphone: the voice at its distance, without noise or telephone line.

        Args:
            seed: Which room it is, where there is one to be heard.
        """
        try:
            spoken = Voice(
                engine=self._engine(voice),
                name=voice.name,
                rate=voice.rate,
                pitch=voice.pitch,
                level_dbfs=voice.level_dbfs,
                pause_s=voice.pause_s,
                cache=self._cache,
            )
            return _at_microphone(spoken.speak(text), voice, conditions, seed)
        except (SynthesisError, UtteranceError, UnknownPartError, MissingExtraError) as error:
            raise UserError(f"voice {voice.engine}/{voice.name}: {error}") from error

    def play(
        self, voice: VoicePlan, sound: LineSound, *, conditions: ConditionsPlan = CLEAR, seed: int = 0
    ) -> Utterance:
        """A recorded line as it is at the microphone; of the voice it has the level alone."""
        said = recorded_line(sound, level_dbfs=voice.level_dbfs)
        try:
            return _at_microphone(said, voice, conditions, seed)
        except UtteranceError as error:
            raise UserError(f"sound {sound.path}: {error}") from error

    def clip(
        self,
        voice: VoicePlan,
        text: str,
        *,
        codec: Codec,
        bed: NDArray[np.float32] | None,
        conditions: ConditionsPlan = CLEAR,
        seed: int = 0,
    ) -> Clip:
        """The line ready to be sent, over a noise bed where one is given."""
        utterance = self.speak(voice, text, conditions=conditions, seed=seed)
        return self.finish(utterance, codec=codec, bed=bed, conditions=conditions)

    def finish(
        self,
        utterance: Utterance,
        *,
        codec: Codec,
        bed: NDArray[np.float32] | None,
        conditions: ConditionsPlan = CLEAR,
    ) -> Clip:
        """What is done to every utterance of a call, whenever it was spoken.

        Args:
            codec: What the call is sent in.
            bed: The noise at the microphone, before the telephone line.
            conditions: What the line does to both.

        Raises:
            UserError: Nothing of it comes through the line.
        """
        line = line_of(conditions)
        try:
            return prepare_clip(codec, utterance.samples, bed=bed, line=line, encode=self.encode)
        except UtteranceError as error:
            raise UserError(str(error)) from error

    def versions(self, voice: VoicePlan) -> dict[str, str]:
        """What of the voice has a version, for the record of a call."""
        model = model_of(voice.engine, voice.name)
        return {} if model is None else {f"voice {voice.name}": resolve(model).digest}

    def _engine(self, voice: VoicePlan) -> TTSEngine:
        key = (voice.engine, voice.name)
        if key not in self._engines:
            model = model_of(*key)
            folder = None if model is None else resolve(model).path
            self._engines[key] = create_engine(voice.engine, folder=folder)
        return self._engines[key]


def _at_microphone(
    utterance: Utterance, voice: VoicePlan, conditions: ConditionsPlan, seed: int
) -> Utterance:
    if conditions.distance_m is None:
        return utterance
    return at_distance(utterance, distance_m=conditions.distance_m, level_dbfs=voice.level_dbfs, seed=seed)


def line_of(conditions: ConditionsPlan) -> Line:
    """The telephone line of a call."""
    return Line(telephone=conditions.telephone, gain_db=conditions.line_gain_db)
