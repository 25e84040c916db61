"""Options of ``outboundeval report``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options.shared import AsJson


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """Write the report of a run of calls again, several agents side by side, or the leaderboard of dialogues.

    Of calls: the page and junit.xml, from what is in the run's folder. Of several runs of calls: one table
    with every figure of each, and the differences where the callers were the same. Of dialogues in text that
    'score' has judged: competitors by TFC, GIC and total with intervals (docs/leaderboard.md), as a page and
    leaderboard.md, and for each dialogue a page with what its scores rest on.

    Example: outboundeval report runs/nightly

    Example: outboundeval report runs/agent-a runs/agent-b

    Example: outboundeval report runs/benchmark runs/benchmark-2
    """

    runs: Annotated[
        list[Path],
        typer.Argument(help="Folder that 'run', 'call' or 'chat' wrote; several stand in one table."),
    ]
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of a table of several. Default: RUN/report for one chat, else a new one."),
    ] = None
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print a run of calls as Markdown, for a pull request.")
    ] = False
    as_json: AsJson = False
