"""How fast the agent answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import MetricEntry, ScoredCall
from harness.analysis.measures.conversation.timed import TimedMeasure
from harness.analysis.measures.notes import count, tally, version_of, widest, worst
from harness.analysis.measures.pooling import distribution, missing
from harness.analysis.measures.units import MS
from metrics.score import Score


class _ResponseLatency(TimedMeasure):
    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        turns = [turn for call in calls for turn in call.scores.turns]
        by_call = {
            call.scores.call_id: [
                turn.latency_ms for turn in call.scores.turns if turn.latency_ms is not None
            ]
            for call in calls
        }
        left_out = Counter(turn.reason for turn in turns if turn.latency_ms is None)
        notes = []
        if left_out:
            notes.append(f"{left_out.total()} of {count(len(turns), 'turn')} left out: {tally(left_out)}")
        if not any(by_call.values()):
            status = worst(turn.status for turn in turns)
            return missing(self.entry, [self.entry.when_absent, *notes], status=status)
        resolution = widest([turn.resolution_ms for turn in turns if turn.latency_ms is not None])
        version = version_of(self.entry.name, calls)
        return distribution(self.entry, by_call, notes=notes, resolution=resolution, version=version)


RESPONSE_LATENCY = _ResponseLatency(
    MetricEntry(
        name="response_latency_ms",
        label="Response latency",
        unit=MS,
        better="lower",
        definition=(
            "From the last voiced sample that the caller sent to the first voiced sample received from the "
            "agent; negative when the agent starts early, never clamped. The headline is the median over the "
            "turns of all calls."
        ),
        paper="Table 14",
        needs=(Need.TURNS,),
        when_absent="no turn was answered",
        counted="turn",
        card=1,
    )
)
