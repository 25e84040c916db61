"""Options of ``outboundeval merge``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options.shared import AsJson, RunStore


@dataclass(frozen=True, kw_only=True)
class MergeOptions:
    """Put the shards of a run together, and score, report and keep them as one run.

    A shard that is there twice, is missing, or belongs to another run is told, and nothing is merged. What
    was heard in recordings before is used again.

    Example: outboundeval merge runs/shard-1 runs/shard-2 --out runs/tonight
    """

    runs: Annotated[list[Path], typer.Argument(help="Folders that 'run --shard I/N' wrote.")]
    out: Annotated[Path, typer.Option(help="Folder of the whole run.")]
    incomplete: Annotated[
        bool,
        typer.Option("--incomplete", help="Go on without missing shards: their calls were not placed."),
    ] = False
    score: Annotated[bool, typer.Option("--score/--no-score", help="Score and report the whole.")] = True
    store: RunStore = None
    as_json: AsJson = False
