"""The table of lying clocks, as Markdown, and its place in a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.selfcheck.calibration.hostile.verdict import RowResult
from harness.selfcheck.calibration.page import put_into

COMMAND = "outboundeval calibrate --hostile"
BEGIN = f"<!-- {COMMAND}: begin -->"
END = f"<!-- {COMMAND}: end -->"
HEADINGS = (
    "the agent's clock",
    "due",
    "measured",
    "within 3 ms",
    "answers, ms: true → reported (median)",
    "stops, ms: true → reported (median)",
    "worst error, ms",
    "widest bar, ms",
    "verdict",
)


def markdown(results: Sequence[RowResult], *, made_with: str, date: str) -> str:
    """The table between its markers, with what it was made with and when."""
    failed = sum(result.verdict.failed for result in results)
    lines = [
        BEGIN,
        f"`{COMMAND}` on {date}, {made_with}: {len(results)} rows, "
        f"{'none' if failed == 0 else failed} failed. Written by the command.",
        "",
        "| " + " | ".join(HEADINGS) + " |",
        "|---|" + "---:|" * (len(HEADINGS) - 2) + "---|",
    ]
    lines += ["| " + " | ".join(cells(result)) + " |" for result in results]
    return "\n".join([*lines, END])


def cells(result: RowResult) -> list[str]:
    """The cells of one row, as :data:`HEADINGS` names them."""
    error_ms, bar_ms = result.worst_error_ms, result.worst_bar_ms
    return [
        result.row.title,
        str(len(result.due)),
        f"{result.share:.0%}",
        f"{result.close_share:.0%}",
        _medians(result, "answer"),
        _medians(result, "stop"),
        "—" if error_ms is None else f"{error_ms:+.1f}",
        "—" if bar_ms is None else f"{bar_ms:.1f}",
        f"**{result.verdict}**" if result.verdict.failed else str(result.verdict),
    ]


def write_table(path: Path, table: str) -> None:
    """Puts the table in its place in a page, between its markers; at the end of a page without them."""
    put_into(path, table, begin=BEGIN, end=END)


def _medians(result: RowResult, kind: str) -> str:
    found = result.medians_ms(kind)
    return "—" if found is None else f"{found[0]:.1f} → {found[1]:.1f}"
