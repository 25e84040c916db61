"""Whether the agent stops soon enough when it is interrupted."""

from __future__ import annotations

from collections.abc import Sequence

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import MetricEntry, ScoredCall
from harness.analysis.measures.conversation.interruptions import (
    NO_INTERRUPTION,
    VERSION,
    none_successful,
    outcome_note,
    timings_of,
)
from harness.analysis.measures.conversation.timed import TimedMeasure
from harness.analysis.measures.notes import count, version_of
from harness.analysis.measures.pooling import missing, proportion
from harness.analysis.measures.units import RATIO
from metrics.score import Score, Status

MAY_HAVE_ENDED = "it fell silent as at the end of a sentence"
"""How the reason of a stop begins that has no verdict for that."""


class _Success(TimedMeasure):
    version = VERSION

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        timings = timings_of(calls)
        if not timings:
            return missing(self.entry)
        stops = [timing for timing in timings if timing.outcome == "stopped"]
        decided = [timing for timing in stops if timing.within_500ms is not None]
        undecided = [timing for timing in stops if timing.within_500ms is None]
        ended = sum(timing.reason.startswith(MAY_HAVE_ENDED) for timing in undecided)
        hidden = sum(timing.delay_ms is None for timing in undecided)
        straddling = len(undecided) - ended - hidden
        notes = [outcome_note(timings)]
        if straddling:
            notes.append(f"{count(straddling, 'stop')} left out: the error bar straddles 500 ms")
        if ended:
            notes.append(f"{count(ended, 'stop')} left out: by sound alone a sentence may have ended there")
        if hidden:
            notes.append(
                f"{count(hidden, 'stop')} left out: an echo of the caller hides when the agent stopped"
            )
        if not decided:
            why, status = none_successful(timings)
            if undecided:
                why, status = "no stop can be told from 500 ms", Status.INDETERMINATE
            if ended and not straddling and not hidden:
                why = "no stop is certain"
            return missing(self.entry, [why, *notes], status=status)
        fast = sum(timing.within_500ms is True for timing in decided)
        version = version_of(self.entry.name, calls)
        return proportion(self.entry, fast, len(decided), notes=notes, version=version)


SUCCESS_500MS = _Success(
    MetricEntry(
        name="interruption_success_500ms",
        label="Interruption success, 500 ms",
        unit=RATIO,
        better="higher",
        definition=(
            "Stops in under 500 ms among all successful interruptions. An interruption is successful when "
            "the agent stopped because of it. A stop whose error bar straddles 500 ms is left out and "
            "counted, and so is one at the end of a sentence of an agent that does not report it."
        ),
        paper="Table 14",
        needs=(Need.INTERRUPTIONS,),
        when_absent=NO_INTERRUPTION,
        counted="stop",
        share=True,
        card=3,
    )
)
