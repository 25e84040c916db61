"""``RUN/report/index.html``: the whole report in one file that needs no network and no other file.

What the page shows comes from strangers: transcripts, agents' names, error messages. How it stays text is in
:mod:`harness._files.self_contained_page`.
"""

from __future__ import annotations

from pathlib import Path

from harness._files.self_contained_page import render, write_page
from harness.reports import TEMPLATES
from harness.reports.parts.playable import embedded_within
from harness.reports.run import RunPage, run_page

PAGE_BUDGET_BYTES = 25_000_000
"""How large a page may become through embedded sound."""

_STYLES = ("page.css", "call.css", "checks.css", "judgement.css", "load.css", "told.css")
_SCRIPTS = ("page.js", "wave.js", "call.js")


def build_report(run_dir: Path, *, page_budget_bytes: int = PAGE_BUDGET_BYTES) -> Path:
    """Writes the page of a run and returns where it is.

    Args:
        run_dir: Folder with ``run.json``, ``summary.json`` and ``calls/``; what is missing or broken in it is
            named on the page.
        page_budget_bytes: Calls whose sound would make the page larger are linked to their file instead.

    Raises:
        UserError: ``run_dir`` is no run, or the page cannot be written.
    """
    run = run_page(run_dir)
    page = render_page(run)
    left = page_budget_bytes - len(page.encode("utf-8", errors="replace"))
    sounds = embedded_within((call.sound for call in run.calls + run.faulty), left)
    return write_page(run_dir / "report" / "index.html", render_page(run.with_sounds(sounds)))


def render_page(run: RunPage) -> str:
    """The page as HTML."""
    return render("page.html.j2", folder=TEMPLATES, styles=_STYLES, scripts=_SCRIPTS, run=run)
