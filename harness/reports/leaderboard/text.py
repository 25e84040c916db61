"""The leaderboard in the terminal and as Markdown; no competitor's name is read as markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness._files.code_span import code_span
from harness.reports.leaderboard import figures
from harness.reports.parts.judging_cost import judging_cost
from harness.scoring.leaderboard.board import Leaderboard, Row
from metrics.score import Score

_HEADINGS = ("#", "Model", "", "TFC", "GIC", "n", "behind the first", "cost", "judging")
"""The third is the total: :func:`harness.reports.leaderboard.figures.total_heading`."""

Cell = tuple[str, str]
"""What it says, and its interval or nothing."""


def print_leaderboard(console: Console, board: Leaderboard) -> None:
    """The table, groups where there are several, and what has to be known."""
    console.print(_table(_headings(board), [_cells(row) for row in board.rows]))
    for title, names, rows in _groups(board):
        console.print()
        console.print(_table([title, *names], rows))
    console.print()
    for row in board.rows:
        if told := figures.left_out(row):
            console.print(f"{row.competitor}: left out {told}", style="yellow", markup=False, highlight=False)
    for line in figures.doubts(board):
        console.print(line, style="yellow", markup=False, highlight=False)
    for line in board.remarks:
        console.print(line, style="dim", markup=False, highlight=False)
    style = "dim" if board.heading == "final" else "yellow"
    for line in board.standing:
        console.print(line, style=style, markup=False, highlight=False)


def leaderboard_markdown(board: Leaderboard) -> str:
    """The same as Markdown."""
    parts = [
        f"## Leaderboard ({board.heading} scores)",
        _markdown_table(_headings(board), map(_cells, board.rows)),
    ]
    for title, names, rows in _groups(board):
        parts.append(_markdown_table([f"{figures.total_heading(board)} {title}", *names], rows))
    told = [f"{row.competitor}: left out {text}" for row in board.rows if (text := figures.left_out(row))]
    lines = [*told, *figures.doubts(board), *board.remarks, *board.standing]
    parts.append("\n".join(f"- {code_span(line, limit=600)}" for line in lines))
    return "\n\n".join(parts) + "\n"


def _headings(board: Leaderboard) -> list[str]:
    return [heading or figures.total_heading(board) for heading in _HEADINGS]


def _cells(row: Row) -> list[Cell]:
    metrics = row.metrics
    behind = row.to_first
    return [
        (figures.ABSENT if row.rank is None else str(row.rank), ""),
        (row.competitor + figures.mark(row), ""),
        *(
            (figures.value(metrics[name]), figures.interval(metrics[name]))
            for name in ("final", "tfc", "gic")
        ),
        (str(metrics["final"].n), ""),
        (figures.difference(behind), f"{behind.pairs} pairs" if behind is not None else ""),
        (figures.cost(row.agent), ""),
        (judging_cost(row.judging), ""),
    ]


def _groups(board: Leaderboard) -> list[tuple[str, list[str], list[list[Cell]]]]:
    """(title, columns, rows) of each grouping with more than one group."""
    found = []
    for title, names, by in (
        ("by domain", board.domains, "by_domain"),
        ("by user type", board.archetypes, "by_archetype"),
    ):
        if len(names) > 1:
            rows = [
                [(row.competitor, ""), *(_figure(getattr(row, by).get(name)) for name in names)]
                for row in board.rows
            ]
            found.append((title, [name.replace("_", " ") for name in names], rows))
    return found


def _figure(metric: Score | None) -> Cell:
    return figures.value(metric), figures.interval(metric)


def _table(headings: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Table:
    table = Table(box=None, pad_edge=False)
    name = _name_column(headings)
    for place, heading in enumerate(headings):
        table.add_column(
            heading, header_style="dim", justify="left" if place == name else "right", overflow="fold"
        )
    for row in rows:
        table.add_row(
            *(Text.assemble(shown, ("\n" + more, "dim")) if more else Text(shown) for shown, more in row)
        )
    return table


def _markdown_table(headings: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    name = _name_column(headings)
    lines = ["| " + " | ".join(headings) + " |", "|---" * len(headings) + "|"]
    for row in rows:
        cells = [f"{shown} ({more})" if more else shown for shown, more in row]
        cells[name] = code_span(row[name][0])
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _name_column(headings: Sequence[str]) -> int:
    return 1 if headings[0] == "#" else 0
