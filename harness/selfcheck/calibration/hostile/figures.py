"""What is reported of each turn and interruption of a call, beside what was really on the wire.

Reported is what a run would keep (``TurnTiming``, ``InterruptionTiming``); true is what the agent's log says
of the packets at its socket, of those that it sent and of those that came.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from harness.records.scores import CallScores, InterruptionTiming, TurnTiming
from metrics.score import Status

MATCH_S = 0.25
"""What the caller said and what the agent heard are the same when less than this apart: this direction has no
clock that lies."""
TOLERANCE_MS = 3.0
SUCCESS_MS = 500.0


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One answer or one stop.

    Attributes:
        true_ms: By the agent's packets; None where the agent did nothing of the kind, though it is reported.
        unsure_ms: The packet with the caller's edge reached the agent so much late. Where it was held up,
            before our socket or after it, the agent cannot tell: true is ``true_ms``, or up to so much less.
        reported_ms: None where there is no figure; ``reason`` says why.
        bar_ms: Half width of the error bar that the figure carries.
        denied: Reported is that the agent never answered, or never stopped, though it did.
        verdict_wrong: The 500 ms verdict is given, and another than the truth's.
    """

    kind: Literal["answer", "stop"]
    where: str
    true_ms: float | None
    unsure_ms: float = 0.0
    reported_ms: float | None = None
    bar_ms: float = 0.0
    denied: bool = False
    verdict_wrong: bool = False
    reason: str = ""

    @property
    def error_ms(self) -> float | None:
        """Reported less the nearest that may be true; None where one of them is not known."""
        if self.reported_ms is None or self.true_ms is None:
            return None
        beyond_ms = self.reported_ms - self.true_ms
        return beyond_ms if beyond_ms > 0 else min(0.0, beyond_ms + self.unsure_ms)

    @property
    def wrong(self) -> str:
        """What is wrong with what is reported; empty where nothing is. A missing figure is not wrong."""
        error_ms = self.error_ms
        if self.denied:
            return f"said not to have happened, {self.true_ms:.0f} ms true: {self.reason}"
        if self.reported_ms is not None and self.true_ms is None:
            return f"{self.reported_ms:.0f} ms reported of what never happened"
        if error_ms is not None and abs(error_ms) > max(TOLERANCE_MS, self.bar_ms):
            return (
                f"{self.reported_ms:.1f} ± {self.bar_ms:.1f} ms reported, {self.true_ms:.1f} ms true: "
                f"off by {error_ms:+.1f} ms"
            )
        if self.verdict_wrong:
            return (
                f"the 500 ms verdict is wrong: {self.reported_ms:.1f} ms reported, {self.true_ms:.1f} ms true"
            )
        return ""


def figures_of(scores: CallScores, truth: Mapping[str, Any], *, zero_s: float) -> list[Figure]:
    """All answers and stops of a call that were due, and whatever is reported beyond them.

    Args:
        truth: The agent's log, in monotonic seconds of this machine.
        zero_s: Call time 0 on the same clock.
    """
    spoke = truth["spoke"]
    replies = [one for one in spoke if "heard_last_s" in one and one.get("first_wire_s") is not None]
    cuts = [
        one
        for one in spoke
        if one["cut"] and "interrupted_at_s" in one and one.get("last_wire_s") is not None
    ]
    return [
        *_answers(scores.call_id, scores.turns, replies, zero_s),
        *_stops(scores.call_id, scores.interruptions, cuts, zero_s),
    ]


def _answers(
    call_id: str, turns: Sequence[TurnTiming], replies: Sequence[Mapping[str, Any]], zero_s: float
) -> list[Figure]:
    figures = []
    for position, turn in enumerate(turns):
        where = f"{call_id} turn {turn.index + 1}"
        reply = next(
            (r for r in replies if abs(r["heard_last_s"] - zero_s - turn.user_end_s) < MATCH_S), None
        )
        until_s = turns[position + 1].user_start_s if position + 1 < len(turns) else float("inf")
        if reply is None or reply["first_wire_s"] - zero_s >= until_s:
            if turn.latency_ms is not None:
                figures.append(Figure(kind="answer", where=where, true_ms=None, reported_ms=turn.latency_ms))
            continue
        figures.append(
            Figure(
                kind="answer",
                where=where,
                true_ms=(reply["first_wire_s"] - reply["heard_last_s"]) * 1000,
                unsure_ms=(reply["heard_last_wire_s"] - reply["heard_last_s"]) * 1000,
                reported_ms=turn.latency_ms,
                bar_ms=turn.resolution_ms or 0.0,
                denied=turn.status is Status.NOT_APPLICABLE,
                reason=turn.reason,
            )
        )
    return figures


def _stops(
    call_id: str, found: Sequence[InterruptionTiming], cuts: Sequence[Mapping[str, Any]], zero_s: float
) -> list[Figure]:
    figures = []
    for one in found:
        where = f"{call_id} interruption {one.index + 1}"
        cut = next(
            (c for c in cuts if abs(c["interrupted_at_s"] - zero_s - one.user_start_s) < MATCH_S), None
        )
        if cut is None:
            if one.delay_ms is not None:
                figures.append(Figure(kind="stop", where=where, true_ms=None, reported_ms=one.delay_ms))
            continue
        true_ms = (cut["last_wire_s"] - cut["interrupted_at_s"]) * 1000
        unsure_ms = (cut["interrupted_at_wire_s"] - cut["interrupted_at_s"]) * 1000
        fast = {true_ms < SUCCESS_MS, true_ms - unsure_ms < SUCCESS_MS}
        figures.append(
            Figure(
                kind="stop",
                where=where,
                true_ms=true_ms,
                unsure_ms=unsure_ms,
                reported_ms=one.delay_ms,
                bar_ms=one.resolution_ms or 0.0,
                denied=one.outcome in ("ended_by_itself", "not_stopped"),
                verdict_wrong=one.within_500ms is not None and one.within_500ms not in fast,
                reason=one.reason,
            )
        )
    return figures
