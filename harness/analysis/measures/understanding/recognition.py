"""What the agent's own recogniser made of the caller's words."""

from __future__ import annotations

from harness.analysis.analysed_call import AnalysedCall, Need
from harness.analysis.measures.base import MetricEntry
from harness.analysis.measures.understanding.error_rates import ErrorRateMeasure
from harness.analysis.measures.understanding.pairs import TRANSCRIPT_VERSION, against_said
from harness.analysis.measures.units import RATIO
from metrics.recognition.error_rate import Utterance

NO_TRANSCRIPT = "no call has the agent's own transcript of the caller"


class _Words(ErrorRateMeasure):
    version = TRANSCRIPT_VERSION

    def pairs(self, call: AnalysedCall) -> list[Utterance]:
        own = [line for line in call.lines if line.source == "agent_asr"]
        return against_said(call.spoken, own, call.material.call_id)


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
            "utterances, or one that comes late, is shared out among them."
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
            "As the word error rate, by characters: the figure for languages written without spaces."
        ),
        paper="Table 15",
        needs=(Need.CALLER_TEXT, Need.AGENT_TRANSCRIPT),
        when_absent=NO_TRANSCRIPT,
        counted="character",
        card=7,
    )
)
