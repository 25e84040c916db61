"""The caller's voice: one engine, one voice of it, at one rate, pitch and level.

Ellipses inside a line (``…``, ``...``, ``……``) are pauses: the pieces between them are synthesised one by
one, trimmed, and joined with ``pause_s`` seconds of digital silence. At the beginning and end of a line they
are nothing, because an utterance is cut to its first and last voiced sample anyhow.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from voice_sim.tts.base import Speech, TTSEngine
from voice_sim.tts.joining import joined, trimmed
from voice_sim.voice.cache import SynthesisCache, synthesis_key
from voice_sim.voice.utterance import Utterance, prepare_utterance

DEFAULT_PAUSE_S = 0.5
PITCH_STEP_HZ = 50
"""Sample rates of shifted voices are multiples of this: resampling to 48 kHz then stays exact and quick."""
_PAUSE = re.compile(r"(?:…|\.{3,})+[.,，。]*")


@dataclass(frozen=True, kw_only=True)
class Voice:
    """Says lines. The same line gives the same utterance, sample by sample.

    Attributes:
        engine: Who speaks.
        name: The engine's name of the voice.
        rate: Speed of speech, 1.0 = the voice's own.
        pitch: Factor on pitch and formants together, as of a larger (below 1) or smaller person; the rate of
            speech stays. 0.9-1.1 makes another person of the same voice.
        level_dbfs: Active speech level of every utterance.
        pause_s: How long an ellipsis is.
        cache: Where synthesised speech is kept; None keeps nothing. Rate and text are part of its key; pitch,
            level and pauses are made of what it keeps.
    """

    engine: TTSEngine
    name: str
    rate: float = 1.0
    pitch: float = 1.0
    level_dbfs: float = -23.0
    pause_s: float = DEFAULT_PAUSE_S
    cache: SynthesisCache | None = None

    def speak(self, text: str) -> Utterance:
        """``text`` as an utterance that is ready to be sent.

        Raises:
            SynthesisError: The engine cannot say it.
            UtteranceError: What it said is silent, or too quiet at this level.
        """
        pieces = pieces_of(text)
        spoken = [self._synthesize(piece) for piece in pieces]
        if len(spoken) > 1:
            speech = joined([trimmed(piece) for piece in spoken], gap_s=self.pause_s * self.pitch)
        else:
            speech = spoken[0]
        return prepare_utterance(self._shifted(speech), level_dbfs=self.level_dbfs)

    def _synthesize(self, text: str) -> Speech:
        # Shifting down makes speech longer, so the engine speaks that much faster.
        rate = round(self.rate / self.pitch, 6)
        key = synthesis_key(
            engine=self.engine.name,
            identity=self.engine.identity(self.name),
            voice=self.name,
            rate=rate,
            text=text,
        )
        speech = self.cache.get(key) if self.cache is not None else None
        if speech is None:
            speech = self.engine.synthesize(text, voice=self.name, rate=rate)
            if self.cache is not None:
                self.cache.put(key, speech)
        return speech

    def _shifted(self, speech: Speech) -> Speech:
        if self.pitch == 1.0:
            return speech
        rate_hz = round(speech.sample_rate_hz * self.pitch / PITCH_STEP_HZ) * PITCH_STEP_HZ
        return Speech(samples=speech.samples, sample_rate_hz=rate_hz)


def pieces_of(text: str) -> list[str]:
    """What is spoken between the pauses of a line; at least one piece.

    A piece without a letter or digit (the question mark behind an ellipsis) belongs to the one before it.
    """
    pieces: list[str] = []
    for part in _PAUSE.split(text):
        piece = part.strip()
        if any(character.isalnum() for character in piece):
            pieces.append(piece)
        elif piece and pieces:
            pieces[-1] += piece
    # Nothing but punctuation: the engine says what is wrong with it.
    return pieces or [text]
