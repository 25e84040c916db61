"""Where in a call the planted things really fell: by what was sent, not by what was planned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.analysis.analysed_call import CallMaterial
from harness.plans.probes.planted import Planted, ProbePlan
from harness.records.call import SpokenUtterance
from harness.records.scores import TurnTiming
from metrics.spans import Span
from voice_sim.policies.script import Script


@dataclass(frozen=True, kw_only=True)
class Placed:
    """A planted thing in the call.

    Attributes:
        span: When it was heard, or would have been; None: the call did not come to it, and ``why`` says why.
        until_s: When the caller spoke next, or the call ended.
    """

    planted: Planted
    span: Span | None
    until_s: float
    why: str = ""


def asides_of(script: Script | None, probe: ProbePlan | None) -> frozenset[int]:
    """Which lines of a script of one's own ask for no answer because it says so."""
    if probe is not None or script is None:
        return frozenset()
    return frozenset(n for n, line in enumerate(script.lines) if line.kind == "aside")


def asides_apart(
    utterances: Sequence[SpokenUtterance], probe: ProbePlan | None, script: Script | None = None
) -> list[SpokenUtterance]:
    """A call's utterances with its planted sounds, and what cannot be understood, as listeners' noises.

    Nobody has to answer them, so no latency is looked for and no answer is missed, wherever they fell. Of a
    call of no suite the same holds for the asides of its script; in suites lines that are to be answered are
    asides as well, so that an agent which is silent loses the line alone.
    """
    if probe is None:
        asides = asides_of(script, probe)
        return [
            one.model_copy(update={"kind": "backchannel"}) if one.index in asides else one
            for one in utterances
        ]
    sounds = {one.line for one in probe.planted if one.is_line}
    sounds |= {one.line for one in probe.asked if one.usable in ("speech", "sound")}
    return [
        one.model_copy(update={"kind": "backchannel"}) if one.index in sounds else one for one in utterances
    ]


def placed_in(material: CallMaterial, turns: Sequence[TurnTiming]) -> list[Placed]:
    """What was planted in a call, in order, each where it fell; nothing in a call of no suite."""
    if material.probe is None:
        return []
    sounds = {one.line for one in material.probe.planted if one.is_line}
    said = {one.index: one for one in material.utterances}
    found = []
    for planted in material.probe.planted:
        span, why = _sound(said.get(planted.line)) if planted.is_line else _in_the_answer(planted, turns)
        after = [
            one.start_s
            for one in material.utterances
            if span is not None and one.start_s > span.start_s + 0.01 and one.index not in sounds
        ]
        found.append(Placed(planted=planted, span=span, until_s=min(after, default=material.end_s), why=why))
    return found


def _sound(said: SpokenUtterance | None) -> tuple[Span | None, str]:
    if said is None:
        return None, "the call ended before it"
    if said.cut_short:
        return None, "the call ended in it"
    return Span(start_s=said.start_s, end_s=said.end_s), ""


def _in_the_answer(planted: Planted, turns: Sequence[TurnTiming]) -> tuple[Span | None, str]:
    turn = next((one for one in turns if one.index == planted.line), None)
    if turn is None:
        return None, "the call ended before it"
    if turn.agent_start_s is None or turn.agent_end_s is None:
        return None, "the request before it was not answered"
    base_s = turn.agent_start_s if planted.place == "over_agent" else turn.agent_end_s
    start_s = base_s + planted.after_s
    if planted.heard_back:
        # It comes back for as long as the agent speaks.
        return Span(start_s=start_s, end_s=max(start_s, turn.agent_end_s + planted.after_s)), ""
    return Span(start_s=start_s, end_s=start_s + planted.length_s), ""
