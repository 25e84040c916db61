"""The caller's voice: one engine, one voice of it, at one rate and one level."""

from __future__ import annotations

from dataclasses import dataclass

from voice_sim.cache import SynthesisCache, synthesis_key
from voice_sim.tts.base import TTSEngine
from voice_sim.utterance import Utterance, prepare_utterance


@dataclass(frozen=True, kw_only=True)
class Voice:
    """Says lines. The same line gives the same utterance, sample by sample.

    Attributes:
        engine: Who speaks.
        name: The engine's name of the voice.
        rate: Speed of speech, 1.0 = the voice's own.
        level_dbfs: Active speech level of every utterance.
        cache: Where synthesised speech is kept; None keeps nothing.
    """

    engine: TTSEngine
    name: str
    rate: float = 1.0
    level_dbfs: float = -23.0
    cache: SynthesisCache | None = None

    def speak(self, text: str) -> Utterance:
        """``text`` as an utterance that is ready to be sent.

        Raises:
            SynthesisError: The engine cannot say it.
            UtteranceError: What it said is silent, or too quiet at this level.
        """
        key = synthesis_key(
            engine=self.engine.name,
            identity=self.engine.identity(self.name),
            voice=self.name,
            rate=self.rate,
            text=text,
        )
        speech = self.cache.get(key) if self.cache is not None else None
        if speech is None:
            speech = self.engine.synthesize(text, voice=self.name, rate=self.rate)
            if self.cache is not None:
                self.cache.put(key, speech)
        return prepare_utterance(speech, level_dbfs=self.level_dbfs)
