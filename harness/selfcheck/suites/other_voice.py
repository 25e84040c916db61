"""A suite of the form ``other_voice`` looked at as an instrument: is the other as loud as it says, and are
its words heard?

Each other voice is laid under a request of its language, as in a call, and measured there: the active level
of the caller's line over that of what was added to it. Its words are listened for in it alone, by our own
recogniser: an agent can take up no word that is not there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from harness.analysis.instruments import Instruments
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.calls.voice.speaking.recorded_line import recorded_line
from harness.calls.voice.speaking.two_voices import with_other_voice
from harness.plans.probes.other_voice import UNDER_AFTER_S, Other, OtherVoiceSuite, Request
from harness.plans.probes.suite import Language
from harness.records.call import SAMPLE_RATE_HZ
from metrics.recognition.normalize import normalize
from metrics.recognition.proper_nouns import find_entity
from metrics.resample import to_speech_rate
from metrics.spans import Span
from voice_sim.conditions.level import active_level_dbfs
from voice_sim.policies.script import LineSound
from voice_sim.voice.utterance import Utterance

WITHIN_DB = 1.0
PAD_S = 0.5


@dataclass(frozen=True, kw_only=True)
class OtherCheck:
    """One other voice.

    Attributes:
        off_db: How far the measured ratio is from the wanted one, where that is most.
        kept: Share of it that is heard under the shortest request of its language.
        heard: What the recogniser wrote; None: it was not asked.
        words: Its words that tell it apart, and that were heard.
    """

    other: str
    language: Language
    off_db: float
    kept: float
    heard: str | None
    words: tuple[str, ...]
    problem: str = ""

    def document(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class OtherVoicesChecked:
    """A suite listened to.

    Attributes:
        problems: Requests that no agent could take up, each with its id and why.
        notes: What could not be checked.
    """

    others: list[OtherCheck]
    problems: list[str]
    notes: list[str]

    @property
    def usable(self) -> bool:
        return not self.problems and not any(one.problem for one in self.others)


def check_other_voices(suite: OtherVoiceSuite) -> OtherVoicesChecked:
    """Every other voice and every request of a suite.

    Raises:
        UserError: A sound or a voice cannot be had.
    """
    instruments = Instruments()
    maker = ClipMaker()
    requests: dict[Language, list[Utterance]] = {}
    for language, voice in suite.callers.items():
        own = [one for one in suite.requests if one.language == language]
        requests[language] = [maker.speak(voice, one.say) for one in own if _is_under(one)] or [
            maker.speak(voice, one.say) for one in own[:1]
        ]
    found = [_checked(one, suite, requests[one.language], instruments) for one in suite.others]
    problems = [
        f"{one.id}: '{one.entity}' is not found in its own request: it can never be taken up"
        for one in suite.requests
        if not find_entity(one.entity, one.say, kind=one.kind, language=one.language).right
    ]
    notes = []
    if instruments.why_no_whisper:
        notes.append(f"words were not listened for: {instruments.why_no_whisper}")
    return OtherVoicesChecked(others=found, problems=problems, notes=notes)


def _is_under(request: Request) -> bool:
    return request.place == "under_request"


def _checked(
    other: Other, suite: OtherVoiceSuite, requests: Sequence[Utterance], instruments: Instruments
) -> OtherCheck:
    level_dbfs = suite.callers[other.language].level_dbfs
    ratios = (suite.babble_snr_db,) if other.babble else suite.snrs_db
    shortest = min(requests, key=lambda one: one.duration_s)
    off_db = 0.0
    kept = 1.0
    for ratio_db in ratios:
        sound = LineSound(path=other.sound, words="heard", trimmed=True, level_db=-ratio_db)
        said = recorded_line(sound, level_dbfs=level_dbfs)
        both = with_other_voice(shortest, said, after_s=UNDER_AFTER_S)
        added = both.samples - shortest.samples
        measured_db = shortest.level_dbfs - active_level_dbfs(added, sample_rate_hz=SAMPLE_RATE_HZ)
        if abs(measured_db - ratio_db) > abs(off_db):
            off_db = measured_db - ratio_db
        kept = min(kept, (shortest.duration_s - UNDER_AFTER_S) / said.duration_s)
    heard = None if other.babble else _heard(other, level_dbfs, instruments)
    there = normalize(heard or "", other.language)
    words = tuple(word for word in other.words if normalize(word, other.language) in there)
    problem = ""
    if abs(off_db) > WITHIN_DB:
        problem = f"its level is {off_db:+.1f} dB off"
    elif heard is not None and not words:
        problem = "none of its words is heard"
    return OtherCheck(
        other=other.id,
        language=other.language,
        off_db=round(off_db, 2),
        kept=round(max(0.0, min(1.0, kept)), 2),
        heard=heard,
        words=words,
        problem=problem,
    )


def _heard(other: Other, level_dbfs: float, instruments: Instruments) -> str | None:
    whisper = instruments.whisper
    if whisper is None:
        return None
    sound = LineSound(path=other.sound, words="heard", trimmed=True)
    pad = np.zeros(round(PAD_S * SAMPLE_RATE_HZ), np.float32)
    padded = np.concatenate([pad, recorded_line(sound, level_dbfs=level_dbfs).samples, pad])
    span = Span(start_s=0.0, end_s=len(padded) / SAMPLE_RATE_HZ)
    told = whisper.transcribe(to_speech_rate(padded, SAMPLE_RATE_HZ), other.language, spans=[span])
    return ("" if other.language == "zh" else " ").join(word.word.strip() for word in told.words)
