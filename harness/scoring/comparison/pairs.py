"""The calls of two runs, paired, and the groups that are resampled."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from harness.plans.call import CallPlan
from harness.records.call import CallStatus
from harness.scoring.gates.held_to import NOT_PLACED, SECOND, HeldCall, told_lost
from metrics.comparison.paired import FEWEST_GROUPS

Pair = tuple[HeldCall, HeldCall]

_OF_THE_AGENT = {"agent", "headers", "request_data", "agent_model", "temperature", "title"}
"""What may differ between two calls with the same caller."""
_RUNS = ("baseline", "candidate")


@dataclass(frozen=True, kw_only=True)
class Pairing:
    """Calls of the baseline with those of the candidate.

    Attributes:
        pairs: Those of which both sides were scored.
        groups: Pairs that share something, by what they share.
        grouped_by: ``sub-scenario``, ``scenario`` or ``call``.
        every: All pairs, those of which a side did not come about or has no scores, too.
        left_out: Why calls are in no pair that is compared -> how many, of both sides.
    """

    pairs: tuple[Pair, ...]
    groups: dict[str, list[Pair]] = field(default_factory=dict)
    grouped_by: str = "call"
    every: tuple[Pair, ...] = ()
    left_out: dict[str, int] = field(default_factory=dict)

    def lost_more(self, *, but: Collection[CallStatus] = ()) -> str:
        """Why nothing good can be told of the candidate: of the same calls more did not come about, by the
        agent's side, or lost their connection, than in the baseline, and the rest are the ones that it took
        to their end. Empty: not more.

        Args:
            but: How a call ended that the figure itself counts.
        """
        before, now = (
            [
                pair[side]
                for pair in self.every
                if (came_to_nothing(pair[side]) or pair[side].connection_lost)
                and pair[side].record.status not in but
            ]
            for side in (0, 1)
        )
        if len(now) <= len(before):
            return ""
        told = f"{len(now)} of {len(self.every)} calls {told_lost(now)} ({len(before)} before)"
        return f"{told}: the rest are a choice"


def paired(baseline: Sequence[HeldCall], candidate: Sequence[HeldCall]) -> Pairing:
    """Pairs calls by scenario, seed and trial, where the caller was the same.

    Calls that say nothing about the agent have no partner. Those that did not come about by the agent's doing
    have one, but nothing was measured in them. A group is the largest thing that calls share of which there
    are ten: a sub-scenario, else a scenario, else each call by itself; a claim then holds for those alone.
    """
    left_out: Counter[str] = Counter()
    sides = []
    for calls in (baseline, candidate):
        told = [call for call in calls if call.counts]
        left_out["said nothing about the agent"] += len(calls) - len(told)
        sides.append({_key(call.record.plan): call for call in told})
    every: list[Pair] = []
    for key, call in sides[0].items():
        other = sides[1].get(key)
        if other is None:
            left_out["only in the baseline"] += 1
        elif caller_digest(call.record.plan) != caller_digest(other.record.plan):
            left_out["the caller was another"] += 2
        else:
            every.append((call, other))
    left_out["only in the candidate"] += sum(key not in sides[0] for key in sides[1])
    pairs = [pair for pair in every if all(call.files.scores is not None for call in pair)]
    for pair in every:
        if any(call.files.scores is None for call in pair):
            left_out.update(_why_not(call, run) for call, run in zip(pair, _RUNS, strict=True))
    groups, grouped_by = grouped(pairs)
    return Pairing(
        pairs=tuple(pairs),
        groups=groups,
        grouped_by=grouped_by,
        every=tuple(every),
        left_out={why: n for why, n in left_out.items() if n},
    )


def came_to_nothing(call: HeldCall) -> bool:
    """Whether nothing was measured in it because no conversation came about, by the agent's side."""
    return call.files.scores is None and call.record.status in NOT_PLACED


def _why_not(call: HeldCall, run: str) -> str:
    """Of a call of a pair of which a side has no scores."""
    if came_to_nothing(call):
        return f"did not come about in the {run}"
    return "not scored" if call.files.scores is None else "not measured in the other run"


def grouped(pairs: Sequence[Pair]) -> tuple[dict[str, list[Pair]], str]:
    """The groups, and what each is."""
    by: dict[str, Callable[[CallPlan], str]] = {
        "sub-scenario": lambda plan: plan.task.sub_scenario if plan.task else base_id(plan),
        "scenario": lambda plan: plan.task.entry if plan.task else base_id(plan),
        "call": lambda plan: plan.call_id,
    }
    groups: dict[str, list[Pair]] = {}
    for name, of in by.items():
        groups = {}
        for pair in pairs:
            groups.setdefault(of(pair[0].record.plan), []).append(pair)
        if len(groups) >= FEWEST_GROUPS:
            return groups, name
    return groups, "call"


def caller_digest(plan: CallPlan) -> str:
    """Whether two plans have the same caller: everything but who is called."""
    content = plan.model_dump(mode="json", exclude=_OF_THE_AGENT)
    task = content.get("task")
    if isinstance(task, dict):
        task.pop("agent_prompt", None)
    for line in (content.get("script") or {}).get("lines", ()):
        for which in ("sound", "under"):
            if line[which] is not None:  # Told by its checksum, wherever it lies.
                line[which].pop("path")
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def base_id(plan: CallPlan) -> str:
    """Of a call without the number of its trial."""
    return plan.call_id.removesuffix(f".{plan.trial + 1}")


def _key(plan: CallPlan) -> tuple[str, int, int, bool]:
    again = plan.call_id.endswith(SECOND)
    return plan.call_id.removesuffix(SECOND), plan.seed, plan.trial, again
