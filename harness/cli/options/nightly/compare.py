"""Options of ``outboundeval compare``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options.shared import AsJson, RunStore


@dataclass(frozen=True, kw_only=True)
class CompareOptions:
    """Compare two runs of the same calls: what changed, how sure that is, and what could have been seen.

    Exit code 1 where something got worse, and where nobody can tell; see docs/nightly.md.

    Example: outboundeval compare runs/monday runs/tuesday

    Example: outboundeval compare "last green on main" runs/tuesday

    Example: outboundeval compare runs/monday runs/tuesday --gate "response_latency_ms: not worse by 100"
    """

    baseline: Annotated[
        str, typer.Argument(help="Folder of the run to compare with, 'last green' or 'last green on BRANCH'.")
    ]
    candidate: Annotated[Path, typer.Argument(help="Folder of the run that may have changed.")]
    gate: Annotated[
        list[str] | None,
        typer.Option(
            "--gate",
            metavar="'FIGURE: not worse by NUMBER'",
            help="Decides; may be repeated. Default: the candidate's own relative gates, else a few watched "
            "figures, of which none may be worse.",
        ),
    ] = None
    every_figure: Annotated[
        bool, typer.Option("--all", help="Show all figures in place of the watched few.")
    ] = False
    store: RunStore = None
    as_json: AsJson = False
