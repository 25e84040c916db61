"""How long the agent goes on after it was interrupted."""

from __future__ import annotations

from collections.abc import Sequence

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import MetricEntry, ScoredCall
from harness.analysis.measures.conversation.interruptions import NO_INTERRUPTION, outcomes_of, timings_of
from harness.analysis.measures.conversation.timed import TimedMeasure
from harness.analysis.measures.notes import count, version_of, widest
from harness.analysis.measures.pooling import distribution, missing
from harness.analysis.measures.units import MS
from metrics.score import Score, Status


class _Delay(TimedMeasure):
    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        timings = timings_of(calls)
        if not timings:
            return missing(self.entry)
        stops = [timing for timing in timings if timing.outcome == "stopped"]
        by_call = {
            call.scores.call_id: [
                timing.delay_ms
                for timing in call.scores.interruptions
                if timing.outcome == "stopped" and timing.delay_ms is not None
            ]
            for call in calls
        }
        censored = sum(timing.outcome == "not_stopped" for timing in timings)
        in_pause = sum(timing.stopped_in_pause for timing in stops)
        notes = []
        if censored:
            notes.append(f"{censored} censored: the agent did not stop, so the true percentiles are higher")
        if in_pause:
            notes.append(f"{count(in_pause, 'stop')} may have fallen in a pause between words")
        if not any(by_call.values()):
            unclear = "indeterminate" in outcomes_of(timings)
            status = Status.INDETERMINATE if unclear else Status.NOT_APPLICABLE
            return missing(self.entry, ["no interruption was successful", *notes], status=status)
        resolution = widest([timing.resolution_ms for timing in stops])
        version = version_of(self.entry.name, calls)
        return distribution(self.entry, by_call, notes=notes, resolution=resolution, version=version)


DELAY = _Delay(
    MetricEntry(
        name="interruption_delay_ms",
        label="Interruption delay",
        unit=MS,
        better="lower",
        definition=(
            "From the first voiced sample of the caller's interruption to the last voiced sample received "
            "from the agent. Where the agent never stopped the delay is censored: counted, not in the "
            "percentiles."
        ),
        needs=(Need.INTERRUPTIONS,),
        when_absent=NO_INTERRUPTION,
        counted="stop",
        card=3,
    )
)
