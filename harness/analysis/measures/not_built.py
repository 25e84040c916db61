"""Metrics of the paper that this version does not measure: they have an entry, so that reports say so.

One that is built moves to a file of its own, and its line in the table leads there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from harness.analysis.measures.base import Measure, MetricEntry, ScoredCall
from harness.analysis.measures.pooling import missing
from harness.analysis.measures.units import RATIO, Unit
from metrics.score import Score

NOT_BUILT = "this version of outboundeval does not measure it"


class NotBuilt(Measure):
    """Never has a value."""

    scores_calls = False

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        return missing(self.entry)


def _entry(
    name: str,
    label: str,
    better: Literal["lower", "higher"],
    paper: str,
    definition: str,
    *,
    unit: Unit = RATIO,
    when_absent: str = NOT_BUILT,
) -> NotBuilt:
    return NotBuilt(
        MetricEntry(
            name=name,
            label=label,
            unit=unit,
            better=better,
            definition=definition,
            paper=paper,
            when_absent=when_absent,
        )
    )


EMOTION = _entry(
    "emotion_match",
    "Emotion match",
    "higher",
    "Table 16",
    "How far the emotion of the voice fits the words.",
    when_absent="only people or an audio model can tell; pitch, loudness and rate: run --probes emotion",
)
