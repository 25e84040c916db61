"""How well each side could be understood: our own recogniser against what the side meant to say."""

from __future__ import annotations

from harness.analysis.analysed_call import AnalysedCall, Need
from harness.analysis.measures.base import Found, MetricEntry
from harness.analysis.measures.understanding.error_rates import ErrorRateMeasure
from harness.analysis.measures.understanding.pairs import against_agent_text, against_said
from harness.analysis.measures.units import RATIO
from metrics.recognition.error_rate import Utterance
from metrics.score import not_measured


class _Caller(ErrorRateMeasure):
    def pairs(self, call: AnalysedCall) -> list[Utterance]:
        ours = [line for line in call.lines if line.source == "whisper" and line.side == "caller"]
        return against_said(call.spoken, ours, call.material.call_id)

    def of_call(self, call: AnalysedCall) -> Found:
        if call.why_no_caller_words:
            return Found(score=not_measured(self.entry.name, "ratio", call.why_no_caller_words))
        return super().of_call(call)


class _Agent(ErrorRateMeasure):
    def pairs(self, call: AnalysedCall) -> list[Utterance]:
        return against_agent_text(call.lines, call.material.call_id)

    def of_call(self, call: AnalysedCall) -> Found:
        if not self.pairs(call):
            return Found(score=not_measured(self.entry.name, "ratio", Need.AGENT_TEXT.value))
        return super().of_call(call)


CALLER = _Caller(
    MetricEntry(
        name="caller_intelligibility_wer",
        label="Caller intelligibility (WER)",
        unit=RATIO,
        better="lower",
        definition=(
            "Word error rate of our own recogniser on the caller's audio as sent, against what was said: how "
            "hard the caller was to understand. Not the agent's doing."
        ),
        needs=(Need.CALLER_TEXT, Need.RECOGNISER),
        when_absent="the caller's audio was not transcribed",
        counted="word",
    )
)

AGENT = _Agent(
    MetricEntry(
        name="agent_intelligibility_wer",
        label="Agent intelligibility (WER)",
        unit=RATIO,
        better="lower",
        definition=(
            "Word error rate of our own recogniser on the agent's audio as received, against the agent's own "
            "text."
        ),
        needs=(Need.RECOGNISER, Need.AGENT_TEXT),
        when_absent="no call has the agent's own text",
        counted="word",
    )
)
