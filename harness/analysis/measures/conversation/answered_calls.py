"""Whether the agent takes its calls at all."""

from __future__ import annotations

from collections.abc import Sequence

from harness.analysis.measures.base import Measure, MetricEntry, ScoredCall
from harness.analysis.measures.notes import count
from harness.analysis.measures.pooling import missing, proportion
from harness.analysis.measures.units import RATIO
from harness.records.call import CallRecord, CallStatus
from metrics.score import Score


class _AnsweredCalls(Measure):
    scores_calls = False

    def of_run(self, records: Sequence[CallRecord]) -> Score | None:
        taken = sum(record.status.took_place for record in records)
        refused = [record for record in records if record.status is CallStatus.NOT_ANSWERED]
        # Those of ours that were not to be taken say nothing of anybody.
        not_taken = [record for record in refused if not record.as_planned]
        if not taken and not not_taken:
            return None
        reasons: dict[str, int] = {}
        for record in not_taken:
            why = record.not_answered.reason if record.not_answered is not None else "no reason given"
            reasons[why] = reasons.get(why, 0) + 1
        notes = (
            [f"not answered: {', '.join(f'{n} {why}' for why, n in sorted(reasons.items()))}"]
            if reasons
            else []
        )
        failed = sum(record.status is CallStatus.SETUP_FAILED for record in records)
        if failed:
            notes.append(f"not counted: {count(failed, 'call')} that could not be set up")
        return proportion(self.entry, taken, taken + len(not_taken), notes=notes)

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        return missing(self.entry)


ANSWERED_CALLS = _AnsweredCalls(
    MetricEntry(
        name="answered_calls",
        label="Answered calls",
        unit=RATIO,
        better="higher",
        definition=(
            "Calls that were taken, among those that were taken and those that nobody took (busy, "
            "declined, no answer, redirected, an unknown number). Calls that could not be set up, and "
            "those that our own side spoilt, are not counted."
        ),
        when_absent="no call was placed that somebody could have taken",
        counted="call",
        share=True,
    )
)
