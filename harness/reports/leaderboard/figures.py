"""How the figures of a leaderboard are written, wherever it is shown."""

from __future__ import annotations

from harness.records.usage import SideUsage
from harness.reports.parts.formats import MINUS
from harness.scoring.leaderboard.board import Difference, Leaderboard, Row
from metrics.score import Score

ABSENT = "–"


def value(metric: Score | None) -> str:
    """Four digits, as in the paper's Table 6."""
    return ABSENT if metric is None or metric.value is None else f"{metric.value:.4f}"


def interval(metric: Score | None) -> str:
    if metric is None or metric.ci_low is None or metric.ci_high is None:
        return ""
    return f"{metric.ci_low:.3f} – {metric.ci_high:.3f}"


def signed(number: float) -> str:
    return f"{'+' if number >= 0 else MINUS}{abs(number):.4f}"


def difference(one: Difference | None) -> str:
    """``+0.0120 [−0.0030, +0.0270]``; a dash where there is none."""
    if one is None or one.value is None:
        return ABSENT
    if one.ci_low is None or one.ci_high is None:
        return signed(one.value)
    return f"{signed(one.value)} [{signed(one.ci_low)}, {signed(one.ci_high)}]"


def cost(side: SideUsage) -> str:
    """What a side cost; a lower bound where not all that it may have been charged for could be measured."""
    if not side.requests and not side.lower_bound:
        return ABSENT
    if side.cost is None or (side.lower_bound and not side.cost):
        return "not known"
    return f"{'at least ' if side.lower_bound else ''}{side.cost:.4f} {side.currency}"


def left_out(row: Row) -> str:
    """``3 of 150: our own fault 2, not judged yet 1``; empty where none is."""
    if not row.left_out:
        return ""
    told = ", ".join(f"{reason} {n}" for reason, n in row.left_out.items())
    return f"{sum(row.left_out.values())} of {row.held}: {told}"


def mark(row: Row) -> str:
    """Behind the name of a competitor whose judgements failed too often."""
    return " (!)" if row.doubtful else ""


def doubts(board: Leaderboard) -> list[str]:
    """One sentence for each competitor that is marked."""
    return [
        f"(!) {row.competitor}: {row.failed} of {row.judgements} judgements failed "
        f"({100 * row.failed / row.judgements:.0f} %); its figures rest on those that did not."
        for row in board.rows
        if row.doubtful
    ]


def total_heading(board: Leaderboard) -> str:
    """What the column of totals is called."""
    return "Final" if board.heading == "final" else "Provisional"
