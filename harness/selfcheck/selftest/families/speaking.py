"""Voices that rush numbers, stumble at foreign words or shout sad news: what they read is made part by part.

Each sentence of a suite that is read aloud is said by a voice of ours in three parts: what stands before its
key, the key, the rest. So it is known to the sample where the defect lies. That the voice says the parts
one by one costs it fluency; the clean agent has that, too.

Of foreign words pause and level are planted; whether one is understood makes no figure (docs/speaking.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from random import Random

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.errors import UserError
from harness.plans.call import VoicePlan
from harness.plans.plan import expand_plan
from harness.plans.probes.to_read import ToRead
from harness.records.call import SAMPLE_RATE_HZ
from harness.selfcheck.selftest.entries import Defect, Family, Order, Planted, Progress, Strength
from harness.selfcheck.selftest.made.calls import MadeLine, keep, made_call, shipped_clip

VOICE = VoicePlan(engine="piper", name="joe")
GAP_S = 0.02
VOICED = 0.003
UNSTEADY = 0.03
"""The pace of a sentence differs by so much from one day to another."""
SUBDUED = frozenset({"sad_news", "apology"})
PAUSE_S = 0.3

Samples = NDArray[np.float32]

RUSHES = Defect(
    name="rushes-numbers",
    told="says what matters faster than the rest, instead of more slowly",
    moves={"speech_rate_adaptation": -1},
    weak=Strength(amount=0.1, told="told to be 10 % faster"),
    strong=Strength(amount=0.3, told="told to be 30 % faster"),
)
PAUSES = Defect(
    name="pauses-at-switches",
    told="stops for 300 ms before a word of another language",
    moves={"code_switch_pause_ms": 1},
    weak=Strength(amount=0.3, told="3 of 10 words"),
    strong=Strength(amount=0.8, told="8 of 10 words"),
)
LOUD_WORDS = Defect(
    name="louder-at-switches",
    told="says words of another language louder than anything else",
    moves={"code_switch_level_db": 1},
    weak=Strength(amount=3.0, told="3 dB"),
    strong=Strength(amount=10.0, told="10 dB"),
)
SHOUTS = Defect(
    name="shouts-sad-news",
    told="says sad news and apologies louder than anything else",
    moves={"emotion_level_db": -1},
    weak=Strength(amount=3.0, told="3 dB"),
    strong=Strength(amount=6.0, told="6 dB"),
)
HURRIES = Defect(
    name="hurries-sad-news",
    told="says sad news and apologies faster than anything else",
    moves={"emotion_rate": -1},
    weak=Strength(amount=0.1, told="told to be 10 % faster"),
    strong=Strength(amount=0.3, told="told to be 30 % faster"),
)


class Reader:
    """Says the sentences of a suite with the defect that an order asks for.

    Args:
        voice: Whose.
    """

    def __init__(self, order: Order, voice: VoicePlan = VOICE) -> None:
        self._order = order
        self._voice = voice
        self._maker = ClipMaker()
        self.key_s: dict[str, float] = {}
        """Item -> how long its key is, at the pace of its sentence."""
        self.hurried: dict[str, float] = {}
        """Item -> by what factor it is shorter than without the defect: a voice that is told to speak 10 %
        faster is not 10 % faster."""
        self.paused_s: dict[str, float] = {}
        """Item -> by how much longer the pause before its key is."""

    def reply(self, wanted: ToRead, control: ToRead | None) -> Samples:
        """A sentence as it is read; ``control`` is what it is compared with."""
        own = Random(f"{self._order.seed} {wanted.item}")
        pace = 1.0 + own.uniform(-UNSTEADY, UNSTEADY)
        stressed = control is not None
        if not wanted.key:
            hit = stressed and wanted.kind in SUBDUED
            faster = self._order.strength_of(HURRIES.name) if hit else 0.0
            louder = self._order.strength_of(SHOUTS.name) if hit else 0.0
            said = self._said(wanted.text, pace * (1.0 + faster))
            if faster:
                self.hurried[wanted.item] = len(self._said(wanted.text, pace)) / len(said)
            return said * np.float32(10 ** (louder / 20))
        before, key, after = wanted.text.partition(wanted.key)
        faster = self._order.strength_of(RUSHES.name) if stressed and not wanted.key_language else 0.0
        pause_s, louder = GAP_S, 0.0
        if control is not None and wanted.key_language:
            if self._falls_on(wanted, PAUSES):
                pause_s = PAUSE_S
                self.paused_s[wanted.item] = PAUSE_S - GAP_S
            louder = self._order.strength_of(LOUD_WORDS.name)
        spoken = self._said(key, pace * (1.0 + faster)) * np.float32(10 ** (louder / 20))
        self.key_s[wanted.item] = len(spoken) / SAMPLE_RATE_HZ * pace
        parts = [
            self._said(before, pace),
            _silence(pause_s),
            spoken,
            _silence(GAP_S),
            self._said(after, pace),
        ]
        return np.concatenate(parts)

    def _said(self, text: str, rate: float) -> Samples:
        if not any(one.isalnum() for one in text):
            return _silence(0.0)
        voice = self._voice.model_copy(update={"rate": rate})
        sound = self._maker.speak(voice, text.strip(" ,.")).samples
        voiced = np.flatnonzero(np.abs(sound) > VOICED)
        return sound[voiced[0] : voiced[-1] + 1]

    def _falls_on(self, wanted: ToRead, defect: Defect) -> bool:
        """Those of the weaker strength are of the stronger, too."""
        return Random(f"falls on {wanted.item}").random() < self._order.strength_of(defect.name)


def _silence(seconds: float) -> Samples:
    return np.zeros(round(seconds * SAMPLE_RATE_HZ), np.float32)


def _make(suite: str, order: Order, progress: Progress) -> Planted:
    """The English calls of a suite: twenty sentences and controls, of foreign words quickly the half."""
    content = {"agent": "http://127.0.0.1:7860", "probes": [{"suite": suite, "size": "full"}]}
    plans = [one for one in expand_plan(content).calls if one.language == "en"]
    if suite == "code_switch" and order.size == "quick":
        plans = plans[: len(plans) // 2]
    reader, calls, compared = Reader(order), [], list[ToRead]()
    for plan in plans:
        assert plan.probe is not None
        by_item = {one.item: one for one in plan.probe.to_read}
        compared += [one for one in plan.probe.to_read if one.control in by_item]
        lines = [
            MadeLine(
                said="Please read it aloud.",
                sound=shipped_clip("say_again"),
                reply=reader.reply(one, by_item.get(one.control)),
                tells=one.text,
            )
            for one in plan.probe.to_read
        ]
        own = plan.model_copy(update={"seed": order.seed})
        calls.append(made_call(own, lines, random=Random(f"{order.seed} {plan.call_id}")))
    progress(f"{len(calls)} calls made")
    keep(order.folder, suite, calls)
    return _planted(suite, order, reader, compared)


def _planted(suite: str, order: Order, reader: Reader, compared: Sequence[ToRead]) -> Planted:
    """The figures of a run by how it was made."""
    if suite == "rate":
        ratios = [reader.key_s[one.item] / reader.key_s[one.control] for one in compared]
        return {"speech_rate_adaptation": sum(ratios) / len(ratios)}
    if suite == "emotion":
        # Of these quieter and slower is the expected way, so that what is planted counts as less.
        share = sum(one.kind in SUBDUED for one in compared) / len(compared)
        return {
            "emotion_level_db": -share * order.strength_of(SHOUTS.name),
            "emotion_rate": -sum(factor - 1.0 for factor in reader.hurried.values()) / len(compared),
        }
    # By how much a word is louder than planted depends on how loud the voice says it by itself.
    return {"code_switch_pause_ms": 1000 * sum(reader.paused_s.values()) / len(compared)}


@cache
def _missing() -> str:
    try:
        ClipMaker().load(VOICE)
    except UserError as error:
        return str(error)
    return ""


def _family(name: str, suite: str, *defects: Defect, without: frozenset[str] = frozenset()) -> Family:
    return Family(
        name=name,
        way="made",
        defects=defects,
        only=frozenset({"timing", "words"}),
        without=without,
        make=partial(_make, suite),
        missing=_missing,
        again=frozenset({"full"}),
    )


FAMILIES = (
    _family("rate", "rate", RUSHES),
    _family("seams", "code_switch", PAUSES, LOUD_WORDS),
    # The agent tells which sentence it says, and how it says it is told by the sound alone.
    _family("prosody", "emotion", SHOUTS, HURRIES, without=frozenset({"whisper-base"})),
)
