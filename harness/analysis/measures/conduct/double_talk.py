"""For how much of the caller's turns the agent spoke too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from harness.analysis.analysed_call import AnalysedCall
from harness.analysis.measures.base import Found, Measure, ScoredCall
from harness.analysis.measures.conduct.conducted import share
from harness.analysis.measures.pooling import missing, weighted_mean
from harness.analysis.measures.units import RATIO
from harness.records.scores import TurnConduct
from metrics.interaction.entry import VERSION, Entry
from metrics.score import Evidence, Score, Status, not_measured


class _DoubleTalk(Measure):
    def of_call(self, call: AnalysedCall) -> Found:
        turns = _counted(call.conduct)
        seconds = sum(one.end_s - one.start_s for one in turns)
        if not seconds:
            return Found(score=not_measured(self.entry.name, RATIO.name, self.entry.when_absent))
        double_s = sum(one.double_talk_s for one in turns)
        return Found(
            score=Score(
                metric=self.entry.name,
                unit=RATIO.name,
                value=double_s / seconds,
                status=Status.MEASURED,
                reason=_told(turns),
                n=len(turns),
                evidence=tuple(
                    Evidence(
                        call_id=call.material.call_id,
                        start_s=one.entry_at_s,
                        end_s=one.end_s,
                        value=one.double_talk_s / (one.end_s - one.start_s),
                        text=f"both spoke for {one.double_talk_s:.2f} s",
                    )
                    for one in turns
                    if one.double_talk_s > 0
                ),
                version=VERSION,
            )
        )

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        by_call = {call.scores.call_id: _counted(call.scores.conduct) for call in calls}
        parts = {
            name: [(one.double_talk_s / (one.end_s - one.start_s), one.end_s - one.start_s) for one in turns]
            for name, turns in by_call.items()
            if turns
        }
        if not parts:
            return missing(self.entry)
        told = _told([one for turns in by_call.values() for one in turns])
        return weighted_mean(self.entry, parts, notes=[told], version=VERSION)


def _counted(turns: Sequence[TurnConduct]) -> list[TurnConduct]:
    return [one for one in turns if one.entry is not Entry.NOT_COUNTED and one.end_s > one.start_s]


def _told(turns: Sequence[TurnConduct]) -> str:
    double_s = sum(one.double_talk_s for one in turns)
    return f"{double_s:.1f} of {sum(one.end_s - one.start_s for one in turns):.1f} s"


DOUBLE_TALK = _DoubleTalk(
    # Of seconds: it is no count of turns.
    replace(
        share(
            "double_talk_share",
            "Double talk",
            "Seconds in which both spoke because the agent came in while the caller had the floor (split "
            "turns, false starts, overlaps), over the seconds of all turns that began while it was silent.",
            "no turn of the caller that was due an answer began while the agent was silent",
        ),
        share=False,
    )
)
