"""Options of ``outboundeval report``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options.shared import AsJson


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """Write the report of a run of calls again, or the leaderboard of dialogues in text.

    Of calls: the page and junit.xml, from what is in the run's folder. Of dialogues that 'score' has judged:
    competitors by TFC, GIC and total with intervals (docs/leaderboard.md), as a page and leaderboard.md, and
    for each dialogue a page with what its scores rest on.

    Example: outboundeval report runs/nightly

    Example: outboundeval report runs/benchmark runs/benchmark-2
    """

    runs: Annotated[
        list[Path],
        typer.Argument(help="Folder that 'run', 'call' or 'chat' wrote; several chats are ranked."),
    ]
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of a leaderboard. Default: RUN/report, or a new one for several runs."),
    ] = None
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print a run of calls as Markdown, for a pull request.")
    ] = False
    as_json: AsJson = False
