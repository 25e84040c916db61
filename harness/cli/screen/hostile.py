"""What a person reads of agents whose media clock lies."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from harness.selfcheck.calibration.hostile.table import HEADINGS, cells
from harness.selfcheck.calibration.hostile.verdict import RowResult

MOST_REASONS = 3


def print_row(console: Console, result: RowResult) -> None:
    """One row as soon as it is known: its verdict, what is wrong in it, and why figures are missing."""
    style = "red" if result.verdict.failed else "green"
    console.print(
        f"[{style}]{result.row.name}: {result.verdict}[/], "
        f"{len(result.measured)} of {len(result.due)} measured",
        highlight=False,
    )
    for fault in result.faults:
        console.print(f"  {escape(fault)}", style="magenta", highlight=False)
    for one in result.wrong:
        console.print(f"  {escape(one.where)}: {escape(one.wrong)}", style="red", highlight=False)
    missing = [one for one in result.due if one.reported_ms is None and not one.wrong]
    for one in missing[:MOST_REASONS]:
        console.print(f"  no figure: {escape(one.where)}: {escape(one.reason)}", style="dim", highlight=False)
    if len(missing) > MOST_REASONS:
        console.print(f"  and {len(missing) - MOST_REASONS} more without a figure", style="dim")


def print_rows(console: Console, results: Sequence[RowResult]) -> None:
    """The whole table."""
    table = Table(title="Agents whose media clock lies", title_justify="left", box=None, pad_edge=False)
    for heading in HEADINGS:
        table.add_column(heading, header_style="dim", overflow="fold")
    for result in results:
        style = "red" if result.verdict.failed else None
        table.add_row(*(escape(cell.replace("**", "")) for cell in cells(result)), style=style)
    console.print(table)
