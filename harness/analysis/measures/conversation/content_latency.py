"""How fast the agent says something: its answer without the fillers at its beginning."""

from __future__ import annotations

from collections.abc import Sequence

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import MetricEntry, ScoredCall
from harness.analysis.measures.conversation.timed import TimedMeasure
from harness.analysis.measures.conversation.turns import VERSION as OF_OUTCOMES
from harness.analysis.measures.notes import count, version_of
from harness.analysis.measures.pooling import distribution, missing
from harness.analysis.measures.units import MS
from metrics.score import Score

VERSION = f"{OF_OUTCOMES}.3"
"""Of what becomes of a turn, and how the content is placed: without a second number it could come before the
onset, where that was measured by arrival, and was not there behind a chime. 2 took "请稍等" for content."""


class _ContentLatency(TimedMeasure):
    version = VERSION

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        answered = {
            call.scores.call_id: [
                turn for turn in call.scores.turns if turn.outcome.due and turn.latency_ms is not None
            ]
            for call in calls
        }
        by_call = {
            call_id: [turn.content_latency_ms for turn in turns if turn.content_latency_ms is not None]
            for call_id, turns in answered.items()
        }
        untimed = sum(turn.content_latency_ms is None for turns in answered.values() for turn in turns)
        notes = [f"{count(untimed, 'answer')} without a timed content word"] if untimed else []
        if not any(by_call.values()):
            return missing(self.entry, notes)
        # No resolution: the onset is a recogniser's word time, which no calibration covers.
        version = version_of(self.entry.name, calls)
        return distribution(self.entry, by_call, notes=notes, version=version)


CONTENT_LATENCY = _ContentLatency(
    MetricEntry(
        name="content_latency_ms",
        label="Latency to content",
        unit=MS,
        better="lower",
        definition=(
            "As response latency, to the first word of the answer that is not a filler such as “um”, “let me "
            "see” or “请稍等”."
        ),
        needs=(Need.TURNS, Need.RECOGNISER),
        when_absent="no answer's first content word could be timed",
        counted="turn",
    )
)
