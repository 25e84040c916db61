"""Several agents as one page that needs no network."""

from __future__ import annotations

from harness._files.self_contained_page import render
from harness.analysis.measures.table import label
from harness.reports import TEMPLATES
from harness.reports.agents.cells import calls_told, lines
from harness.scoring.comparison.side_by_side import SideBySide

TONES = {"worse": "bad", "better": "good", "no difference seen": "idle", "inconclusive": "open"}


def agents_page(board: SideBySide) -> str:
    """The page as HTML."""
    return render(
        "agents.html.j2",
        folder=TEMPLATES,
        styles=("page.css", "leaderboard.css", "agents.css"),
        scripts=("page.js",),
        agents=[{"name": one.name, "run": one.run, "calls": calls_told(one)} for one in board.agents],
        lines=lines(board),
        tones=TONES,
        absent=[(label(name), reason) for name, reason in board.absent.items()],
        remarks=board.remarks,
    )
