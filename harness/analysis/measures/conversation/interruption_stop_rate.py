"""Whether the agent stops at all when it is interrupted."""

from __future__ import annotations

from collections.abc import Sequence

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import MetricEntry, ScoredCall
from harness.analysis.measures.conversation.interruptions import (
    NO_INTERRUPTION,
    VERSION,
    outcome_note,
    outcomes_of,
    timings_of,
)
from harness.analysis.measures.conversation.timed import TimedMeasure
from harness.analysis.measures.notes import version_of
from harness.analysis.measures.pooling import missing, proportion
from harness.analysis.measures.units import RATIO
from metrics.score import Score, Status


class _StopRate(TimedMeasure):
    version = VERSION

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        timings = timings_of(calls)
        if not timings:
            return missing(self.entry)
        outcomes = outcomes_of(timings)
        stopped, ran_on = outcomes.get("stopped", 0), outcomes.get("not_stopped", 0)
        notes = [outcome_note(timings)]
        if not stopped + ran_on:
            status = Status.INDETERMINATE if "indeterminate" in outcomes else Status.NOT_APPLICABLE
            why = "no interruption shows whether the agent stops"
            return missing(self.entry, [why, *notes], status=status)
        version = version_of(self.entry.name, calls)
        return proportion(self.entry, stopped, stopped + ran_on, notes=notes, version=version)


STOP_RATE = _StopRate(
    MetricEntry(
        name="interruption_stop_rate",
        label="Interruption stop rate",
        unit=RATIO,
        better="higher",
        definition=(
            "Interruptions that made the agent stop, among those where it stopped or went on. An agent that "
            "had finished by itself counts on neither side."
        ),
        needs=(Need.INTERRUPTIONS,),
        when_absent=NO_INTERRUPTION,
        counted="interruption",
        share=True,
        card=5,
    )
)
