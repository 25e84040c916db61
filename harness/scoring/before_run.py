"""What a run will take and what it can see, before a call is placed.

From the last night of the same calls where there is one, else from the words of the plan.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from harness.analysis.measures.table import catalogue
from harness.plans.call import CallPlan
from harness.plans.run import RunPlan
from harness.records.usage import SideUsage, summed_usage
from harness.scoring.comparison.observations import of_figure
from harness.scoring.comparison.pairs import grouped
from harness.scoring.gates.held_to import HeldCall, held_calls
from metrics.comparison.paired import FEWEST_GROUPS, detectable_factor
from metrics.comparison.rates import detectable_change
from metrics.comparison.weighted import Observed, Weights

WORDS_PER_S = 2.5
REPLY_S = 5.0
PERSON_S = 150.0
BETWEEN_S = 3.0
"""What a line's reply, a call with a simulated person, and the time between two calls are taken for."""
RESAMPLES = 1000
FIGURES = (
    ("response_latency_ms", ""),
    ("response_latency_ms", "p95"),
    ("response_rate", ""),
    ("wer", ""),
    ("final", ""),
)


@dataclass(frozen=True, kw_only=True)
class Visible:
    """The smallest change for the worse that 80 of 100 comparisons of two such runs would find."""

    figure: str
    part: str
    label: str
    unit: str
    change: float | None
    groups: int
    why_not: str = ""


@dataclass(frozen=True, kw_only=True)
class Forecast:
    """Of a run.

    Attributes:
        minutes: Of calls one after the other.
        usage: Of the callers' language models; None: not known.
        from_night: Where that is from; empty: from the words of the plan.
    """

    calls: int
    minutes: float
    usage: SideUsage | None
    from_night: str
    visible: tuple[Visible, ...]
    notes: tuple[str, ...]


def forecast(plan: RunPlan, night: Path | None) -> Forecast:
    """What is to be expected of a run. ``night``: a run of the same calls, or of some of them."""
    known = {call.id: call for call in held_calls(night)} if night is not None else {}
    took = [known[call.call_id].record for call in plan.calls if call.call_id in known]
    mean_s = sum(record.duration_s for record in took) / len(took) if took else None
    seconds = sum(
        known[call.call_id].record.duration_s if call.call_id in known else mean_s or _estimated_s(call)
        for call in plan.calls
    )
    models = [call for call in plan.calls if call.language_model]
    usage = SideUsage() if not models else None
    notes = []
    if models and took:
        usage = summed_usage([record.caller_usage for record in took])
        if not usage.requests:
            # Calls by voice of an earlier version did not keep it.
            usage = None
            notes.append("that night kept nothing of what the callers' language models took")
        elif len(took) < len(plan.calls):
            notes.append(f"tokens and cost are those of the {len(took)} calls that the earlier night has")
    elif models:
        notes.append("tokens and cost are not known before a first night")
    if night is None:
        notes.append(
            "lengths are estimated from the words of the plan; what can be seen is told after a first night"
        )
    calls = [known[call.call_id] for call in plan.calls if call.call_id in known]
    return Forecast(
        calls=len(plan.calls),
        minutes=(seconds + BETWEEN_S * len(plan.calls)) / 60,
        usage=usage,
        from_night=str(night) if night is not None else "",
        visible=tuple(_visible(figure, part, calls) for figure, part in FIGURES) if calls else (),
        notes=tuple(notes),
    )


def _visible(figure: str, part: str, calls: Sequence[HeldCall]) -> Visible:
    entry = catalogue()[figure]
    groups, _ = grouped([(call, call) for call in calls if call.counts and call.files.scores is not None])
    found = of_figure(figure, part, groups)
    bare = Visible(
        figure=figure, part=part, label=entry.label, unit=entry.unit.name, change=None, groups=found.groups
    )
    if found.observed is None or found.groups < FEWEST_GROUPS:
        why = (
            f"{found.groups} groups of calls have it: {FEWEST_GROUPS} are needed"
            if found.groups
            else "not measured"
        )
        return Visible(**vars(bare) | {"why_not": why})
    if found.rates is not None:
        rate = (found.rates.both + found.rates.baseline_only) / found.rates.n
        return Visible(**vars(bare) | {"change": detectable_change(found.rates.n, rate)})
    change = _two_nights(found.observed, found.groups)
    return Visible(**vars(bare) | {"change": change, "why_not": "" if change else "it does not vary"})


def _two_nights(observed: Observed, groups: int) -> float | None:
    """As though two nights drew their calls independently: what scenarios share is not counted in, so this is
    rather too large than too small."""
    rng = np.random.default_rng(1)
    drawn = [
        observed.figures(
            Weights.of(rng.multinomial(groups, np.full(groups, 1 / groups), size=RESAMPLES).astype(float))
        )[0]
        for _ in range(2)
    ]
    spread = float(np.std(drawn[1] - drawn[0])) * math.sqrt(groups / (groups - 1))
    return detectable_factor(groups) * spread if 0 < spread < 1e12 else None


def _estimated_s(call: CallPlan) -> float:
    if call.script is None:
        return min(PERSON_S, call.limits.call_s)
    spoken = sum(
        (len(line.say) / 3 if call.language == "zh" else len(line.say.split())) / WORDS_PER_S
        + line.pause_s
        + (0.0 if line.barge_in_after_s is not None else REPLY_S)
        for line in call.script.lines
    )
    greeting = REPLY_S if call.script.wait_for_greeting else 0.0
    return min(greeting + spoken + call.script.hang_up_after_s, call.limits.call_s)
