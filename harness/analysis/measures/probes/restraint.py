"""False stops and false replies: what an agent did about sounds that were not meant for it.

Each is a rate of its own over the planted sounds of the suite ``restraint``, and is told beside the same rate
at places without a sound, because an agent that ends or pauses by itself looks like one that was stopped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from harness.analysis.analysed_call import AnalysedCall, Need
from harness.analysis.measures.base import Found, Measure, MetricEntry, ScoredCall
from harness.analysis.measures.notes import count
from harness.analysis.measures.pooling import missing, proportion
from harness.analysis.measures.units import RATIO
from harness.analysis.probes.places import Placed, placed_in
from harness.analysis.timing import agent_notices, never_arrived
from metrics.interaction.restraint import VERSION, Restraint, restraint
from metrics.score import Evidence, Score, Status, not_measured

SUITE = "restraint"
WITHOUT = "without the sound: "
"""How the evidence of a control begins."""
_NONE_PLANTED = "no call planted a sound that is not meant for the agent: run --probes restraint"


class _FalseReaction(Measure):
    def __init__(self, entry: MetricEntry, *, asks: Literal["stopped", "replied"]) -> None:
        super().__init__(entry)
        self._asks = asks

    def of_call(self, call: AnalysedCall) -> Found:
        assert call.material.probe is not None
        if call.material.probe.suite != SUITE:
            return Found(score=not_measured(self.entry.name, RATIO.name, "it is a call of another suite"))
        evidence, open_ones = [], Counter[str]()
        for placed, found in restraints(call):
            did, why = self._asked(placed, found)
            if did is None or found is None:
                if why:
                    open_ones[why] += 1
                continue
            evidence.append(_evidence(call.material.call_id, placed, did, found))
        told = "; ".join(f"{n} not counted: {why}" for why, n in open_ones.items())
        if not evidence:
            return Found(score=not_measured(self.entry.name, RATIO.name, told or "no sound at such a place"))
        value = sum(one.value or 0.0 for one in evidence) / len(evidence)
        return Found(
            score=Score(
                metric=self.entry.name,
                unit=RATIO.name,
                value=value,
                status=Status.MEASURED,
                reason=told,
                n=len(evidence),
                evidence=tuple(evidence),
                version=VERSION,
            )
        )

    def _asked(self, placed: Placed, found: Restraint | None) -> tuple[bool | None, str]:
        """Whether it did what is asked, and why that is not known; nothing where it is not asked there."""
        if found is None:
            return None, placed.why
        if self._asks == "stopped":
            return found.stopped, found.reason if found.over_agent else ""
        return found.replied, found.reason if found.replied is None else ""

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        sounds: list[Evidence] = []
        controls: list[Evidence] = []
        left: list[str] = []
        for call in calls:
            if call.plan is None or call.plan.probe is None or call.plan.probe.suite != SUITE:
                continue
            for score in call.scores.scores:
                if score.metric != self.entry.name:
                    continue
                if score.reason:
                    left.append(score.reason)
                for one in score.evidence:
                    (controls if one.text.startswith(WITHOUT) else sounds).append(one)
        if not sounds:
            return missing(self.entry, left)
        did = [one for one in sounds if one.value]
        notes = []
        if controls:
            by_itself = sum(bool(one.value) for one in controls)
            notes.append(f"{by_itself} of {len(controls)} at places without a sound")
        else:
            notes.append("no place without a sound to compare with")
        kinds = Counter(one.text.partition(":")[0] for one in did)
        planted = Counter(one.text.partition(":")[0] for one in sounds)
        notes += [f"{kind} {kinds[kind]} of {n}" for kind, n in sorted(planted.items())]
        if left:
            notes.append(f"{count(len(left), 'call')} with places that are not counted")
        return proportion(self.entry, len(did), len(sounds), notes=notes, version=VERSION)


def restraints(call: AnalysedCall) -> list[tuple[Placed, Restraint | None]]:
    """What was planted in a call and what the agent did about it; None where the call did not come to it."""
    talks = call.activity.talks if call.activity is not None else ()
    lost = never_arrived(call.material.gaps)
    notices = agent_notices(call.material.events)
    return [
        (
            placed,
            None
            if placed.span is None
            else restraint(placed.span, talks, until_s=placed.until_s, lost=lost, notices=notices),
        )
        for placed in placed_in(call)
    ]


def _evidence(call_id: str, placed: Placed, value: bool, found: Restraint) -> Evidence:
    assert placed.span is not None
    planted = placed.planted
    where = "into its speech" if found.over_agent else "into silence"
    told = f"{planted.kind}: {planted.item}, {where}"
    if found.reason and value:
        told += f", {found.reason}"
    return Evidence(
        call_id=call_id,
        start_s=placed.span.start_s,
        end_s=placed.span.end_s,
        value=float(value),
        text=f"{WITHOUT}{told}" if planted.control else told,
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
        needs=(Need.PROBE, Need.SOUND),
        when_absent=_NONE_PLANTED,
        counted="sound",
        share=True,
    ),
    asks="stopped",
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
        needs=(Need.PROBE, Need.SOUND),
        when_absent=_NONE_PLANTED,
        counted="sound",
        share=True,
    ),
    asks="replied",
)
