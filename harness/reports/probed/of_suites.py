"""Which figures are those of a suite: told by what it plants, says or has read, and not by its name."""

from __future__ import annotations

from collections.abc import Sequence

from harness.analysis.measures.speaking.emotion import EXPECTED
from harness.plans.call import CallPlan
from harness.plans.probes.asked import Asked
from harness.plans.probes.to_read import ToRead

ATTENTION = ("selective_attention_success_rate",)
RESTRAINT = ("false_stop_rate", "false_reply_rate")
ECHO = ("echo_stop_rate", "echo_reply_rate")
NOISE = ("wer_noisy",)
ACCENT = ("accent_adaptability",)
REJECTION = ("rejection_rate", "false_rejection_rate", "silence_at_noise_rate")
ENTITIES = ("proper_noun_accuracy",)
SYMBOLS = ("symbol_mispronunciation_rate",)
RATE = ("speech_rate_adaptation",)
CODE_SWITCH = ("code_switch_fluency", "code_switch_pause_ms", "code_switch_level_db")
EMOTION = ("emotion_f0_range_st", "emotion_level_db", "emotion_rate")


def metrics_of(plans: Sequence[CallPlan]) -> tuple[str, ...]:
    """The figures that the calls of one suite are counted in, those of its form alone.

    Args:
        plans: Of its calls; those without ``probe`` tell nothing.
    """
    probes = [one.probe for one in plans if one.probe is not None]
    planted = [one for probe in probes for one in probe.planted]
    if any(probe.attended for probe in probes):
        return ATTENTION
    if planted:
        return ECHO if any(one.heard_back for one in planted) else RESTRAINT
    if read := [one for probe in probes for one in probe.to_read]:
        return _read_aloud(read)
    return _spoken(plans, [one for probe in probes for one in probe.asked])


def _read_aloud(read: Sequence[ToRead]) -> tuple[str, ...]:
    compared = [one for one in read if one.control and not one.readings]
    found: list[str] = []
    if any(one.readings for one in read):
        found += SYMBOLS
    if any(one.key and not one.key_language for one in compared):
        found += RATE
    if any(one.key_language for one in compared):
        found += CODE_SWITCH
    if any(not one.key and one.kind in EXPECTED for one in compared):
        found += EMOTION
    return tuple(found)


def _spoken(plans: Sequence[CallPlan], asked: Sequence[Asked]) -> tuple[str, ...]:
    found: list[str] = []
    if any(one.entity for one in asked):
        found += ENTITIES
    if any(one.usable for one in asked):
        found += REJECTION
    if any(not one.entity and not one.usable for one in asked):
        set_so = [one for one in plans if one.probe is not None and one.probe.setting]
        if any(one.conditions.noise for one in set_so):
            found += NOISE
        if any(one.probe is not None and one.probe.against and not one.conditions.noise for one in set_so):
            found += ACCENT
    return tuple(found)
