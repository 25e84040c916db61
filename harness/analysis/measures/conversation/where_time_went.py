"""Where the time of answers went by what the agent tells of itself, and what of it it does not tell.

The parts are claims of the agent's: they stand beside our figure, and no gate may rest on them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from harness.analysis.analysed_call import AnalysedCall, Need
from harness.analysis.measures.base import Found, Measure, MetricEntry, ScoredCall
from harness.analysis.measures.notes import count, tally
from harness.analysis.measures.pooling import NOT_MEASURED, distribution, missing
from harness.analysis.measures.units import MS
from harness.records.scores import CallScores, TurnTold
from harness.records.scores.told import Part
from metrics.score import Score, Status

CONTRADICTED = "claims that contradict what was measured"
_UNTOLD: dict[Part | None, str] = {
    "end_of_turn": "the agent told the end of no turn that it answered",
    "model": "the agent told no time of a language model",
    "voice": "the agent told no time of a voice",
    None: "the agent tells nothing of where its time went",
}


class ToldPart(Measure):
    """One part of every answer's latency.

    Args:
        part: Which; None: what is not told.
    """

    def __init__(self, entry: MetricEntry, part: Part | None) -> None:
        super().__init__(entry)
        self._part = part

    def of_call(self, call: AnalysedCall) -> Found:
        alone = CallScores(call_id=call.material.call_id, told=list(call.told))
        score = self.pool([ScoredCall(scores=alone)])
        return Found(score=score.model_copy(update={"reason": score.reason.removeprefix(NOT_MEASURED)}))

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        answers = [one for call in calls for one in call.scores.told]
        by_call = {
            call.scores.call_id: [
                value for one in call.scores.told if (value := self._value(one)) is not None
            ]
            for call in calls
        }
        reasons = self._reasons(answers)
        notes = []
        if reasons:
            notes = [f"{reasons.total()} of {count(len(answers), 'answer')} without: {tally(reasons)}"]
        told = any(one.told_ms for one in answers) if self._part is None else any(by_call.values())
        if not told:
            contradicted = any(one.contradiction for one in answers)
            status = Status.INDETERMINATE if contradicted else Status.NOT_APPLICABLE
            said = notes if set(reasons) != {self.entry.when_absent} else []
            return missing(self.entry, [self.entry.when_absent, *said], status=status)
        return distribution(self.entry, by_call, notes=notes)

    def _value(self, one: TurnTold) -> float | None:
        return one.not_told_ms if self._part is None else one.told_ms.get(self._part)

    def _reasons(self, answers: Sequence[TurnTold]) -> Counter[str]:
        """Why answers have no such time, counted."""
        return Counter(
            CONTRADICTED if one.contradiction else one.why_not.get(self._part, "") if self._part else ""
            for one in answers
            if self._value(one) is None
        )


def _told(name: str, part: Part | None, label: str, definition: str) -> ToldPart:
    return ToldPart(
        MetricEntry(
            name=name,
            label=label,
            unit=MS,
            better="lower",
            definition=definition,
            needs=(Need.TURNS, Need.EVENTS),
            when_absent=_UNTOLD[part],
            counted="answer",
            claimed=True,
        ),
        part,
    )


_CLAIM = "What the agent claims of itself, not our measurement: "
_MEDIAN = " The headline is the median of the answers in which it is told."

END_OF_TURN = _told(
    "told_end_of_turn_ms",
    "end_of_turn",
    "End of turn, as the agent tells",
    f"{_CLAIM}from the caller's last voiced sample until the agent told that it took the turn for ended "
    f"(RTVI: until its message came; LiveKit: its own end_of_turn_delay).{_MEDIAN}",
)
MODEL = _told(
    "told_model_ms",
    "model",
    "Language model, as the agent tells",
    f"{_CLAIM}until its language model had begun the answer (RTVI: ttfat, else ttfb, of all requests before "
    f"the voice began; LiveKit: llm_node_ttfs, else llm_node_ttft).{_MEDIAN}",
)
VOICE = _told(
    "told_voice_ms",
    "voice",
    "Voice, as the agent tells",
    f"{_CLAIM}until its voice had the first sound (RTVI: ttfa, else ttfb; LiveKit: tts_node_ttfb).{_MEDIAN}",
)
NOT_TOLD = _told(
    "not_told_ms",
    None,
    "Latency that the agent does not account for",
    "The measured response latency of each answer less what the agent claims of it (end of turn, model, "
    "voice): the way there and back, and whatever it does not tell. An answer of which it tells nothing "
    "counts in full. The headline is the median.",
)
