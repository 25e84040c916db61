"""What the agent did about each thing that was planted in a call, from when both sides were heard."""

from __future__ import annotations

from collections.abc import Sequence

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.probes.places import Placed, placed_in
from harness.analysis.timing import agent_notices, never_arrived
from harness.records.scores import ProbeReaction, TurnTiming
from metrics.detection.line_echo import LineEcho
from metrics.interaction.restraint import restraint
from metrics.speech import Talk


def reactions(
    material: CallMaterial,
    *,
    turns: Sequence[TurnTiming],
    talks: Sequence[Talk],
    echo: LineEcho | None = None,
) -> list[ProbeReaction]:
    """One for each planted place of a call, in order; none in a call of no suite.

    Args:
        turns: The caller's, with when they were answered.
        talks: The agent's speech.
        echo: Of the caller's voice on the agent's channel; None where there is none.
    """
    lost = never_arrived(material.gaps)
    notices = agent_notices(material.events)
    found = []
    for placed in placed_in(material, turns):
        if placed.span is None:
            found.append(_reaction(material, placed))
            continue
        did = restraint(placed.span, talks, until_s=placed.until_s, lost=lost, notices=notices, echo=echo)
        found.append(
            _reaction(material, placed).model_copy(
                update={
                    "over_agent": did.over_agent,
                    "start_s": placed.span.start_s,
                    "end_s": placed.span.end_s,
                    "stopped": did.stopped,
                    "replied": did.replied,
                    "stop_s": did.stop_s,
                    "reply_s": did.reply_s,
                    "reason": did.reason,
                }
            )
        )
    return found


def _reaction(material: CallMaterial, placed: Placed) -> ProbeReaction:
    assert material.probe is not None
    planted = placed.planted
    others = {one.item for one in material.probe.attended}
    return ProbeReaction(
        suite=material.probe.suite,
        item=planted.item,
        kind=planted.kind,
        what="own_voice" if planted.heard_back else "other_voice" if planted.item in others else "sound",
        control=planted.control,
        planned=planted.place,
        reason=placed.why,
    )
