"""False stops and false replies: what an agent did about what was not meant for it.

Each is a rate of its own over the places of a form of suite (as ``restraint``: sounds; as ``echo``: its own
voice), and is told beside the same rate at places without, because an agent that ends or pauses by itself
looks like one that was stopped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from harness.analysis.analysed_call import AnalysedCall, Need
from harness.analysis.measures.base import Found, Measure, MetricEntry, ScoredCall
from harness.analysis.measures.notes import reasons_of, scores_of, worst
from harness.analysis.measures.pooling import missing, proportion
from harness.analysis.measures.units import RATIO
from harness.records.scores import ProbeReaction
from harness.records.scores.probes import What
from metrics.score import Evidence, Score, Status, not_measured

VERSION = "2"
"""Of the definition: an agent that reports no interruption at all is judged by what is heard of it."""

_NONE_PLANTED = "no call planted a sound that is not meant for the agent: run --probes restraint"
_NONE_CAME_BACK = "in no call the agent's own voice came back to it: run --probes echo"


class _FalseReaction(Measure):
    def __init__(self, entry: MetricEntry, *, asks: Literal["stopped", "replied"], what: What) -> None:
        super().__init__(entry)
        self._asks = asks
        self._what = what
        self._without = "at places without a sound" if what == "sound" else "where nothing came back"

    def of_call(self, call: AnalysedCall) -> Found:
        own = [one for one in call.reactions if one.what == self._what]
        if not own:
            return Found(score=not_measured(self.entry.name, RATIO.name, "it is a call of another suite"))
        told = "; ".join(
            f"{n} not counted: {why}" for why, n in Counter(filter(None, map(self._why_not, own))).items()
        )
        known = [one for one in own if self._did(one) is not None]
        # A call of places without a sound has a score of its own: what its agent does by itself.
        if not known:
            return Found(score=not_measured(self.entry.name, RATIO.name, told or "no sound at such a place"))
        did = sum(bool(self._did(one)) for one in known)
        return Found(
            score=Score(
                metric=self.entry.name,
                unit=RATIO.name,
                value=did / len(known),
                status=Status.MEASURED,
                reason=told,
                n=len(known),
                evidence=tuple(self._evidence(call.material.call_id, one) for one in known),
                version=VERSION,
            )
        )

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        own = [one for call in calls for one in call.scores.reactions if one.what == self._what]
        sounds = [one for one in own if not one.control and self._did(one) is not None]
        if not sounds:
            status = worst(score.status for score in scores_of(self.entry.name, calls))
            told = own or status is Status.FAILED
            return missing(self.entry, reasons_of(self.entry.name, calls) if told else (), status=status)
        controls = [one for one in own if one.control and self._did(one) is not None]
        notes = ["nothing without it to compare with"]
        if controls:
            by_itself = sum(bool(self._did(one)) for one in controls)
            notes = [f"{by_itself} of {len(controls)} {self._without}"]
        planted = Counter(one.kind for one in sounds)
        did = Counter(one.kind for one in sounds if self._did(one))
        notes += [f"{kind.replace('_', ' ')} {did[kind]} of {n}" for kind, n in sorted(planted.items())]
        left = sum(bool(self._why_not(one)) for one in own)
        if left:
            notes.append(f"{left} not counted")
        return proportion(self.entry, did.total(), len(sounds), notes=notes, version=VERSION)

    def _did(self, one: ProbeReaction) -> bool | None:
        return one.stopped if self._asks == "stopped" else one.replied

    def _why_not(self, one: ProbeReaction) -> str:
        """Why a place is not counted; empty where it is, or where this is not asked."""
        if self._did(one) is not None or (self._asks == "stopped" and one.over_agent is False):
            return ""
        return one.reason

    def _evidence(self, call_id: str, one: ProbeReaction) -> Evidence:
        where = "into its speech" if one.over_agent else "into silence"
        what = one.item
        if one.control:
            what = f"a place without {'an echo' if self._what == 'own_voice' else one.kind.replace('_', ' ')}"
        why = f", {one.reason}" if one.reason and self._did(one) else ""
        return Evidence(
            call_id=call_id,
            start_s=one.start_s,
            end_s=one.end_s,
            value=float(bool(self._did(one))),
            text=f"{what}, {where}{why}",
        )


FALSE_STOPS = _FalseReaction(
    MetricEntry(
        name="false_stop_rate",
        label="False stops",
        unit=RATIO,
        better="lower",
        definition=(
            "Sounds that were not meant for the agent (a listener's noise, cough, side talk, keys, "
            "television, music) and began while it spoke, for which it fell silent "
            "within 1 s, over all of these."
        ),
        needs=(Need.PROBE,),
        when_absent=_NONE_PLANTED,
        counted="sound",
        share=True,
    ),
    asks="stopped",
    what="sound",
)
FALSE_REPLIES = _FalseReaction(
    MetricEntry(
        name="false_reply_rate",
        label="False replies",
        unit=RATIO,
        better="lower",
        definition=(
            "Sounds that were not meant for the agent after which it began to speak within 2 s of their end, "
            "or of the end of its speech that they fell into, before the caller said anything, "
            "over all of these."
        ),
        needs=(Need.PROBE,),
        when_absent=_NONE_PLANTED,
        counted="sound",
        share=True,
    ),
    asks="replied",
    what="sound",
)
ECHO_STOPS = _FalseReaction(
    MetricEntry(
        name="echo_stop_rate",
        label="Stops for its own echo",
        unit=RATIO,
        better="lower",
        definition=(
            "Answers during which the agent's own voice came back to it, as from a telephone with a "
            "loudspeaker, and that ended within 1 s of its coming back, over all of these."
        ),
        needs=(Need.PROBE,),
        when_absent=_NONE_CAME_BACK,
        counted="answer",
        share=True,
    ),
    asks="stopped",
    what="own_voice",
)
ECHO_REPLIES = _FalseReaction(
    MetricEntry(
        name="echo_reply_rate",
        label="Replies to its own echo",
        unit=RATIO,
        better="lower",
        definition=(
            "Answers during which the agent's own voice came back to it, after which it began to speak again "
            "within 2 s of the last that came back, before the caller said anything, over all of these."
        ),
        needs=(Need.PROBE,),
        when_absent=_NONE_CAME_BACK,
        counted="answer",
        share=True,
    ),
    asks="replied",
    what="own_voice",
)
