"""The leaderboard as one page that needs no network."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from harness._files.self_contained_page import render
from harness.reports import TEMPLATES
from harness.reports.leaderboard import figures
from harness.reports.leaderboard.dialogue_pages import DialogueLink
from harness.reports.parts import judging_cost
from harness.scoring.leaderboard.board import Leaderboard, Row
from metrics.dialogue.verdicts import Dimension
from metrics.score import Score

_WIDTH = 160
_MARGIN = 5


@dataclass(frozen=True, kw_only=True)
class _Group:
    """A table with a column for each of several groups; its figures are those named ``prefix`` + name."""

    id: str
    title: str
    of: str
    names: tuple[str, ...]
    of_row: Callable[[Row], dict[str, Score]]
    prefix: str = ""


@dataclass(frozen=True, kw_only=True)
class _Mark:
    """Where a total and its interval lie, in pixels."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, kw_only=True)
class _Scale:
    """From ``low`` to ``high`` over the width: whole tenths around all totals and intervals."""

    low: float
    high: float

    def at(self, value: float) -> float:
        return round(_MARGIN + (value - self.low) / (self.high - self.low) * (_WIDTH - 2 * _MARGIN), 2)


def leaderboard_page(
    board: Leaderboard, dialogues: Mapping[str, Sequence[DialogueLink]] | None = None
) -> str:
    """The page as HTML; ``dialogues``: of each competitor, with the pages that they have."""
    scale = _scale(board)
    return render(
        "leaderboard.html.j2",
        folder=TEMPLATES,
        styles=["page.css", "leaderboard.css"],
        scripts=["page.js"],
        board=board,
        f=figures,
        cost=judging_cost,
        dialogues=dialogues or {},
        total=figures.total_heading(board),
        doubts=figures.doubts(board),
        judged=sum(row.judged for row in board.rows),
        groups=_groups(board),
        scale=scale,
        marks={row.competitor: mark for row in board.rows if (mark := _mark(row, scale))},
    )


def _groups(board: Leaderboard) -> list[_Group]:
    total = figures.total_heading(board)
    groups = [
        _Group(
            id="domains", title="By domain", of=total, names=board.domains, of_row=lambda row: row.by_domain
        ),
        _Group(
            id="types",
            title="By user type",
            of=total,
            names=board.archetypes,
            of_row=lambda row: row.by_archetype,
        ),
        _Group(
            id="dimensions",
            title="By dimension",
            of="GIC",
            names=tuple(dimension.value for dimension in Dimension),
            of_row=lambda row: row.metrics,
            prefix="gic_",
        ),
    ]
    return [group for group in groups if group.names]


def _scale(board: Leaderboard) -> _Scale:
    finals = [row.metrics["final"] for row in board.rows]
    seen = [value for one in finals for value in (one.value, one.ci_low, one.ci_high) if value is not None]
    low = math.floor(10 * min(seen, default=0.0)) / 10
    high = math.ceil(10 * max(seen, default=1.0)) / 10
    return _Scale(low=low, high=high if high > low else low + 0.1)


def _mark(row: Row, scale: _Scale) -> _Mark | None:
    final = row.metrics["final"]
    if final.value is None:
        return None
    both = final.ci_low is not None and final.ci_high is not None
    return _Mark(
        value=scale.at(final.value),
        low=scale.at(final.ci_low) if both and final.ci_low is not None else None,
        high=scale.at(final.ci_high) if both and final.ci_high is not None else None,
    )
