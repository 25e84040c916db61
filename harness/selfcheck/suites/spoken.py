"""A suite of the form ``spoken`` looked at as an instrument: what our own recogniser makes of its voices.

Each setting says the same few lines. Its noise is laid under them as in a call, and its level measured
against the voice; then Whisper base writes what it hears. A voice of which it understands nothing in quiet
tells nothing of an agent; noise is there to make it fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from harness.analysis.instruments import Instruments
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.calls.voice.speaking.noise_clips import noise_clips
from harness.plans.call import VoicePlan
from harness.plans.probes.spoken import Setting, SpokenItem, SpokenSuite
from harness.plans.probes.suite import Language
from harness.plans.sounds.of_lines import sound_bytes
from harness.records.call import SAMPLE_RATE_HZ
from metrics.recognition.error_rate import character_error_rate, pool, word_error_rate
from metrics.recognition.proper_nouns import find_entity
from metrics.resample import to_speech_rate
from metrics.spans import Span
from spoken_language.entity_kinds import EntityKind
from voice_sim.conditions.level import active_level_dbfs, rms_dbfs
from voice_sim.conditions.noise import NoiseError, noise_loop
from voice_sim.policies.script import LineSound
from voice_sim.registry import UnknownPartError

Samples = NDArray[np.float32]

LINES = 5
"""Said in each setting."""
SNR_WITHIN_DB = 1.0
LEVEL_WITHIN_DB = 1.0
HEARD_UNTIL = 0.5
"""A voice in quiet of which more is wrong than this is none to measure with."""
PAD_S = 0.5


@dataclass(frozen=True, kw_only=True)
class SettingCheck:
    """What was heard in one setting of a suite, or of one of its sounds.

    Attributes:
        lines: How many were said.
        snr_db, wanted_db: As measured, and as the suite wants it; None in quiet.
        rate: Word error rate (Chinese: by character) of our recogniser; None: it was not asked.
        problem: Why the setting cannot be used; empty where it can.
    """

    setting: str
    language: str
    lines: int
    snr_db: float | None = None
    wanted_db: float | None = None
    rate: float | None = None
    problem: str = ""

    def document(self) -> dict[str, Any]:
        return asdict(self)


def check_spoken(suite: SpokenSuite) -> tuple[list[SettingCheck], list[str]]:
    """Says lines in every setting and listens to every sound; with notes on what could not be checked.

    Raises:
        UserError: A voice is not to be had, or a sound cannot be read.
    """
    instruments, maker = Instruments(), ClipMaker()
    found = []
    for language in suite.callers:
        spoken = [item for item in suite.items_in(language) if item.sound is None][:LINES]
        for setting in suite.settings_in(language) or [Setting(name="caller")]:
            found.append(_checked(suite, language, setting, spoken, instruments, maker))
    found += [_checked_sound(item, maker) for item in suite.items if item.sound is not None]
    found += [one for one in map(_checked_entity, suite.items) if one.problem]
    notes = [f"words were not checked: {instruments.why_no_whisper}"] if instruments.why_no_whisper else []
    return found, notes


def _checked(
    suite: SpokenSuite,
    language: Language,
    setting: Setting,
    items: Sequence[SpokenItem],
    instruments: Instruments,
    maker: ClipMaker,
) -> SettingCheck:
    voice = setting.voice or suite.callers[language]
    said = [maker.speak(voice, item.say) for item in items]
    told = SettingCheck(
        setting=setting.name,
        language=language,
        lines=len(items),
        wanted_db=None if setting.noise is None else setting.noise.snr_db,
    )
    bed, snr_db, problem = None, None, ""
    if setting.noise is not None and said:
        level_dbfs = float(np.median([one.level_dbfs for one in said]))
        clips = noise_clips(setting.noise, said, maker=maker, caller=voice, language=language)
        try:
            bed = noise_loop(
                setting.noise.kind,
                snr_db=setting.noise.snr_db,
                speech_level_dbfs=level_dbfs,
                duration_s=20.0,
                seed=0,
                speech=clips,
                sample_rate_hz=SAMPLE_RATE_HZ,
            ).samples
        except (NoiseError, UnknownPartError) as error:
            return replace(told, problem=str(error))
        levels = [active_level_dbfs(one.samples, sample_rate_hz=SAMPLE_RATE_HZ) for one in said]
        snr_db = float(np.median(levels)) - rms_dbfs(bed)
        if abs(snr_db - setting.noise.snr_db) > SNR_WITHIN_DB:
            problem = f"its noise is {snr_db:.1f} dB below the voice"
    rate = _rate(items, [one.samples for one in said], bed, language, instruments)
    if rate is not None and setting.noise is None and rate > HEARD_UNTIL:
        problem = "even our own recogniser does not understand it in quiet"
    return replace(told, snr_db=snr_db, rate=rate, problem=problem)


def _rate(
    items: Sequence[SpokenItem],
    said: Sequence[Samples],
    bed: Samples | None,
    language: Language,
    instruments: Instruments,
) -> float | None:
    whisper = instruments.whisper
    if whisper is None or not items:
        return None
    rates = []
    pad = np.zeros(round(PAD_S * SAMPLE_RATE_HZ), np.float32)
    for item, samples in zip(items, said, strict=True):
        heard = np.concatenate([pad, samples, pad])
        if bed is not None:
            heard = heard + np.take(bed, np.arange(len(heard)), mode="wrap")
        span = Span(start_s=0.0, end_s=len(heard) / SAMPLE_RATE_HZ)
        told = whisper.transcribe(to_speech_rate(heard, SAMPLE_RATE_HZ), language, spans=[span])
        text = ("" if language == "zh" else " ").join(word.word.strip() for word in told.words)
        rate_of = character_error_rate if language == "zh" else word_error_rate
        rates.append(rate_of(item.say, text, language=language))
    return pool(rates, unit="character" if language == "zh" else "word").rate


def _checked_entity(item: SpokenItem) -> SettingCheck:
    """Whether an agent that writes every word as it was said has understood the entity."""
    problem = ""
    if item.entity and item.say:
        kind = cast(EntityKind, item.kind)
        if not find_entity(item.entity, item.say, kind=kind, language=item.language).right:
            problem = f"'{item.entity}' is not found in its own sentence: no agent could be right"
    return SettingCheck(setting=item.id, language=item.language, lines=1, problem=problem)


def _checked_sound(item: SpokenItem, maker: ClipMaker) -> SettingCheck:
    assert item.sound is not None
    sound = LineSound(path=item.sound, words="heard", trimmed=True, level_db=item.level_db)
    sound_bytes(sound)
    voice = VoicePlan()
    level = active_level_dbfs(maker.play(voice, sound).samples, sample_rate_hz=SAMPLE_RATE_HZ)
    off_db = level - voice.level_dbfs - item.level_db
    problem = (
        f"its level is {off_db:+.1f} dB off: its peaks allow no more" if abs(off_db) > LEVEL_WITHIN_DB else ""
    )
    return SettingCheck(setting=item.id, language=item.language, lines=1, problem=problem)
