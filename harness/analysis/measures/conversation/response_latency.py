"""How fast the agent answers: over all turns that were due an answer, and over the answered ones alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import MetricEntry, ScoredCall
from harness.analysis.measures.conversation.timed import TimedMeasure
from harness.analysis.measures.conversation.turns import (
    NO_TURN_DUE,
    TOLD_WITHIN_MS,
    bar_of,
    due_of,
    turns_of,
    waited_for,
)
from harness.analysis.measures.conversation.turns import VERSION as OF_OUTCOMES
from harness.analysis.measures.notes import count, tally, version_of, widest, worst
from harness.analysis.measures.pooling import censored_distribution, distribution, missing
from harness.analysis.measures.units import MS
from harness.records.scores import TurnTiming
from metrics.interaction.outcome import TurnOutcome
from metrics.score import Score

VERSION = f"{OF_OUTCOMES}.4"
"""Of what becomes of a turn, and how latencies are pooled: 1 left out turns without an answer, 2 answers
behind a chime, 3 answers whose time is only known to lie between two others."""
ANSWERED_VERSION = f"{OF_OUTCOMES}.2"
"""The same, of answers alone: without a second number answers behind a chime were left out."""


ANSWERED_WHEN = "of no answer can be told when it began"


class _ResponseLatency(TimedMeasure):
    version = VERSION

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        due = due_of(calls)
        by_call = {
            call.scores.call_id: [
                waited for turn in call.scores.turns if turn.outcome.due and (waited := waited_for(turn))
            ]
            for call in calls
        }
        notes = [*_what_is_in(due), *_left_out(due, [turn for turn in due if waited_for(turn) is None])]
        waits = [one for waited in by_call.values() for one in waited]
        if not any(one.came for one in waits):
            none_due = [NO_TURN_DUE] if turns_of(calls) and not due else []
            answered = any(turn.outcome.replied for turn in due)
            notes = [ANSWERED_WHEN if answered else self.entry.when_absent, *none_due, *notes]
            # Without any answer the bound is all that is known; where some came at a time that cannot be
            # told, it would be of the others alone.
            if not waits or len(waits) < len(due):
                return missing(self.entry, notes, status=worst(turn.status for turn in due))
        timed = [turn for turn in due if (one := waited_for(turn)) is not None and one.came]
        resolution = widest([bar_of(turn) for turn in timed])
        return censored_distribution(self.entry, by_call, notes=notes, resolution=resolution, version=VERSION)


class _AnsweredOnly(TimedMeasure):
    version = ANSWERED_VERSION

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        by_call = {
            call.scores.call_id: [
                turn.latency_ms
                for turn in call.scores.turns
                if turn.outcome.replied and turn.latency_ms is not None
            ]
            for call in calls
        }
        replied = [turn for turn in due_of(calls) if turn.outcome.replied]
        notes = _left_out(replied, [turn for turn in replied if turn.latency_ms is None])
        if not any(by_call.values()):
            status = worst(turn.status for turn in replied)
            return missing(self.entry, [self.entry.when_absent, *notes], status=status)
        resolution = widest([turn.resolution_ms for turn in replied if turn.latency_ms is not None])
        version = version_of(self.entry.name, calls)
        return distribution(self.entry, by_call, notes=notes, resolution=resolution, version=version)


def _what_is_in(due: Sequence[TurnTiming]) -> list[str]:
    """Observations that are no plain latency."""
    silent = sum(turn.outcome is TurnOutcome.NOT_ANSWERED for turn in due)
    between = [one for turn in due if turn.at_least_ms is not None and (one := waited_for(turn)) is not None]
    within = sum(one.came for one in between)
    early = sum(turn.outcome is TurnOutcome.TALKED_OVER and turn.latency_ms is not None for turn in due)
    notes = []
    if silent:
        notes.append(f"{silent} of {count(len(due), 'turn')} not answered: censored at the time waited")
    if within:
        notes.append(f"{within} known to within {TOLD_WITHIN_MS:.0f} ms, in with the middle of that")
    if len(between) > within:
        notes.append(
            f"{len(between) - within} answered nobody can tell when: censored at the least that it took"
        )
    if early:
        notes.append(f"{early} talked over, in with a latency that is below 0 where the agent began early")
    return notes


def _left_out(turns: Sequence[TurnTiming], untold: Sequence[TurnTiming]) -> list[str]:
    """What was heard to be answered, and not when."""
    if not untold:
        return []
    why = tally(Counter(turn.reason for turn in untold))
    return [f"{len(untold)} of {count(len(turns), 'turn')} left out: {why}"]


_FROM_TO = (
    "From the last voiced sample that the caller sent to the first voiced sample received from the agent; "
    "negative when the agent starts early, never clamped. "
)

RESPONSE_LATENCY = _ResponseLatency(
    MetricEntry(
        name="response_latency_ms",
        label="Response latency",
        unit=MS,
        better="lower",
        definition=(
            f"{_FROM_TO}Over all turns that were due an answer: one without is censored at the time waited "
            "(Kaplan-Meier), so that an agent which leaves hard questions unanswered does not look fast; one "
            "whose time is only known to lie between two others at the earlier one (its middle within "
            f"{TOLD_WITHIN_MS:.0f} ms). The "
            "headline is the median; a percentile that too many turns never reach has no value."
        ),
        paper="Table 14",
        needs=(Need.TURNS,),
        when_absent="no turn was answered",
        counted="turn",
        card=1,
    )
)

ANSWERED_ONLY = _AnsweredOnly(
    MetricEntry(
        name="response_latency_answered_ms",
        label="Response latency, answered turns alone",
        unit=MS,
        better="lower",
        definition=(
            f"{_FROM_TO}Only of turns that were answered, in full or in part: read it beside the response "
            "rate. The headline is the median."
        ),
        needs=(Need.TURNS,),
        when_absent="no turn was answered",
        counted="turn",
    )
)
