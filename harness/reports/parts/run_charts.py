"""The observations of a run, each with the place on the page that it leads to, as charts."""

from __future__ import annotations

from harness.records.scores import Summary
from harness.reports.parts.charts import Chart, Point, distribution_chart
from harness.reports.parts.formats import with_unit
from harness.reports.parts.marks import interruption_anchor, outcome_words, turn_anchor
from harness.runs.reader import CallFiles, RunFiles
from harness.scoring.summary import UNMEASURED_STATUSES


def latency_chart(files: RunFiles, summary: Summary) -> Chart | None:
    """Every measured turn of the calls that count; None where there is none."""
    points = [
        Point(
            ms=turn.latency_ms,
            href=f"#{turn_anchor(call.call_id, turn.index)}",
            title=f"{call.call_id}, turn {turn.index + 1}: {with_unit(turn.latency_ms, 'ms')}",
            resolution_ms=turn.resolution_ms,
        )
        for call in _counted(files)
        if call.scores
        for turn in call.scores.turns
        if turn.latency_ms is not None
    ]
    return distribution_chart(points, summary.metrics.get("response_latency_ms"))


def delay_chart(files: RunFiles, summary: Summary) -> Chart | None:
    """Every measured turn of the calls that count; None where there is none."""
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
    return distribution_chart(points, summary.metrics.get("interruption_delay_ms"), limit=True)


def delays_not_drawn(summary: Summary) -> str:
    """The interruptions that have no place on the axis, in words; empty where all have one."""
    itself = summary.interruptions.get("ended_by_itself", 0)
    unclear = summary.interruptions.get("indeterminate", 0)
    parts = [f"{itself} where the agent ended by itself"] if itself else []
    parts += [f"{unclear} indeterminate"] if unclear else []
    return f"Not drawn: {' and '.join(parts)}." if parts else ""


def _counted(files: RunFiles) -> list[CallFiles]:
    """The calls that enter the figures."""
    return [call for call in files.calls if call.record and call.record.status not in UNMEASURED_STATUSES]
