"""A figure of the agent's voice that has a value for each stretch of speech, weighed by how long it lasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from harness.analysis.measures.base import Measure, ScoredCall
from harness.analysis.measures.notes import reasons_of, scores_of, worst
from harness.analysis.measures.pooling import missing, weighted_mean
from harness.records.scores import CallScores
from metrics.score import Evidence, Score, Status, not_measured


class ByDuration(Measure):
    """The mean over stretches, by duration: a listener hears ten seconds ten times as long as one.

    The evidence of a call's score keeps every stretch with its value; what else is worth listening to (a
    place without a value) may stand there, too.
    """

    version: ClassVar[str] = "1"

    def score_of(
        self, stretches: Sequence[Evidence], *, places: Sequence[Evidence] = (), note: str = ""
    ) -> Score:
        """A call's score from its stretches, of which there must be one; each has its times and its value."""
        weighed = self._parts(stretches)
        total_s = sum(seconds for _, seconds in weighed)
        return Score(
            metric=self.entry.name,
            unit=self.entry.unit.name,
            value=sum(value * seconds for value, seconds in weighed) / total_s,
            status=Status.MEASURED,
            reason=note,
            n=len(weighed),
            evidence=(*stretches, *places),
            version=self.version,
        )

    def none(self, reason: str, *, status: Status = Status.NOT_APPLICABLE) -> Score:
        """A call's score without a value."""
        return not_measured(
            self.entry.name, self.entry.unit.name, reason, status=status, version=self.version
        )

    def parts(self, scores: CallScores) -> list[tuple[float, float]]:
        """Value and seconds of each stretch that a call's file keeps."""
        return [
            part for score in scores.scores if score.metric == self.entry.name for part in self._of(score)
        ]

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        name = self.entry.name
        by_call = {call.scores.call_id: self.parts(call.scores) for call in calls}
        if not any(by_call.values()):
            status = worst(score.status for score in scores_of(name, calls))
            return missing(self.entry, reasons_of(name, calls), status=status)
        return self._pooled(by_call, reasons_of(name, calls))

    def _pooled(self, by_call: Mapping[str, Sequence[tuple[float, float]]], notes: Sequence[str]) -> Score:
        return weighted_mean(self.entry, by_call, notes=notes, version=self.version)

    def _of(self, score: Score) -> list[tuple[float, float]]:
        return self._parts(score.evidence) if score.status is Status.MEASURED else []

    @staticmethod
    def _parts(evidence: Sequence[Evidence]) -> list[tuple[float, float]]:
        return [
            (one.value, one.end_s - one.start_s)
            for one in evidence
            if one.value is not None and one.start_s is not None and one.end_s is not None
        ]
