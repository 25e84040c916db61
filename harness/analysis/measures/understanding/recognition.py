"""What the agent's own recogniser made of the caller's words."""

from __future__ import annotations

from harness.analysis.analysed_call import AnalysedCall, Need
from harness.analysis.measures.base import MetricEntry
from harness.analysis.measures.understanding.error_rates import ErrorRateMeasure
from harness.analysis.measures.understanding.pairs import TRANSCRIPT_VERSION, against_said
from harness.analysis.measures.units import RATIO
from harness.records.scores import WordCounts
from metrics.recognition.error_rate import TextTooLong, Utterance

NO_TRANSCRIPT = "no call has the agent's own transcript of the caller"


class _Words(ErrorRateMeasure):
    version = TRANSCRIPT_VERSION

    def pairs(self, call: AnalysedCall) -> list[Utterance]:
        own = [line for line in call.lines if line.source == "agent_asr"]
        return against_said(call.spoken, own, call.material.call_id)

    def unheard(self, call: AnalysedCall) -> WordCounts | None:
        """Every word missing, where the agent wrote nothing and none of its messages was dropped."""
        if call.lacks(Need.CALLER_TEXT) or not call.lacks(Need.AGENT_TRANSCRIPT) or call.dropped_messages:
            return None
        try:
            counts = self.counted(call)
        except TextTooLong:
            return None
        return counts if counts is not None and counts.reference else None


class _Characters(_Words):
    by_character = True


WER = _Words(
    MetricEntry(
        name="wer",
        label="Word error rate",
        unit=RATIO,
        better="lower",
        definition=(
            "Substituted, missing and inserted words of the agent's own transcript of the caller, over the "
            "words that the caller said; pooled over all calls, noisy ones included. A transcript of several "
            "utterances, or one that comes late, is shared out among them. Of a call in which the agent "
            "wrote nothing, and does in others, every word is missing."
        ),
        paper="Table 15",
        needs=(Need.CALLER_TEXT, Need.AGENT_TRANSCRIPT),
        when_absent=NO_TRANSCRIPT,
        counted="word",
        card=6,
    )
)

CER = _Characters(
    MetricEntry(
        name="cer",
        label="Character error rate",
        unit=RATIO,
        better="lower",
        definition=(
            "As the word error rate, by characters: the figure for languages written without spaces. In a "
            "run in several languages it is that of Chinese; the others are told beside it."
        ),
        paper="Table 15",
        needs=(Need.CALLER_TEXT, Need.AGENT_TRANSCRIPT),
        when_absent=NO_TRANSCRIPT,
        counted="character",
        card=7,
    )
)
