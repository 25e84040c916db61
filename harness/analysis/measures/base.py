"""What a measure is: what it needs, its score for a call, how calls are pooled, and how it is told and shown.

Everything that scores, prints or draws a figure takes it from here, so that a new one is added by a file with
a :class:`Measure` and a line in :mod:`harness.analysis.measures.table`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from harness.analysis.analysed_call import AnalysedCall, Need
from harness.analysis.measures.units import Unit
from harness.plans.call import CallPlan
from harness.records.call import CallRecord
from harness.records.scores import CallScores, WordCounts
from metrics.score import Score

NOTHING_FOUND = "no call brought anything to measure"


@dataclass(frozen=True, kw_only=True)
class MetricEntry:
    """A metric in the catalogue.

    Attributes:
        name: In ``summary.json``, ``scores.json`` and the table of measures.
        label: For people.
        better: Which way is better; None for a metric that this version does not know.
        definition: For the report's reader: what is divided by what.
        paper: Where in the OutboundEval paper it is defined; empty for a metric of ours.
        needs: Without these a call has no value; the first that is lacking is the reason given.
        when_absent: The reason printed when no call brought anything to measure.
        counted: What ``n`` counts, in the singular.
        share: The value is so many of ``n``, and is told so.
        claimed: It rests on what the agent says of itself: it can be no gate's figure, and decides no
            comparison.
        card: Its place among the figures that the page shows first; None: it stands in the table below.
    """

    name: str
    label: str
    unit: Unit
    better: Literal["lower", "higher"] | None
    definition: str
    paper: str = ""
    needs: tuple[Need, ...] = ()
    when_absent: str = NOTHING_FOUND
    counted: str = "item"
    share: bool = False
    claimed: bool = False
    card: int | None = None

    @property
    def explanation(self) -> str:
        """The definition, where it is from, and which way is better."""
        source = f" Paper: {self.paper}." if self.paper else ""
        better = f" {self.better.capitalize()} is better." if self.better else ""
        return f"{self.definition}{source}{better}"


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a measure finds in a call.

    Attributes:
        counts: Edit counts behind an error rate, by which calls are pooled.
        unheard: What these would be if the agent heard nothing of the call, where it wrote nothing in it.
    """

    score: Score
    counts: WordCounts | None = None
    unheard: WordCounts | None = None


@dataclass(frozen=True, kw_only=True)
class ScoredCall:
    """A call to be pooled: what was measured, and how it was placed (None: a recording from elsewhere)."""

    scores: CallScores
    plan: CallPlan | None = None


class Measure(ABC):
    """One metric: see :class:`MetricEntry`.

    Attributes:
        scores_calls: A call has a score of its own in ``scores.json``. False where calls are only compared,
            or keep it in another part of that file.
    """

    scores_calls: ClassVar[bool] = True

    def __init__(self, entry: MetricEntry) -> None:
        self.entry = entry

    def of_call(self, call: AnalysedCall) -> Found:
        """What it finds in a call that lacks nothing of what it needs; asked only if it ``scores_calls``."""
        raise TypeError(f"{self.entry.name} has no score for a call")

    def unheard(self, call: AnalysedCall) -> WordCounts | None:
        """The edit counts of a call that lacks something, if it is lacking because the agent heard nothing;
        None where that cannot be, or the measure has no such counts."""
        return None

    def of_run(self, records: Sequence[CallRecord]) -> Score | None:
        """The figure over the calls of a run by how they ended, whether or not anything was measured in
        them; None for a measure that pools what was found in calls."""
        return None

    @abstractmethod
    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        """The figure over calls, or the reason why there is none."""
