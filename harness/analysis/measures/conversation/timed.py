"""Measures that read the timing of a call: its score is the figure over that one call."""

from __future__ import annotations

from typing import ClassVar

from harness.analysis.analysed_call import AnalysedCall
from harness.analysis.measures.base import Found, Measure, ScoredCall
from harness.analysis.measures.pooling import NOT_MEASURED
from harness.records.scores import CallScores


class TimedMeasure(Measure):
    """A measure whose observations are the turns and interruptions of ``scores.json``.

    Attributes:
        version: Of how these are found; a call's score carries it.
    """

    version: ClassVar[str]

    def of_call(self, call: AnalysedCall) -> Found:
        alone = CallScores(
            call_id=call.material.call_id, turns=list(call.turns), interruptions=list(call.interruptions)
        )
        score = self.pool([ScoredCall(scores=alone)])
        reason = score.reason.removeprefix(NOT_MEASURED)
        return Found(score=score.model_copy(update={"reason": reason, "version": self.version}))
