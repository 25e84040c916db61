"""Who speaks for whom: a voice for a person, by language and gender, out of what is installed.

Two people with the same voice differ a little in pitch and pace, drawn from who they are, so that a hundred
and fifty people do not all sound like one; the same person always gets the same voice. Voices of the right
language and gender are taken first, then of the right language. The choice is among neural voices; espeak's
robotic one speaks only for those whom nobody else can speak for.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from voice_sim.person.persona import Persona

Gender = Literal["female", "male"]

PITCHES = (0.92, 0.95, 0.98, 1.0, 1.02, 1.05, 1.08)
RATES = (0.96, 0.98, 1.0, 1.02, 1.04)
PAUSE_S = {"fast": 0.35, "normal": 0.5, "slow": 0.7}
"""Length of an ellipsis by the person's pace."""


@dataclass(frozen=True, kw_only=True)
class CastableVoice:
    """A voice that may be chosen for a person.

    Attributes:
        engine, name: As :mod:`voice_sim.tts` knows it.
        gender: Of the speaker.
        languages: What it can speak.
        share: How often it is taken, beside others that fit as well.
        last: Taken only when nothing else can speak the language.
    """

    engine: str
    name: str
    gender: Gender
    languages: tuple[str, ...]
    share: int = 1
    last: bool = False


@dataclass(frozen=True, kw_only=True)
class Casting:
    """The voice of a person.

    Attributes:
        voice: Who speaks.
        pitch, rate: Factors on the voice's own.
        pause_s: How long an ellipsis is.
    """

    voice: CastableVoice
    pitch: float
    rate: float
    pause_s: float


CASTABLE = (
    # The only one without a foreign accent: of the English men, three of four.
    CastableVoice(engine="piper", name="joe", gender="male", languages=("en",), share=3),
    CastableVoice(engine="kokoro", name="jm_kumo", gender="male", languages=("en", "zh")),
    CastableVoice(engine="kokoro", name="jf_alpha", gender="female", languages=("en",)),
    CastableVoice(engine="kokoro", name="jf_gongitsune", gender="female", languages=("en", "zh")),
    CastableVoice(engine="kokoro", name="jf_nezumi", gender="female", languages=("en", "zh")),
    CastableVoice(engine="kokoro", name="jf_tebukuro", gender="female", languages=("en", "zh")),
    CastableVoice(engine="espeak", name="en-us+f3", gender="female", languages=("en",), last=True),
    CastableVoice(engine="espeak", name="en-us", gender="male", languages=("en",), last=True),
)
"""Of Mandarin are left out jf_alpha (a third of her characters is misrecognised) and espeak-ng (nearly all);
see docs/voices.md."""


def cast(persona: Persona, *, identity: str, available: Sequence[CastableVoice] = CASTABLE) -> Casting | None:
    """The voice of a person; None where no available voice speaks the language.

    Args:
        persona: Language, gender and pace.
        identity: Which person: the same identity is always given the same voice, for instance
            ``cs-bank-complaint/hesitant``.
        available: What is installed, in any order.
    """
    speaking = [voice for voice in available if persona.language in voice.languages]
    gender = persona.demographics.gender
    best = min((_unfitness(voice, gender) for voice in speaking), default=None)
    fitting = [voice for voice in speaking if _unfitness(voice, gender) == best]
    if not fitting:
        return None
    tickets = [
        voice
        for voice in sorted(fitting, key=lambda voice: (voice.engine, voice.name))
        for _ in range(voice.share)
    ]
    return Casting(
        voice=tickets[_drawn(identity, "voice") % len(tickets)],
        pitch=PITCHES[_drawn(identity, "pitch") % len(PITCHES)],
        rate=RATES[_drawn(identity, "rate") % len(RATES)],
        pause_s=PAUSE_S[persona.manner.pace],
    )


def _unfitness(voice: CastableVoice, gender: Gender | None) -> int:
    return 2 * voice.last + (gender is not None and voice.gender != gender)


def _drawn(identity: str, what: str) -> int:
    return zlib.crc32(f"{what}/{identity}".encode())
