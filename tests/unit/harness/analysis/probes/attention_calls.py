"""Calls of the suite ``attention`` as they could have come out, with an agent whose attention is planted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.measures.base import ScoredCall
from harness.analysis.probes.attention import attention
from harness.analysis.probes.reactions import reactions
from harness.plans.call import CallPlan
from harness.plans.plan import expand_plan
from harness.plans.probes.attended import Attended
from harness.records.call import SpokenUtterance
from harness.records.scores import CallScores, ProbeAttention, TranscriptLine, TurnTiming
from metrics.spans import Span
from metrics.speech import Talk

DIALOGUE_S, SAID_S, ANSWERS_S, SPEAKS_S = 30.0, 4.0, 5.0, 6.0
"""A dialogue's length; in it, when the request ends, the agent begins, and how long it speaks."""
FALLS_S = 1.0
"""Into the agent's speech: so long after its onset the other speaks, for two seconds."""


@dataclass(frozen=True, kw_only=True)
class Does:
    """What the agent does in a dialogue.

    Attributes:
        wrote: Its transcript of the caller; None: it tells none.
        says: Its reply; None: none.
        stops_after_s: So long after the other's onset it falls silent; None: it speaks to its end.
        replies_after_s: So long after the end of all it speaks again; None: it does not.
    """

    wrote: str | None = None
    says: str | None = "Certainly, I have noted that."
    stops_after_s: float | None = None
    replies_after_s: float | None = None


Agent = Callable[[Attended], Does]


def plans_of(size: str = "full") -> tuple[CallPlan, ...]:
    content = {"agent": "http://127.0.0.1:7860", "probes": [{"suite": "attention", "size": size}]}
    return expand_plan(content).calls


def attention_of(
    plan: CallPlan, agent: Agent, *, recognised: bool = True, cut_short: int = -1, **material: Any
) -> list[ProbeAttention]:
    """What analysis finds; the line ``cut_short`` was."""
    assert plan.probe is not None
    assert plan.script is not None
    utterances, lines, talks, turns = [], [], [], []
    places = {one.item: one for one in plan.probe.planted}
    for number, one in enumerate(plan.probe.attended):
        start_s = number * DIALOGUE_S
        does = agent(one)
        said = _said(one.line, plan.script.lines[one.line].say, start_s, start_s + SAID_S)
        utterances.append(said.model_copy(update={"cut_short": one.line == cut_short}))
        onset_s = start_s + ANSWERS_S
        falls_in = places.get(one.item)
        if falls_in is not None and falls_in.is_line and does.says is not None:
            at_s = onset_s + FALLS_S
            text = plan.script.lines[falls_in.line].say
            utterances.append(_said(falls_in.line, text, at_s, at_s + 2.0, kind="backchannel"))
        if does.wrote is not None:
            span = {"start_s": start_s, "end_s": start_s + SAID_S, "utterance": one.line}
            lines.append(_line("caller", "agent_asr", does.wrote, **span))
        if does.says is None:
            continue
        ends_s = onset_s + SPEAKS_S
        if does.stops_after_s is not None:
            ends_s = onset_s + FALLS_S + does.stops_after_s
        spoken = [Span(start_s=onset_s, end_s=ends_s)]
        if does.replies_after_s is not None:
            again_s = ends_s + does.replies_after_s
            spoken.append(Span(start_s=again_s, end_s=again_s + 2.0))
        talks += [Talk(span=span, clusters=(span,)) for span in spoken]
        if recognised:
            lines.append(_line("agent", "whisper", does.says, start_s=onset_s, end_s=ends_s))
        turns.append(
            TurnTiming.model_validate(
                {"index": one.line, "user_start_s": start_s, "user_end_s": start_s + SAID_S}
                | {"agent_start_s": onset_s, "agent_end_s": ends_s, "latency_ms": 1000.0}
                | {"status": "measured", "outcome": "answered"}
            )
        )
    how = {"end_s": len(plan.probe.attended) * DIALOGUE_S} | material
    made = CallMaterial(
        call_id=plan.call_id, utterances=utterances, language=plan.language, probe=plan.probe, **how
    )
    did = reactions(made, turns=turns, talks=talks)
    return attention(made, lines=lines, talks=talks, reactions=did, recognised=recognised)


def scored(plans: Sequence[CallPlan], agent: Agent, **how: Any) -> list[ScoredCall]:
    return [
        ScoredCall(
            scores=CallScores(call_id=plan.call_id, attention=attention_of(plan, agent, **how)), plan=plan
        )
        for plan in plans
    ]


def _said(index: int, text: str, start_s: float, end_s: float, kind: str = "turn") -> SpokenUtterance:
    return SpokenUtterance.model_validate(
        {"index": index, "text": text, "kind": kind, "start_s": start_s, "end_s": end_s, "audio_sha256": "0"}
    )


def _line(side: str, source: str, text: str, **where: Any) -> TranscriptLine:
    return TranscriptLine.model_validate({"side": side, "source": source, "text": text} | where)
