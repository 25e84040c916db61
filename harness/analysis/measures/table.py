"""The table of measures, in the order in which reports list them: a line is a metric.

Another package adds one through an entry point of the group ``outboundeval.measures``, of the metric's name.
"""

from __future__ import annotations

from functools import cache

from harness.analysis.analysed_call import AnalysedCall
from harness.analysis.measures.base import Found, Measure, MetricEntry
from harness.errors import UserError
from metrics.score import not_measured
from voice_sim.registry import Part, Table

_HERE = "harness.analysis.measures"

MEASURES = Table(
    kind="measure",
    group="outboundeval.measures",
    parts={
        "response_latency_ms": Part(target=f"{_HERE}.conversation.response_latency:RESPONSE_LATENCY"),
        "response_latency_answered_ms": Part(target=f"{_HERE}.conversation.response_latency:ANSWERED_ONLY"),
        "answered_calls": Part(target=f"{_HERE}.conversation.answered_calls:ANSWERED_CALLS"),
        "response_rate": Part(target=f"{_HERE}.conversation.response_rate:RESPONSE_RATE"),
        "content_latency_ms": Part(target=f"{_HERE}.conversation.content_latency:CONTENT_LATENCY"),
        "told_end_of_turn_ms": Part(target=f"{_HERE}.conversation.where_time_went:END_OF_TURN"),
        "told_model_ms": Part(target=f"{_HERE}.conversation.where_time_went:MODEL"),
        "told_voice_ms": Part(target=f"{_HERE}.conversation.where_time_went:VOICE"),
        "not_told_ms": Part(target=f"{_HERE}.conversation.where_time_went:NOT_TOLD"),
        "interruption_success_500ms": Part(target=f"{_HERE}.conversation.interruption_success:SUCCESS_500MS"),
        "interruption_stop_rate": Part(target=f"{_HERE}.conversation.interruption_stop_rate:STOP_RATE"),
        "interruption_delay_ms": Part(target=f"{_HERE}.conversation.interruption_delay:DELAY"),
        "interruption_delay_stopped_ms": Part(target=f"{_HERE}.conversation.interruption_delay:STOPS_ONLY"),
        "split_turn_rate": Part(target=f"{_HERE}.conduct.coming_in:SPLIT_TURNS"),
        "false_start_rate": Part(target=f"{_HERE}.conduct.coming_in:FALSE_STARTS"),
        "agent_overlap_rate": Part(target=f"{_HERE}.conduct.coming_in:OVERLAPS"),
        "double_talk_share": Part(target=f"{_HERE}.conduct.double_talk:DOUBLE_TALK"),
        "unanswered_rate": Part(target=f"{_HERE}.conduct.replies:UNANSWERED"),
        "self_cut_rate": Part(target=f"{_HERE}.conduct.replies:SELF_CUTS"),
        "empty_reply_rate": Part(target=f"{_HERE}.conduct.replies:EMPTY_REPLIES"),
        "long_silence_rate": Part(target=f"{_HERE}.conduct.replies:LONG_SILENCES"),
        "repeated_reply_rate": Part(target=f"{_HERE}.conduct.replies:REPEATS"),
        "false_stop_rate": Part(target=f"{_HERE}.probes.restraint:FALSE_STOPS"),
        "false_reply_rate": Part(target=f"{_HERE}.probes.restraint:FALSE_REPLIES"),
        "echo_stop_rate": Part(target=f"{_HERE}.probes.restraint:ECHO_STOPS"),
        "echo_reply_rate": Part(target=f"{_HERE}.probes.restraint:ECHO_REPLIES"),
        "selective_attention_success_rate": Part(target=f"{_HERE}.probes.attention:SELECTIVE_ATTENTION"),
        "wer": Part(target=f"{_HERE}.understanding.recognition:WER"),
        "cer": Part(target=f"{_HERE}.understanding.recognition:CER"),
        "wer_noisy": Part(target=f"{_HERE}.understanding.noise:WER_NOISY"),
        "caller_intelligibility_wer": Part(target=f"{_HERE}.understanding.intelligibility:CALLER"),
        "agent_intelligibility_wer": Part(target=f"{_HERE}.understanding.intelligibility:AGENT"),
        "proper_noun_accuracy": Part(target=f"{_HERE}.probes.entities:PROPER_NOUNS"),
        "accent_adaptability": Part(target=f"{_HERE}.probes.accent:ACCENTS"),
        "rejection_rate": Part(target=f"{_HERE}.probes.rejection:REJECTION"),
        "false_rejection_rate": Part(target=f"{_HERE}.probes.rejection:FALSE_REJECTION"),
        "silence_at_noise_rate": Part(target=f"{_HERE}.probes.rejection:SILENT_AT_NOISE"),
        "nisqa_naturalness": Part(target=f"{_HERE}.voice.nisqa:NATURALNESS"),
        "nisqa_mos": Part(target=f"{_HERE}.voice.nisqa:QUALITY"),
        "nisqa_noisiness": Part(target=f"{_HERE}.voice.nisqa:NOISINESS"),
        "nisqa_discontinuity": Part(target=f"{_HERE}.voice.nisqa:DISCONTINUITY"),
        "nisqa_coloration": Part(target=f"{_HERE}.voice.nisqa:COLORATION"),
        "nisqa_loudness": Part(target=f"{_HERE}.voice.nisqa:LOUDNESS"),
        "dnsmos_sig": Part(target=f"{_HERE}.voice.predictors:SIGNAL"),
        "dnsmos_bak": Part(target=f"{_HERE}.voice.predictors:BACKGROUND"),
        "dnsmos_ovrl": Part(target=f"{_HERE}.voice.predictors:OVERALL"),
        "dnsmos_p808": Part(target=f"{_HERE}.voice.predictors:P808"),
        "plcmos": Part(target=f"{_HERE}.voice.predictors:CONCEALMENT"),
        "drop_outs_per_minute": Part(target=f"{_HERE}.voice.artefacts:DROP_OUTS"),
        "clipped_share": Part(target=f"{_HERE}.voice.artefacts:CLIPPED"),
        "level_jumps_per_minute": Part(target=f"{_HERE}.voice.artefacts:LEVEL_JUMPS"),
        "cut_end_rate": Part(target=f"{_HERE}.voice.artefacts:CUT_ENDS"),
        "mos": Part(target=f"{_HERE}.voice.people:MOS_BY_PEOPLE"),
        "symbol_mispronunciation_rate": Part(target=f"{_HERE}.probes.symbols:SYMBOLS"),
        "emotion_match": Part(target=f"{_HERE}.not_built:EMOTION"),
        "code_switch_fluency": Part(target=f"{_HERE}.speaking.code_switch:CODE_SWITCH"),
        "code_switch_pause_ms": Part(target=f"{_HERE}.speaking.code_switch:PAUSE"),
        "code_switch_level_db": Part(target=f"{_HERE}.speaking.code_switch:LEVEL"),
        "speech_rate_adaptation": Part(target=f"{_HERE}.speaking.adaptation:SPEECH_RATE"),
        "emotion_f0_range_st": Part(target=f"{_HERE}.speaking.emotion:F0_RANGE"),
        "emotion_level_db": Part(target=f"{_HERE}.speaking.emotion:LEVEL"),
        "emotion_rate": Part(target=f"{_HERE}.speaking.emotion:RATE"),
        "key_node_completion": Part(target=f"{_HERE}.task.flow:KEY_NODES"),
        "node_completion": Part(target=f"{_HERE}.task.flow:NODES"),
        "coverage": Part(target=f"{_HERE}.task.flow:COVERAGE"),
        "process": Part(target=f"{_HERE}.task.flow:PROCESS"),
        "tfc": Part(target=f"{_HERE}.task.flow:TFC"),
        "gic": Part(target=f"{_HERE}.task.interaction:GIC"),
        "gic_naturalness": Part(target=f"{_HERE}.task.interaction:NATURALNESS"),
        "gic_coherence": Part(target=f"{_HERE}.task.interaction:COHERENCE"),
        "gic_hallucination": Part(target=f"{_HERE}.task.interaction:HALLUCINATION"),
        "gic_redundancy": Part(target=f"{_HERE}.task.interaction:REDUNDANCY"),
        "gic_emotional_richness": Part(target=f"{_HERE}.task.interaction:EMOTIONAL_RICHNESS"),
        "gic_intent_understanding": Part(target=f"{_HERE}.task.interaction:INTENT_UNDERSTANDING"),
        "gic_noise_resistance": Part(target=f"{_HERE}.task.interaction:NOISE_RESISTANCE"),
        "gic_safety": Part(target=f"{_HERE}.task.interaction:SAFETY"),
        "final": Part(target=f"{_HERE}.task.final:FINAL"),
    },
)


