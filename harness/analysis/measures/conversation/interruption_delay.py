"""How long the agent goes on after it was interrupted: over all interruptions, and over stops alone."""

from __future__ import annotations

import math
from collections.abc import Sequence

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import MetricEntry, ScoredCall
from harness.analysis.measures.conversation.interruptions import NO_INTERRUPTION, none_successful, timings_of
from harness.analysis.measures.conversation.interruptions import VERSION as OF_OUTCOMES
from harness.analysis.measures.conversation.timed import TimedMeasure
from harness.analysis.measures.notes import count, version_of, widest
from harness.analysis.measures.pooling import censored_distribution, distribution, missing
from harness.analysis.measures.units import MS
from harness.records.scores import InterruptionTiming
from metrics.score import Score, Status
from metrics.survival import Waited

VERSION = f"{OF_OUTCOMES}.2"
"""Of what becomes of an interruption, and how delays are pooled: 1 left out those that never ended."""


class _Delay(TimedMeasure):
    version = VERSION

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        timings = timings_of(calls)
        if not timings:
            return missing(self.entry)
        stops = [timing for timing in timings if timing.outcome == "stopped"]
        notes = _notes(timings)
        if not stops:
            why, status = none_successful(timings)
            notes = [why, *notes]
            # Then the bound is all that is known; one that nobody can tell of may have been a stop.
            if not any(map(gone_on, timings)) or any(map(_is_open, timings)):
                return missing(self.entry, notes, status=status)
        by_call = {
            call.scores.call_id: [
                waited for timing in call.scores.interruptions if (waited := gone_on(timing)) is not None
            ]
            for call in calls
        }
        resolution = widest([timing.resolution_ms for timing in stops])
        return censored_distribution(self.entry, by_call, notes=notes, resolution=resolution, version=VERSION)


class _StopsOnly(TimedMeasure):
    version = OF_OUTCOMES

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        timings = timings_of(calls)
        if not timings:
            return missing(self.entry)
        by_call = {
            call.scores.call_id: [
                timing.delay_ms
                for timing in call.scores.interruptions
                if timing.outcome == "stopped" and timing.delay_ms is not None
            ]
            for call in calls
        }
        if not any(by_call.values()):
            if any(timing.outcome == "stopped" for timing in timings):
                why = "an echo of the caller hides when the agent stopped"
                return missing(self.entry, [why], status=Status.INDETERMINATE)
            why, status = none_successful(timings)
            return missing(self.entry, [why], status=status)
        resolution = widest([timing.resolution_ms for timing in timings if timing.outcome == "stopped"])
        version = version_of(self.entry.name, calls)
        return distribution(self.entry, by_call, resolution=resolution, version=version)


def gone_on(timing: InterruptionTiming) -> Waited | None:
    """How long the agent went on, or is known to have, at least to where the call ended; None where it
    stopped by itself or nobody can tell."""
    known_ms = timing.censored_after_ms
    if timing.outcome == "stopped" and timing.delay_ms is not None:
        return Waited(time=timing.delay_ms)
    if timing.outcome == "not_stopped" and known_ms is None:
        return Waited(time=math.inf, came=False)
    # A stop that an echo hides is known not to have come before.
    return None if known_ms is None else Waited(time=known_ms, came=False)


def _is_open(timing: InterruptionTiming) -> bool:
    return timing.outcome == "indeterminate" and gone_on(timing) is None


def _notes(timings: Sequence[InterruptionTiming]) -> list[str]:
    censored = sum((waited := gone_on(timing)) is not None and not waited.came for timing in timings)
    hidden = sum(timing.outcome == "stopped" and timing.delay_ms is None for timing in timings)
    in_pause = sum(timing.outcome == "stopped" and timing.stopped_in_pause for timing in timings)
    notes = []
    if censored - hidden:
        notes.append(f"{censored - hidden} censored: the agent did not stop while it could be heard")
    if hidden:
        notes.append(f"{hidden} censored: it stopped while an echo of the caller hid when")
    if in_pause:
        notes.append(f"{count(in_pause, 'stop')} may have fallen in a pause between words")
    return notes


_FROM_TO = (
    "From the first voiced sample of the caller's interruption to the last voiced sample received from the "
    "agent. "
)

DELAY = _Delay(
    MetricEntry(
        name="interruption_delay_ms",
        label="Interruption delay",
        unit=MS,
        better="lower",
        definition=(
            f"{_FROM_TO}Where the agent never stopped the delay is censored: longer than it was heard to go "
            "on (Kaplan-Meier). The headline is the median; a percentile that is not reached has no value."
        ),
        needs=(Need.INTERRUPTIONS,),
        when_absent=NO_INTERRUPTION,
        counted="interruption",
        card=4,
    )
)

STOPS_ONLY = _StopsOnly(
    MetricEntry(
        name="interruption_delay_stopped_ms",
        label="Interruption delay, stops alone",
        unit=MS,
        better="lower",
        definition=f"{_FROM_TO}Only where the agent stopped: read it beside the stop rate.",
        needs=(Need.INTERRUPTIONS,),
        when_absent=NO_INTERRUPTION,
        counted="stop",
    )
)
