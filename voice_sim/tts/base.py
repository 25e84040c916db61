"""The port between the simulated caller and any engine that turns text into speech."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

MAX_TEXT_CHARS = 5000
MAX_SPEECH_S = 600.0


class SynthesisError(RuntimeError):
    """The engine could not speak the text; the message says which engine, which text and why."""


@dataclass(frozen=True, kw_only=True)
class Speech:
    """What an engine produced, untouched.

    Attributes:
        samples: float32, mono, nominally within -1..1.
        sample_rate_hz: The engine's own rate.
    """

    samples: NDArray[np.float32]
    sample_rate_hz: int

    def __post_init__(self) -> None:
        if self.samples.ndim != 1 or self.samples.dtype != np.float32:
            raise ValueError(f"speech is mono float32, not {self.samples.dtype} {self.samples.shape}")
        if not 8_000 <= self.sample_rate_hz <= 192_000:
            raise ValueError(f"a sample rate of {self.sample_rate_hz} Hz is not speech")
        if self.samples.size > MAX_SPEECH_S * self.sample_rate_hz:
            raise ValueError(f"speech of more than {MAX_SPEECH_S:.0f} s")
        if not np.all(np.isfinite(self.samples)):
            raise ValueError("speech has samples that are not finite")

    @property
    def duration_s(self) -> float:
        return self.samples.size / self.sample_rate_hz


class TTSEngine(Protocol):
    """A speech engine. The same text, voice and rate must give the same samples, bit for bit."""

    @property
    def name(self) -> str:
        """As in the table of engines."""
        ...

    def identity(self, voice: str) -> str:
        """Everything but text and rate that decides the samples: versions, model checksum, settings.

        Part of the synthesis cache's key, so it must change whenever the sound may change.

        Raises:
            SynthesisError: The engine has no such voice.
        """
        ...

    def synthesize(self, text: str, *, voice: str, rate: float) -> Speech:
        """Speaks ``text``.

        Args:
            text: What to say; must not be blank.
            voice: The engine's name of a voice.
            rate: Speed of speech, 1.0 = the voice's own, 2.0 = twice as fast.

        Raises:
            SynthesisError: No such voice, nothing to say, or the engine failed.
        """
        ...


@runtime_checkable
class OpensFirst(Protocol):
    """An engine that can tell what it lacks (a provider's key, mostly) before it says anything."""

    def check_opens(self, voice: str) -> None:
        """Opens what speaks, and closes it.

        Raises:
            SynthesisError: It does not open; the message says why.
        """
        ...


def checked_text(text: str, *, engine: str) -> str:
    """``text`` with its white space collapsed.

    Raises:
        SynthesisError: It is blank, too long, or has control characters.
    """
    words = " ".join(text.split())
    if not words:
        raise SynthesisError(f"{engine}: there is no text to speak")
    if len(words) > MAX_TEXT_CHARS:
        raise SynthesisError(f"{engine}: text of {len(words)} characters; at most {MAX_TEXT_CHARS}")
    if not words.isprintable():
        raise SynthesisError(f"{engine}: the text has control characters: {words[:60]!r}")
    return words


def checked_rate(rate: float, *, engine: str) -> float:
    """``rate``, if an engine can be asked for it.

    Raises:
        SynthesisError: It is outside 0.25-4.
    """
    if not 0.25 <= rate <= 4.0:
        raise SynthesisError(f"{engine}: a rate of {rate} is outside 0.25-4")
    return rate
