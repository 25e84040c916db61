"""What the agent's own recogniser made of the caller's words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from harness.analysis.analysed_call import AnalysedCall, Need
from harness.analysis.measures.base import Found, MetricEntry
from harness.analysis.measures.notes import count
from harness.analysis.measures.understanding.error_rates import ENDED_MARK, ErrorRateMeasure
from harness.analysis.measures.understanding.pairs import TRANSCRIPT_VERSION, against_said
from harness.analysis.measures.units import RATIO
from harness.records.call import SpokenUtterance
from harness.records.scores import TranscriptLine, WordCounts
from metrics.recognition.error_rate import TextTooLong, Utterance

NO_TRANSCRIPT = "no call has the agent's own transcript of the caller"
VERSION = f"{TRANSCRIPT_VERSION}.1"
"""Without the last number a goodbye counted as missed where the caller hung up before it could be written."""
WRITTEN_WITHIN_S = 2.0
"""So long after the end of an utterance its transcript may come: an end of turn, and a recogniser."""


class _Words(ErrorRateMeasure):
    version = VERSION

    def pairs(self, call: AnalysedCall) -> list[Utterance]:
        own = _own(call)
        cut_off = _cut_off(call, own)
        said = [one for one in call.spoken if one not in cut_off]
        return against_said(said, own, call.material.call_id)

    def of_call(self, call: AnalysedCall) -> Found:
        found = super().of_call(call)
        if not (cut_off := _cut_off(call, _own(call))):
            return found
        why = f"{count(len(cut_off), 'utterance')} {ENDED_MARK} {WRITTEN_WITHIN_S:g} s"
        reason = "; ".join(filter(None, [found.score.reason, why]))
        return replace(found, score=found.score.model_copy(update={"reason": reason}))

    def unheard(self, call: AnalysedCall) -> WordCounts | None:
        """Every word missing, where the agent wrote nothing and none of its messages was dropped."""
        if call.lacks(Need.CALLER_TEXT) or not call.lacks(Need.AGENT_TRANSCRIPT) or call.dropped_messages:
            return None
        try:
            counts = self.counted(call)
        except TextTooLong:
            return None
        return counts if counts is not None and counts.reference else None


def _own(call: AnalysedCall) -> list[TranscriptLine]:
    return [line for line in call.lines if line.source == "agent_asr"]


def _cut_off(call: AnalysedCall, own: Sequence[TranscriptLine]) -> list[SpokenUtterance]:
    """What nothing was written of because the call ended first; nothing where its end is not known."""
    if not call.material.end_s:
        return []
    written = {line.utterance for line in own}
    latest_s = call.material.end_s - WRITTEN_WITHIN_S
    return [one for one in call.spoken if one.index not in written and one.end_s > latest_s]


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
            "wrote nothing, and does in others, every word is missing; what was said within 2 s of a call's "
            "end, and not written by then, is left out."
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
