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
from harness.records.scores import InterruptionTiming
from metrics.score import Score, Status

MAY_HAVE_ENDED = "it fell silent as at the end of a sentence"
"""How the reason of a stop begins that has no verdict for that."""
SUCCESS_MS = 500.0
WIDEST = 1 / 3
"""What such stops leave open of the figure; where it is more, there is none."""


class _LeftOpen:
    """What stops that may have been the end of a sentence leave open of the figure: any of them may count,
    by its delay, or none.

    Args:
        fast, n: Of the stops that are certain, those in under 500 ms, and all.
    """

    def __init__(self, fast: int, n: int, ended: Sequence[InterruptionTiming]) -> None:
        self._ended = len(ended)
        soon = sum(timing.delay_ms is not None and timing.delay_ms < SUCCESS_MS for timing in ended)
        late = len(ended) - soon
        self._fast, self._n = fast + soon, n + len(ended)
        self._low = fast / (n + late) if n + late else 1.0
        self._high = (fast + soon) / (n + soon) if n + soon else 0.0

    @property
    def width(self) -> float:
        """From the least that is possible to the most."""
        return self._high - self._low

    @property
    def note(self) -> str:
        return (
            f"{count(self._ended, 'stop')} left out: by sound alone a sentence may have ended there; with "
            f"all of them, by their delays, it would be {self._fast / self._n:.2f} "
            f"({self._fast} of {self._n}), with some from {self._low:.2f} to {self._high:.2f}"
        )


class _Success(TimedMeasure):
    version = VERSION

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        timings = timings_of(calls)
        if not timings:
            return missing(self.entry)
        stops = [timing for timing in timings if timing.outcome == "stopped"]
        decided = [timing for timing in stops if timing.within_500ms is not None]
        undecided = [timing for timing in stops if timing.within_500ms is None]
        ended = [timing for timing in undecided if timing.reason.startswith(MAY_HAVE_ENDED)]
        hidden = sum(timing.delay_ms is None for timing in undecided)
        straddling = len(undecided) - len(ended) - hidden
        fast = sum(timing.within_500ms is True for timing in decided)
        left = _LeftOpen(fast, len(decided), ended)
        notes = [outcome_note(timings)]
        if straddling:
            notes.append(f"{count(straddling, 'stop')} left out: the error bar straddles 500 ms")
        if ended:
            notes.append(left.note)
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
        if left.width > WIDEST:
            why = f"{fast} of {len(decided)} stops that are certain leave too much open"
            return missing(self.entry, [why, *notes], status=Status.INDETERMINATE)
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
            "counted, and so is one at what may be the end of a sentence of an agent that does not report "
            "it: what those leave open stands beside, and where it is more than a third there is no figure."
        ),
        paper="Table 14",
        needs=(Need.INTERRUPTIONS,),
        when_absent=NO_INTERRUPTION,
        counted="stop",
        share=True,
        card=3,
    )
)