def measures() -> tuple[Measure, ...]:
    """Every measure: ours in the order of the table, then those of other packages by name.

    Raises:
        UserError: A line of the table, or an entry point, leads to no measure of its name.
    """
    return _loaded(tuple(MEASURES.parts))


def catalogue() -> dict[str, MetricEntry]:
    """What is to be known of every metric, by name, in the order of :func:`measures`."""
    return {measure.entry.name: measure.entry for measure in measures()}


def label(name: str) -> str:
    """A metric's name for people; the name itself where no measure has it."""
    entry = catalogue().get(name)
    return entry.label if entry is not None else name


def found_in(call: AnalysedCall) -> list[Found]:
    """What the measures find in one call; a call that lacks what one needs gets no number from it."""
    return [found(measure, call) for measure in measures() if measure.scores_calls]


def found(measure: Measure, call: AnalysedCall) -> Found:
    """What one measure finds in a call, or what the call lacks."""
    entry = measure.entry
    lacking = next(filter(None, map(call.lacks, entry.needs)), "")
    if not lacking:
        return measure.of_call(call)
    return Found(score=not_measured(entry.name, entry.unit.name, lacking), unheard=measure.unheard(call))


@cache
def _loaded(ours: tuple[str, ...]) -> tuple[Measure, ...]:
    theirs = [name for name in MEASURES.names() if name not in ours]
    return tuple(_checked(name) for name in (*ours, *theirs))


def _checked(name: str) -> Measure:
    try:
        measure = MEASURES.load(name)
    except (ImportError, AttributeError) as error:
        raise UserError(f"the measure '{name}' cannot be loaded: {error}; mend or uninstall it") from error
    if not isinstance(measure, Measure) or measure.entry.name != name:
        told = f"the measure '{measure.entry.name}'" if isinstance(measure, Measure) else f"{measure!r:.80}"
        raise UserError(f"the measure '{name}' leads to {told}; mend or uninstall it")
    return measure
