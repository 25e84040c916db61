"""How the sentences of a call were said that have a control in it: their rate, their seams, their prosody.

What is measured follows from the item: a ``key_language`` makes its key a switched phrase; any other key
without ``readings`` is one that may be stressed; without a key the whole sentence is compared. Both readings
have to have been said, with all of their sound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from harness.analysis.probes.switched import heard_again
from harness.analysis.probes.symbols import Hear
from harness.plans.probes.to_read import ToRead
from harness.records.call import SAMPLE_RATE_HZ
from harness.records.scores import ProbeReading, ReadingDelivery, Seam, TranscriptLine
from harness.records.transcript import TranscriptWord
from metrics.recognition.switched_word import understood
from metrics.spans import Span
from metrics.synthesis.prosody.frames import UnreadableError
from metrics.synthesis.prosody.places import Placed, place_phrase
from metrics.synthesis.prosody.rate import NotComparableError, paired_rates
from metrics.synthesis.prosody.seams import SeamSounds, seam_sounds
from metrics.synthesis.prosody.shift import prosody_shift

EDGE_S = 0.05
"""Around a reading, so that its first and last sound are whole."""
NO_WORDS = "its key was not found: nothing was transcribed, or not the words beside it"

Samples = NDArray[np.float32]


def delivered(
    readings: Sequence[ProbeReading],
    told: Sequence[ToRead],
    *,
    lines: Sequence[TranscriptLine],
    sound: Callable[[], Samples],
    language: str,
    hear: Hear,
    why_not: Callable[[], str],
) -> list[ProbeReading]:
    """The readings, those with a control each with how it was said.

    Args:
        told: What the agent was to read, in the order of ``readings``.
        lines: Of the transcript; where words lie is taken from our own recogniser's.
        sound: The agent's side at 48 kHz, asked for where it is needed.
        language: Of the call.
        hear, why_not: As of :func:`harness.analysis.probes.switched.heard_again`.
    """
    by_item = {one.item: one for one in readings}
    found = []
    natives: dict[str, float] = {}
    for one, wanted in zip(readings, told, strict=True):
        control = by_item.get(wanted.control)
        if control is None or wanted.readings:
            found.append(one)
            continue
        why = _unusable(one, "it") or _unusable(control, "its control")
        if why:
            delivery = ReadingDelivery(reason=why)
        else:
            delivery = _delivery(_Clip(one, lines, sound()), _Clip(control, lines, sound()), natives)
        found.append(one.model_copy(update={"delivery": delivery}))
    found = _levelled(found, natives)
    return heard_again(found, language=language, hear=hear, why_not=why_not)


def _unusable(one: ProbeReading, name: str) -> str:
    if one.said is None:
        return f"nobody can tell whether {name} was said: {one.reason}"
    if not one.said:
        return f"{name} was not said: {one.reason}"
    return f"{name} is not whole: {one.reason}" if one.reason else ""


class _Clip:
    """The sound of one reading, and its words in seconds of that sound."""

    def __init__(self, reading: ProbeReading, lines: Sequence[TranscriptLine], sound: Samples) -> None:
        assert reading.start_s is not None
        assert reading.end_s is not None
        self.reading = reading
        self.start_s = max(0.0, reading.start_s - EDGE_S)
        last = round((reading.end_s + EDGE_S) * SAMPLE_RATE_HZ)
        self.sound = sound[round(self.start_s * SAMPLE_RATE_HZ) : last]
        self.words = [
            TranscriptWord(
                word=word.word, start_s=word.start_s - self.start_s, end_s=word.end_s - self.start_s
            )
            for line in lines
            if line.side == "agent" and line.source == "whisper"
            for word in line.words
            if self.start_s <= (word.start_s + word.end_s) / 2 < reading.end_s + EDGE_S
            and word.end_s >= word.start_s
        ]

    @property
    def key(self) -> Placed | None:
        before, key, after = self.reading.text.partition(self.reading.key)
        return place_phrase(self.words, before=before, phrase=key, after=after)


def _delivery(one: _Clip, control: _Clip, natives: dict[str, float]) -> ReadingDelivery:
    """``natives``: gets of a switched phrase the level of its control's, by the item."""
    try:
        if one.reading.key_language:
            return _switched(one, control, natives)
        if one.reading.key:
            return _stressed(one, control)
        shift = prosody_shift(one.sound, control.sound, SAMPLE_RATE_HZ)
    except (NotComparableError, UnreadableError) as error:
        return ReadingDelivery(reason=str(error))
    return ReadingDelivery(
        f0_semitones=shift.f0_semitones,
        f0_range_semitones=shift.f0_range_semitones,
        level_db=shift.level_db,
        rate_ratio=shift.rate_ratio,
    )


def _stressed(one: _Clip, control: _Clip) -> ReadingDelivery:
    placed = control.key
    if placed is None:
        return ReadingDelivery(reason=NO_WORDS)
    rates = paired_rates(one.sound, control.sound, SAMPLE_RATE_HZ, key=placed.span)
    return ReadingDelivery(rate_adaptation=rates.adaptation, tempo=rates.tempo)


def _switched(one: _Clip, control: _Clip, natives: dict[str, float]) -> ReadingDelivery:
    placed, there = one.key, control.key
    if placed is None or there is None:
        return ReadingDelivery(reason=NO_WORDS)
    sounds, native = _seams(one, placed), _seams(control, there)
    if sounds is None or native is None:
        return ReadingDelivery(reason="the phrase, or what surrounds it, is too short or silent")
    natives[one.reading.item] = native.level_db
    pauses = sounds.pauses_beyond(native)
    seams = [
        # Whether it is fluent is told when all of it is judged, by heard_again.
        Seam(at_s=one.start_s + at_s, pause_s=max(0.0, pause_s), fluent=False)
        for at_s, pause_s in zip((placed.span.start_s, placed.span.end_s), pauses, strict=True)
        if pause_s is not None
    ]
    return ReadingDelivery(
        seams=tuple(seams),
        phrase_heard=placed.heard,
        understood=understood(one.reading.key, placed.heard),
        level_step_db=sounds.level_db,  # less what is expected, by _levelled
        timbre_db=sounds.timbre_db - native.timbre_db,
    )


def _levelled(found: Sequence[ProbeReading], natives: Mapping[str, float]) -> list[ProbeReading]:
    """The readings, the level of each switched phrase less what is expected of it in its place.

    That is halfway between that of its control and the median of all controls: how one word differs from the
    others is half its place, half its sounds.
    """
    if not natives:
        return list(found)
    typical_db = float(np.median(list(natives.values())))
    told = []
    for one in found:
        if one.item in natives and one.delivery is not None and one.delivery.level_step_db is not None:
            step_db = one.delivery.level_step_db - (natives[one.item] + typical_db) / 2
            delivery = one.delivery.model_copy(update={"level_step_db": step_db})
            told.append(one.model_copy(update={"delivery": delivery}))
        else:
            told.append(one)
    return told


def _seams(clip: _Clip, placed: Placed) -> SeamSounds | None:
    words = [Span(start_s=word.start_s, end_s=word.end_s) for word in clip.words]
    return seam_sounds(clip.sound, SAMPLE_RATE_HZ, phrase=placed.span, words=words)
