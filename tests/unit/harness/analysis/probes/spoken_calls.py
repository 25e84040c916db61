"""Calls of spoken suites as they could have come out, with an agent whose understanding is planted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.measures.base import ScoredCall
from harness.analysis.probes.hearings import hearings
from harness.plans.call import CallPlan
from harness.plans.plan import expand_plan
from harness.plans.probes.forms import load_suite
from harness.plans.probes.spoken import SpokenItem, SpokenSuite
from harness.records.call import SpokenUtterance
from harness.records.scores import CallScores, ProbeHearing, TranscriptLine
from metrics.spans import Span
from metrics.speech import Talk

LINE_S, SAID_S, ANSWER_S = 10.0, 3.0, 2.0
Understands = Callable[[CallPlan, SpokenItem], str | None]
"""What the agent's transcript has of an item in a call; None: it tells none."""
Replies = Callable[[CallPlan, SpokenItem], str | None]
"""What it replies; None: nothing."""


@cache
def suite_named(name: str) -> SpokenSuite:
    suite = load_suite(name)
    assert isinstance(suite, SpokenSuite)
    return suite


def plans_of(name: str, size: str = "full") -> tuple[CallPlan, ...]:
    content = {"agent": "http://127.0.0.1:7860", "probes": [{"suite": name, "size": size}]}
    return expand_plan(content).calls


def hearings_of(
    plan: CallPlan,
    *,
    understands: Understands = lambda _plan, item: item.say,
    replies: Replies = lambda _plan, _item: "Certainly, that is noted.",
    tells_its_text: bool = False,
    recognised: bool = True,
    lines_said: int = 100,
    **of_material: Any,
) -> list[ProbeHearing]:
    """What analysis finds in a call in which each line takes ten seconds, and is answered after five."""
    assert plan.probe is not None
    items = {item.id: item for item in suite_named(plan.probe.suite).items}
    utterances, lines, talks = [], [], []
    for asked in plan.probe.asked[:lines_said]:
        item, start_s = items[asked.item], LINE_S * asked.line
        utterances.append(
            SpokenUtterance(
                index=asked.line,
                text=item.label,
                kind="turn",
                start_s=start_s,
                end_s=start_s + SAID_S,
                audio_sha256="0",
                text_heard=item.sound is not None,
            )
        )
        understood, reply = understands(plan, item), replies(plan, item)
        if understood:
            span = {"start_s": start_s, "end_s": start_s + SAID_S}
            lines.append(
                TranscriptLine.model_validate(
                    {"side": "caller", "source": "agent_asr", "text": understood, "utterance": asked.line}
                    | span
                )
            )
        if reply is not None:
            own = Span(start_s=start_s + 5, end_s=start_s + 5 + ANSWER_S)
            talks.append(Talk(span=own, clusters=(own,)))
            for source in ("whisper", "agent_text") if tells_its_text else ("whisper",):
                if source == "agent_text" or recognised:
                    lines.append(
                        TranscriptLine.model_validate(
                            {
                                "side": "agent",
                                "source": source,
                                "text": reply,
                                "start_s": own.start_s,
                                "end_s": own.end_s,
                            }
                        )
                    )
    material = CallMaterial(
        call_id=plan.call_id,
        utterances=utterances,
        end_s=of_material.pop("end_s", LINE_S * len(utterances)),
        language=plan.language,
        probe=plan.probe,
        noise=plan.conditions.noise,
        **of_material,
    )
    return hearings(material, lines=lines, talks=talks, recognised=recognised)


def scored(plans: Sequence[CallPlan], **how: Any) -> list[ScoredCall]:
    return [
        ScoredCall(scores=CallScores(call_id=plan.call_id, hearings=hearings_of(plan, **how)), plan=plan)
        for plan in plans
    ]


def misheard(text: str, share: float, random: Random) -> str:
    """The text with so many of its words replaced by one that nobody said."""
    return " ".join("blorp" if random.random() < share else word for word in text.split())
