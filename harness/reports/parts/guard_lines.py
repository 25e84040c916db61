"""What the guard says of a run's simulated callers, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from harness.analysis.measures.table import label
from harness.records.scores import Summary
from harness.reports.parts.formats import count, with_unit

MAX_IDS = 20
_FIRST = (
    "response_latency_ms",
    "response_rate",
    "interruption_success_500ms",
    "wer",
    "cer",
    "tfc",
    "gic",
    "final",
)


def guard_lines(summary: Summary) -> Iterator[str]:
    """One sentence each: calls left out and why, suspicions, re-runs, and the first-attempt figures."""
    guard = summary.guard
    if guard is None:
        return
    if guard.guilty:
        kinds = ", ".join(f"{kind.replace('_', ' ')} {n}" for kind, n in sorted(guard.kinds.items()))
        ids = ", ".join(guard.guilty[:MAX_IDS]) + (" and more" if len(guard.guilty) > MAX_IDS else "")
        yield (
            f"{count(len(guard.guilty), 'call')} of {guard.checked} checked left out of every figure: "
            f"the simulator's fault ({kinds}): {ids}"
        )
    else:
        yield f"{count(guard.checked, 'simulated caller')} checked: none was found at fault"
    if guard.guilty_turns:
        yield turns_left_out(guard.guilty_turns)
    if guard.suspected:
        yield f"{count(guard.suspected, 'call')} suspected and kept in: worth reading"
    if guard.repeated:
        yield f"{count(guard.repeated, 'call')} placed again because the simulator was at fault"
    figures = [
        f"{label(name)} {with_unit(metric.value, metric.unit)} (n {metric.n})"
        for name in _FIRST
        if (metric := guard.first_attempts.get(name)) is not None and metric.value is not None
    ]
    if figures:
        yield f"First-attempt figures, with the calls that were left out: {'; '.join(figures)}"


def turns_left_out(turns: Mapping[str, int]) -> str:
    """How many turns were the simulator's fault, and of which kinds."""
    kinds = ", ".join(f"{kind.replace('_', ' ')} {n}" for kind, n in sorted(turns.items()))
    left = "the agent's replies to them left out of every figure of replies"
    return f"{count(sum(turns.values()), 'turn')} of the simulated caller at fault ({kinds}): {left}"
