"""Options of ``outboundeval prune``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options.shared import AsJson


@dataclass(frozen=True, kw_only=True)
class PruneOptions:
    """Take sound and words out of old runs; their figures and verdicts stay.

    Example: outboundeval prune runs/* --keep-audio 30d --keep-words 90d
    """

    runs: Annotated[list[Path], typer.Argument(help="Folders of runs.")]
    keep_audio: Annotated[
        str | None, typer.Option(metavar="DAYS", help="Remove the sound of older runs: 30d, or 0d for all.")
    ] = None
    keep_words: Annotated[
        str | None,
        typer.Option(metavar="DAYS", help="Remove transcripts, quotes and sound of older runs: 90d."),
    ] = None
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False
    as_json: AsJson = False
