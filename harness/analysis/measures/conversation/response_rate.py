"""Whether the agent answers at all."""

from __future__ import annotations

from collections.abc import Sequence

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import MetricEntry, ScoredCall
from harness.analysis.measures.conversation.timed import TimedMeasure
from harness.analysis.measures.conversation.turns import NO_TURN_DUE, due_of, outcome_note, turns_of
from harness.analysis.measures.conversation.turns import VERSION as OF_OUTCOMES
from harness.analysis.measures.notes import version_of
from harness.analysis.measures.pooling import missing, proportion
from harness.analysis.measures.units import RATIO
from metrics.score import Score

VERSION = f"{OF_OUTCOMES}.2"
"""Of what becomes of a turn, and which are due: without a second number a script's asides were."""


class _ResponseRate(TimedMeasure):
    version = VERSION

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        due = due_of(calls)
        notes = [outcome_note(turns_of(calls))] if turns_of(calls) else []
        if not due:
            return missing(self.entry, [self.entry.when_absent, *notes])
        replied = sum(turn.outcome.replied for turn in due)
        version = version_of(self.entry.name, calls)
        return proportion(self.entry, replied, len(due), notes=notes, version=version)


RESPONSE_RATE = _ResponseRate(
    MetricEntry(
        name="response_rate",
        label="Response rate",
        unit=RATIO,
        better="higher",
        definition=(
            "Turns of the caller that the agent answered, in full or in part, among all that were due an "
            "answer. Due and without one are turns that it left unanswered and those that it talked over; "
            "not due are goodbyes, backchannels, asides, and what our own side cut off."
        ),
        needs=(Need.TURNS,),
        when_absent=NO_TURN_DUE,
        counted="turn",
        share=True,
        card=2,
    )
)
