"""What stands in the table of several agents, wherever it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from harness.analysis.measures.table import catalogue
from harness.analysis.measures.units import Unit, unit_named
from harness.records.comparison import FigureChange
from harness.reports.parts.formats import MINUS, interval, not_reached, number, with_unit
from harness.scoring.comparison.side_by_side import AgentFigures, SideBySide

ABSENT = "–"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A figure of an agent.

    Attributes:
        shown: With its unit; a dash where there is no value, and ``why``.
        change: Against the first agent, with its interval; empty where nothing was compared.
        word: What can be said of that change.
    """

    shown: str
    interval: str = ""
    n: int = 0
    why: str = ""
    change: str = ""
    word: str = ""


@dataclass(frozen=True, kw_only=True)
class Line:
    """A figure of every agent."""

    name: str
    label: str
    better: str
    cells: tuple[Cell, ...]


def lines(board: SideBySide) -> list[Line]:
    """A row for each figure that some agent has."""
    known = catalogue()
    rows = []
    for name in board.figures:
        entry = known.get(name)
        rows.append(
            Line(
                name=name,
                label=entry.label if entry else name.replace("_", " "),
                better=f"{entry.better} is better" if entry and entry.better else "",
                cells=tuple(_cell(agent, name) for agent in board.agents),
            )
        )
    return rows


def calls_told(agent: AgentFigures) -> str:
    """How the calls of an agent ended: ``28 completed, 2 agent hangup``."""
    return ", ".join(f"{n} {status.value.replace('_', ' ')}" for status, n in agent.calls.items() if n)


def _cell(agent: AgentFigures, name: str) -> Cell:
    found = agent.metrics.get(name)
    if found is None:
        return Cell(shown=ABSENT, why="not in its summary")
    unit = unit_named(found.unit)
    if found.value is None:
        beyond = found.not_reached.get("p50")
        return Cell(shown=ABSENT if beyond is None else not_reached(beyond, unit), why=found.reason)
    change = agent.change(name)
    return Cell(
        shown=with_unit(found.value, unit),
        interval=interval(found.ci_low, found.ci_high, unit) or "no interval",
        n=found.n,
        why=found.reason,
        change=_change(change, unit),
        word="" if change is None else change.word,
    )


def _change(change: FigureChange | None, unit: Unit) -> str:
    if change is None or change.estimate is None:
        return ""
    low, high = (_signed(end, unit) if end is not None else "open" for end in (change.low, change.high))
    return f"{_signed(change.estimate, unit)} [{low}, {high}] {unit.column}".rstrip()


def _signed(value: float, unit: Unit) -> str:
    return f"{'' if value < 0 else '+'}{number(value, unit)}".replace("-", MINUS)
