"""Every metric that a run reports: its name in ``summary.json``, its unit, and what it means in words.

One entry a metric, in the order in which reports list them. The definitions are what the report prints
under "How this was measured", so each says what is divided by what. Tables are those of the OutboundEval
paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Group = Literal["conversation", "understanding", "voice", "task"]
Unit = Literal["ms", "ratio", "mos"]

NOT_BUILT = "this version of outboundeval does not measure it"


@dataclass(frozen=True, kw_only=True)
class MetricEntry:
    """One metric.

    Attributes:
        unit: ``ms``, ``ratio`` (0 to 1, shown in percent) or ``mos`` (1 to 5).
        definition: For the report's reader, with the source.
        when_absent: The reason printed when no call brought anything to measure.
    """

    name: str
    label: str
    unit: Unit
    group: Group
    definition: str
    when_absent: str


def _entry(
    name: str, label: str, unit: Unit, group: Group, definition: str, when_absent: str = NOT_BUILT
) -> MetricEntry:
    return MetricEntry(
        name=name, label=label, unit=unit, group=group, definition=definition, when_absent=when_absent
    )


_NO_INTERRUPTION = "no interruption was planned"
_NO_ASR = "no call has the agent's own transcript of the caller"
_NO_NISQA = "no stretch of agent speech was rated by NISQA"
_NO_TASK = "no dialogue about a scenario was judged"
_NO_OCCASION = "no reply of a judged dialogue gave occasion for it"

METRICS: tuple[MetricEntry, ...] = (
    _entry(
        "response_latency_ms",
        "Response latency",
        "ms",
        "conversation",
        "From the last voiced sample that the caller sent to the first voiced sample received from the "
        "agent; negative when the agent starts early, never clamped. The headline is the median over the "
        "turns of all calls (paper: Table 14).",
        "no turn was answered",
    ),
    _entry(
        "content_latency_ms",
        "Latency to content",
        "ms",
        "conversation",
        "The same, to the first word of the answer that is not a filler such as “um” or “let me see”.",
        "no answer's first content word could be timed",
    ),
    _entry(
        "interruption_success_500ms",
        "Interruption success, 500 ms",
        "ratio",
        "conversation",
        "Stops in under 500 ms among all successful interruptions (paper: Table 14). An interruption is "
        "successful when the agent stopped because of it. A stop whose error bar straddles 500 ms is left "
        "out and counted.",
        _NO_INTERRUPTION,
    ),
    _entry(
        "interruption_stop_rate",
        "Interruption stop rate",
        "ratio",
        "conversation",
        "Interruptions that made the agent stop, among those where it stopped or went on. An agent that had "
        "finished by itself counts on neither side.",
        _NO_INTERRUPTION,
    ),
    _entry(
        "interruption_delay_ms",
        "Interruption delay",
        "ms",
        "conversation",
        "From the first voiced sample of the caller's interruption to the last voiced sample received from "
        "the agent. Where the agent never stopped the delay is censored: counted, not in the percentiles.",
        _NO_INTERRUPTION,
    ),
    _entry(
        "selective_attention_success_rate",
        "Selective attention",
        "ratio",
        "conversation",
        "Dialogues in which the agent took up the caller's intent although others were audible (Table 14).",
    ),
    _entry(
        "wer",
        "Word error rate",
        "ratio",
        "understanding",
        "Substituted, missing and inserted words of the agent's own transcript of the caller, over the words "
        "that the caller said; pooled over all calls, noisy ones included (Table 15).",
        _NO_ASR,
    ),
    _entry(
        "cer",
        "Character error rate",
        "ratio",
        "understanding",
        "The same by characters: the figure for languages written without spaces (Table 15).",
        _NO_ASR,
    ),
    _entry(
        "wer_noisy",
        "Word error rate in noise",
        "ratio",
        "understanding",
        "The word error rate over the calls placed with background noise below 15 dB SNR (Table 15).",
        "no call was placed with background noise below 15 dB SNR",
    ),
    _entry(
        "caller_intelligibility_wer",
        "Caller intelligibility (WER)",
        "ratio",
        "understanding",
        "Word error rate of our own recogniser on the caller's audio as sent, against what was said: how "
        "hard the caller was to understand. Not the agent's doing.",
        "the caller's audio was not transcribed",
    ),
    _entry(
        "agent_intelligibility_wer",
        "Agent intelligibility (WER)",
        "ratio",
        "understanding",
        "Word error rate of our own recogniser on the agent's audio as received, against the agent's own "
        "text.",
        "no call has the agent's own text",
    ),
    _entry(
        "proper_noun_accuracy",
        "Proper noun accuracy",
        "ratio",
        "understanding",
        "Names, places and terms that the agent's transcript has right, over those said (Table 15).",
    ),
    _entry(
        "accent_adaptability",
        "Accent adaptability",
        "ratio",
        "understanding",
        "Relative change of the error rate with accented callers against standard ones (Table 15).",
    ),
    _entry(
        "rejection_rate",
        "Rejection rate",
        "ratio",
        "understanding",
        "Unrecognisable input that the agent rightly asked about, over all such input (Table 15).",
    ),
    _entry(
        "false_rejection_rate",
        "False rejection rate",
        "ratio",
        "understanding",
        "Recognisable input that the agent wrongly rejected, over all such input (Table 20).",
    ),
    _entry(
        "nisqa_naturalness",
        "Naturalness (NISQA)",
        "mos",
        "voice",
        "Naturalness of the agent's voice as NISQA-TTS predicts it, from 1 to 5: the mean over stretches of "
        "agent speech. Predicted, not rated by people; not comparable across bandwidths (Table 16).",
        _NO_NISQA,
    ),
    _entry(
        "nisqa_mos",
        "Sound quality (NISQA)",
        "mos",
        "voice",
        "Overall quality of the transmitted speech as NISQA predicts it, from 1 to 5: the mean over "
        "stretches of agent speech.",
        _NO_NISQA,
    ),
    *(
        _entry(
            f"nisqa_{name}",
            f"{name.capitalize()} (NISQA)",
            "mos",
            "voice",
            f"NISQA's prediction for {what}, from 1 (bad) to 5 (excellent).",
            _NO_NISQA,
        )
        for name, what in (
            ("noisiness", "background and coding noise"),
            ("discontinuity", "dropouts and breaks"),
            ("coloration", "distortion of the timbre"),
            ("loudness", "how fitting the level is"),
        )
    ),
    _entry(
        "mos",
        "Mean opinion score",
        "mos",
        "voice",
        "People's rating of the agent's voice, ITU-T P.800 (Table 16).",
        "needs ratings by people",
    ),
    _entry(
        "symbol_mispronunciation_rate",
        "Symbol mispronunciation",
        "ratio",
        "voice",
        "Numbers, letters and symbols that the agent spoke wrongly, over those it spoke (Table 16).",
    ),
    _entry(
        "emotion_match",
        "Emotion match",
        "ratio",
        "voice",
        "How far the emotion of the voice fits the words (Table 16).",
    ),
    _entry(
        "code_switch_fluency",
        "Code-switch fluency",
        "ratio",
        "voice",
        "How naturally foreign words within a sentence are spoken (Table 16).",
    ),
    _entry(
        "speech_rate_adaptation",
        "Speech rate adaptation",
        "ratio",
        "voice",
        "How far the agent slows down for what matters (Table 16).",
    ),
    _entry(
        "key_node_completion",
        "Key node completion",
        "ratio",
        "task",
        "Key steps of the task flow that the agent completed, over those that apply; the mean over "
        "dialogues, as for all scores below (section 5.1.3, Table 4). Steps whose judgement failed are never "
        "counted as missed: the dialogue is left out and counted.",
        _NO_TASK,
    ),
    _entry(
        "node_completion",
        "Node completion",
        "ratio",
        "task",
        "Steps of the task flow that the agent completed, over those that apply.",
        _NO_TASK,
    ),
    _entry(
        "coverage",
        "Coverage",
        "ratio",
        "task",
        "0.7 × key node completion + 0.3 × node completion.",
        _NO_TASK,
    ),
    _entry(
        "process",
        "Process",
        "ratio",
        "task",
        "Achieved steps whose prerequisites were achieved before them (or in the same turn), over the "
        "achieved steps. Dialogues in which nothing was achieved have no order to judge.",
        _NO_TASK,
    ),
    _entry("tfc", "Task flow compliance", "ratio", "task", "0.7 × coverage + 0.3 × process.", _NO_TASK),
    _entry(
        "gic",
        "General interaction capability",
        "ratio",
        "task",
        "Each reply of the agent on eight dimensions, scored 0 to 2 and halved, averaged over the replies of "
        "a dialogue where the dimension applies, weighted by Table 5. Partial where dimensions lack a value: "
        "their weight goes to the others.",
        _NO_TASK,
    ),
    *(
        _entry(
            f"gic_{name}",
            f"{label} ({weight} %)",
            "ratio",
            "task",
            f"{what} Scored 0 to 2 and halved (Tables 22, 23); {weight} % of GIC.",
            _NO_OCCASION,
        )
        for name, label, weight, what in (
            (
                "naturalness",
                "Naturalness of replies",
                20,
                "Whether the agent talks as a person on the phone.",
            ),
            ("coherence", "Coherence", 20, "Whether replies fit what was said and move on."),
            (
                "hallucination",
                "Hallucination handling",
                20,
                "Whether all that is said comes from the prompt.",
            ),
            ("redundancy", "Redundancy", 10, "Whether replies are concise and ask one thing at a time."),
            (
                "emotional_richness",
                "Emotional richness",
                10,
                "Whether bad feelings are heard and answered.",
            ),
            (
                "intent_understanding",
                "Intent understanding",
                10,
                "Whether what is meant but unclear is understood.",
            ),
            ("noise_resistance", "Noise resistance", 6, "Whether the task goes on through broken speech."),
            ("safety", "Safety", 4, "Whether abuse, prying and politics meet a calm and safe reply."),
        )
    ),
    _entry("final", "Final text score", "ratio", "task", "0.55 × task flow + 0.45 × interaction.", _NO_TASK),
)

BY_NAME: dict[str, MetricEntry] = {entry.name: entry for entry in METRICS}
