"""The observations of a run, each with the place on the page that it leads to, as charts."""

from __future__ import annotations

import math

from harness.analysis.measures.conversation.turns import OUTCOME_WORDS, bar_of, waited_for
from harness.records.scores import Summary, TurnTiming
from harness.reports.parts.charts import Chart, Point, distribution_chart
from harness.reports.parts.formats import with_unit
from harness.reports.parts.marks import interruption_anchor, outcome_words, turn_anchor
from harness.runs.reader import CallFiles, RunFiles
from harness.scoring.summary import UNMEASURED_STATUSES
from metrics.survival import Waited

NOT_ANSWERED, LATER = "not answered", "answered nobody can tell when"


def latency_chart(files: RunFiles, summary: Summary) -> Chart | None:
    """Every turn that was due an answer in the calls that count; None where there is none to draw."""
    points = []
    later = False
    for call in _counted(files):
        for turn in call.scores.turns if call.scores else []:
            waited = waited_for(turn) if turn.outcome.due else None
            if waited is None:
                continue
            later = later or (turn.outcome.replied and not waited.came)
            points.append(
                Point(
                    ms=waited.time,
                    href=f"#{turn_anchor(call.call_id, turn.index)}",
                    title=f"{call.call_id}, turn {turn.index + 1}: {_told(turn, waited)}",
                    resolution_ms=bar_of(turn),
                    censored=not waited.came,
                )
            )
    figure = summary.metrics.get("response_latency_ms")
    return distribution_chart(
        points, figure, censored_label=f"{NOT_ANSWERED}, or {LATER}" if later else NOT_ANSWERED
    )


def _told(turn: TurnTiming, waited: Waited) -> str:
    if waited.came:
        return with_unit(waited.time, "ms")
    if turn.outcome.replied:
        return f"{LATER}, {with_unit(waited.time, 'ms')} at the least"
    words = OUTCOME_WORDS[turn.outcome]
    return words if math.isinf(waited.time) else f"{words} within {with_unit(waited.time, 'ms')}"


def delay_chart(files: RunFiles, summary: Summary) -> Chart | None:
    """Every interruption that stopped the agent or did not; None where there is none to draw."""
    points = []
    for call in _counted(files):
        for timing in call.scores.interruptions if call.scores else []:
            ms = timing.delay_ms if timing.outcome == "stopped" else timing.censored_after_ms
            if ms is None or timing.outcome not in ("stopped", "not_stopped"):
                continue
            words, tone = outcome_words(timing)
            points.append(
                Point(
                    ms=ms,
                    href=f"#{interruption_anchor(call.call_id, timing.index)}",
                    title=f"{call.call_id}, interruption {timing.index + 1}: {words}",
                    tone=tone,
                    resolution_ms=timing.resolution_ms,
                    censored=timing.outcome == "not_stopped",
                )
            )
    return distribution_chart(
        points, summary.metrics.get("interruption_delay_ms"), limit=True, censored_label="did not stop"
    )


def delays_not_drawn(summary: Summary) -> str:
    """The interruptions that have no place on the axis, in words; empty where all have one."""
    itself = summary.interruptions.get("ended_by_itself", 0)
    unclear = summary.interruptions.get("indeterminate", 0)
    parts = [f"{itself} where the agent ended by itself"] if itself else []
    parts += [f"{unclear} indeterminate"] if unclear else []
    return f"Not drawn: {' and '.join(parts)}." if parts else ""


def _counted(files: RunFiles) -> list[CallFiles]:
    """The calls that enter the figures, of those without a fault of our own caller."""
    return [call for call in files.calls if call.record and call.record.status not in UNMEASURED_STATUSES]
