"""Several agents in the terminal and as Markdown; no agent's name is read as markup."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness._files.code_span import code_span
from harness.reports.agents.cells import Cell, calls_told, lines
from harness.scoring.comparison.side_by_side import SideBySide

_STYLES = {"worse": "red", "better": "green", "no difference seen": "dim", "inconclusive": "yellow"}


def print_agents(console: Console, board: SideBySide) -> None:
    """The table, then what has to be known."""
    table = Table(box=None, pad_edge=False)
    table.add_column("figure", header_style="dim")
    for agent in board.agents:
        table.add_column(Text(agent.name, style="dim"), justify="right", overflow="fold")
    table.add_row(Text("calls"), *(Text(calls_told(agent)) for agent in board.agents))
    for line in lines(board):
        table.add_row(Text(line.label), *(_told(cell) for cell in line.cells))
    console.print(table)
    if board.absent:
        console.print(
            f"Measured of none: {', '.join(board.absent)}", style="dim", markup=False, highlight=False
        )
    for remark in board.remarks:
        console.print(remark, style="dim", markup=False, highlight=False, soft_wrap=True)


def agents_markdown(board: SideBySide) -> str:
    """The same as Markdown, for a pull request or a wiki."""
    rows = [["figure", *(code_span(agent.name) for agent in board.agents)]]
    rows.append(["---", *("---:" for _ in board.agents)])
    rows.append(["calls", *(calls_told(agent) for agent in board.agents)])
    for line in lines(board):
        rows.append([_plain(line.label), *(_markdown(cell) for cell in line.cells)])
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    remarks = "\n".join(f"- {code_span(remark)}" for remark in board.remarks)
    absent = f"\nMeasured of none: {', '.join(map(_plain, board.absent))}\n" if board.absent else ""
    return f"## Agents side by side\n\n{table}\n{absent}\n{remarks}\n"


def _told(cell: Cell) -> Text:
    text = Text(cell.shown)
    if cell.interval:
        text.append(f"\n{cell.interval}", style="dim")
    if cell.word:
        text.append(f"\n{cell.change} {cell.word}".replace("\n ", "\n"), style=_STYLES.get(cell.word, ""))
    return text


def _markdown(cell: Cell) -> str:
    parts = [cell.shown, cell.interval, f"{cell.change} {cell.word}".strip()]
    return "<br>".join(_plain(part) for part in parts if part)


def _plain(text: str) -> str:
    return "".join("\\" + one if one in "\\`*_[]<>|#" else one for one in text)
