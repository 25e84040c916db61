"""From a line of text to a clip that can be sent: voice, engine, cache, encoder.

Used before a call (``harness.build``) and during one (``harness.live_voice_worker``): both make the same
clip of the same text, bit for bit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from harness.errors import UserError
from harness.models import resolve
from harness.paths import cache_dir
from harness.plan import VoicePlan
from harness.uplink import Clip, prepare_clip
from voice_sim.cache import SynthesisCache
from voice_sim.registry import MissingExtraError, UnknownPartError
from voice_sim.tts import create_engine
from voice_sim.tts.base import SynthesisError, TTSEngine
from voice_sim.utterance import Utterance, UtteranceError
from voice_sim.voice import Voice

_ENGINE_MODELS = {"piper"}
"""Engines whose voices are models of ``harness.models``."""


class ClipMaker:
    """Speaks lines; keeps engines between them, so that a voice is loaded once.

    Raises (all methods): UserError that names the voice and what is wrong with it or with the text.
    """

    def __init__(self) -> None:
        self._engines: dict[tuple[str, str], TTSEngine] = {}
        self._cache = SynthesisCache(cache_dir() / "speech")

    def load(self, voice: VoicePlan) -> None:
        """Loads the voice's engine, or finds out that it is not to be had."""
        try:
            self._engine(voice)
        except (SynthesisError, UnknownPartError, MissingExtraError) as error:
            raise UserError(f"voice {voice.engine}/{voice.name}: {error}") from error

    def speak(self, voice: VoicePlan, text: str) -> Utterance:
        """The line as an utterance, without anything of the room or the line."""
        try:
            spoken = Voice(
                engine=self._engine(voice),
                name=voice.name,
                rate=voice.rate,
                level_dbfs=voice.level_dbfs,
                cache=self._cache,
            )
            return spoken.speak(text)
        except (SynthesisError, UtteranceError, UnknownPartError, MissingExtraError) as error:
            raise UserError(f"voice {voice.engine}/{voice.name}: {error}") from error

    def clip(self, voice: VoicePlan, text: str, *, bed: NDArray[np.float32] | None) -> Clip:
        """The line ready to be sent, over a noise bed where one is given."""
        return finish_clip(self.speak(voice, text), bed=bed)

    def versions(self, voice: VoicePlan) -> dict[str, str]:
        """What of the voice has a version, for the record of a call."""
        if voice.engine not in _ENGINE_MODELS:
            return {}
        return {f"voice {voice.name}": resolve(voice.name).digest}

    def _engine(self, voice: VoicePlan) -> TTSEngine:
        key = (voice.engine, voice.name)
        if key not in self._engines:
            folder = resolve(voice.name).path if voice.engine in _ENGINE_MODELS else None
            self._engines[key] = create_engine(voice.engine, folder=folder)
        return self._engines[key]


def finish_clip(utterance: Utterance, *, bed: NDArray[np.float32] | None) -> Clip:
    """What is done to every utterance of a call, whenever it was spoken."""
    return prepare_clip(utterance.samples, bed=bed)
