"""Shares of turns in which the agent did something: what the figures on its conduct have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from harness.analysis.analysed_call import AnalysedCall, Need
from harness.analysis.measures.base import Found, Measure, MetricEntry, ScoredCall
from harness.analysis.measures.notes import tally
from harness.analysis.measures.pooling import missing, proportion
from harness.analysis.measures.units import RATIO
from harness.records.scores import TurnConduct
from metrics.interaction.entry import VERSION
from metrics.score import Evidence, Score, Status, not_measured

Place = tuple[float, float, str]
"""Where to listen, in seconds, and what is heard there."""


class ConductShare(Measure):
    """So many of the turns that can show it.

    Args:
        did: Whether the agent did it in a turn; None where the turn cannot show it.
        place: Where to listen to one that it did.
        why_not: Why a turn is not counted that could have been; empty where it never could.
        version: Of the figure, where it is not that of all of them.
    """

    def __init__(
        self,
        entry: MetricEntry,
        *,
        did: Callable[[TurnConduct], bool | None],
        place: Callable[[TurnConduct], Place],
        why_not: Callable[[TurnConduct], str] = lambda one: "",
        version: str = VERSION,
    ) -> None:
        super().__init__(entry)
        self._version = version
        self._did, self._place, self._why_not = did, place, why_not

    def of_call(self, call: AnalysedCall) -> Found:
        known = [(one, did) for one in call.conduct if (did := self._did(one)) is not None]
        told = self._left_out(call.conduct)
        if not known:
            return Found(
                score=not_measured(self.entry.name, RATIO.name, "; ".join(told) or self.entry.when_absent)
            )
        did_it = [one for one, did in known if did]
        return Found(
            score=Score(
                metric=self.entry.name,
                unit=RATIO.name,
                value=len(did_it) / len(known),
                status=Status.MEASURED,
                reason="; ".join(told),
                n=len(known),
                evidence=tuple(self._evidence(call.material.call_id, one) for one in did_it),
                version=self._version,
            )
        )

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        turns = [one for call in calls for one in call.scores.conduct]
        known = [did for one in turns if (did := self._did(one)) is not None]
        notes = self._left_out(turns)
        if not known:
            return missing(self.entry, notes)
        return proportion(self.entry, sum(known), len(known), notes=notes, version=self._version)

    def _left_out(self, turns: Sequence[TurnConduct]) -> list[str]:
        reasons = Counter(why for one in turns if self._did(one) is None and (why := self._why_not(one)))
        return [f"not counted: {tally(reasons)}"] if reasons else []

    def _evidence(self, call_id: str, one: TurnConduct) -> Evidence:
        start_s, end_s, what = self._place(one)
        return Evidence(call_id=call_id, start_s=start_s, end_s=max(start_s, end_s), value=1.0, text=what)


def share(name: str, label: str, definition: str, when_absent: str, counted: str = "turn") -> MetricEntry:
    """The entry of such a figure: lower is better."""
    return MetricEntry(
        name=name,
        label=label,
        unit=RATIO,
        better="lower",
        definition=definition,
        needs=(Need.TURNS,),
        when_absent=when_absent,
        counted=counted,
        share=True,
    )
