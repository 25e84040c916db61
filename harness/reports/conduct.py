"""How the agent conducted its turns: a row a figure, with the places to listen to."""

from __future__ import annotations

from collections.abc import Sequence

from harness.records.scores import Summary
from harness.reports.probes import ProbeFigure, figure_of
from harness.runs.reader import CallFiles
from metrics.score import Status

FIGURES = (
    "split_turn_rate",
    "false_start_rate",
    "agent_overlap_rate",
    "double_talk_share",
    "unanswered_rate",
    "self_cut_rate",
    "empty_reply_rate",
    "long_silence_rate",
    "repeated_reply_rate",
)


def conduct_figures(calls: Sequence[CallFiles], summary: Summary) -> tuple[ProbeFigure, ...]:
    """A row for each figure that was measured; none for a run that was scored before there were any."""
    scores = {name: summary.metrics.get(name) for name in FIGURES}
    measured = [name for name, one in scores.items() if one is not None and one.status is Status.MEASURED]
    return tuple(figure_of(name, calls, summary) for name in measured)
