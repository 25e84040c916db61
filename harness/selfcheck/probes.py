"""A probe suite looked at as an instrument: is each sound at its level, and are its words heard in it?

Each sound is listened to as it is sent: cut, at its level against a caller at -23 dBFS. Words are heard by
our own recogniser (Whisper base), whose own error is part of what is printed: it mishears short ones.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from harness.analysis.instruments import Instruments
from harness.calls.voice.speaking.recorded_line import recorded_line
from harness.errors import UserError
from harness.plans.call import VoicePlan
from harness.plans.probes.sounds import Item, SoundSuite
from harness.plans.probes.suite import Language, Suite
from harness.plans.sounds.of_lines import sound_bytes
from harness.records.call import SAMPLE_RATE_HZ
from metrics.recognition.error_rate import character_error_rate
from metrics.resample import to_speech_rate
from metrics.spans import Span, merge_spans
from metrics.speech import detect_speech
from voice_sim.conditions.level import active_level_dbfs
from voice_sim.policies.script import LineSound

LEVEL_WITHIN_DB = 1.0
PAD_S = 0.5
WORDS_HEARD_CER = 0.5
"""Words are heard in a sound when fewer of their characters are wrong than this."""
SHORT_CHARACTERS = 10
"""No more than this is a listener's noise: a recogniser writes many things for it, and none is asked for."""


@dataclass(frozen=True, kw_only=True)
class ClipCheck:
    """What was heard in one sound of a suite.

    Attributes:
        level_dbfs, wanted_dbfs: Active level as sent, and as the suite wants it.
        silero, webrtcvad: Share of its time that each calls speech.
        heard: What the recogniser wrote; None: it was not asked.
        cer: Its characters that are wrong.
        problem: Why the sound cannot be used; empty where it can.
    """

    item: str
    kind: str
    length_s: float
    level_dbfs: float
    wanted_dbfs: float
    silero: float
    webrtcvad: float
    heard: str | None = None
    cer: float | None = None
    problem: str = ""

    @property
    def words_told(self) -> str:
        if self.heard is None:
            return ""
        return self.heard if self.cer is None else f"{self.heard} (CER {self.cer:.2f})"

    def document(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class SuiteCheck:
    """A suite listened to; ``notes`` say what of a kind gives no figure, and what could not be checked."""

    suite: str
    clips: list[ClipCheck]
    notes: list[str]


def check_suite(suite: Suite) -> SuiteCheck:
    """Listens to every sound.

    Raises:
        UserError: One cannot be read.
    """
    if not isinstance(suite, SoundSuite):
        raise UserError(f"{suite.name}: there is no check of a suite of the form '{suite.form}'")
    instruments = Instruments()
    clips = [_checked(item, suite, instruments) for item in suite.items]
    moved: dict[str, float] = defaultdict(float)
    for one in clips:
        moved[one.kind] = max(moved[one.kind], one.silero, one.webrtcvad)
    notes = [
        f"{kind}: neither Silero nor webrtcvad calls any of it speech: an agent that listens by one is not "
        "tried by it"
        for kind, share in moved.items()
        if share == 0.0
    ]
    if instruments.why_no_whisper:
        notes.append(f"words were not checked: {instruments.why_no_whisper}")
    return SuiteCheck(suite=suite.name, clips=clips, notes=notes)


def _checked(item: Item, suite: SoundSuite, instruments: Instruments) -> ClipCheck:
    level_dbfs = VoicePlan().level_dbfs
    sound = LineSound(path=item.sound, words="heard", trimmed=True, level_db=item.level_db)
    sound_bytes(sound)
    said = recorded_line(sound, level_dbfs=level_dbfs)
    measured = active_level_dbfs(said.samples, sample_rate_hz=SAMPLE_RATE_HZ)
    pad = np.zeros(round(PAD_S * SAMPLE_RATE_HZ), np.float32)
    padded = np.concatenate([pad, said.samples, pad])
    activity = detect_speech(padded, SAMPLE_RATE_HZ, marker_tones=False)
    own = Span(start_s=PAD_S, end_s=PAD_S + said.duration_s)
    wanted = level_dbfs + item.level_db
    problem = ""
    if abs(measured - wanted) > LEVEL_WITHIN_DB:
        problem = f"its level is {measured - wanted:+.1f} dB off: its peaks allow no more"
    heard, cer = None, None
    whisper = instruments.whisper if item.says else None
    if whisper is not None:
        language = _language(item, suite)
        span = Span(start_s=0.0, end_s=len(padded) / SAMPLE_RATE_HZ)
        told = whisper.transcribe(to_speech_rate(padded, SAMPLE_RATE_HZ), language, spans=[span])
        heard = ("" if language == "zh" else " ").join(word.word.strip() for word in told.words)
        cer = character_error_rate(item.says, heard, language=language).rate
        asked = language == "zh" or len(item.says) > SHORT_CHARACTERS
        if asked and len(item.says) > 4 and cer is not None and cer > WORDS_HEARD_CER:
            problem = problem or "its words are not heard in it"
    return ClipCheck(
        item=item.id,
        kind=item.kind,
        length_s=said.duration_s,
        level_dbfs=measured,
        wanted_dbfs=wanted,
        silero=_share(activity.silero, own),
        webrtcvad=_share(activity.webrtcvad, own),
        heard=heard,
        cer=cer,
        problem=problem,
    )


def _share(spans: tuple[Span, ...], own: Span) -> float:
    if own.duration_s <= 0:
        raise UserError("a sound without length")
    return sum(one.overlap_s(own) for one in merge_spans(spans, max_gap_s=0.0)) / own.duration_s


def _language(item: Item, suite: SoundSuite) -> Language:
    return next(iter(suite.callers)) if item.language is None else item.language
