"""Options of ``outboundeval selftest``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options.shared import AsJson


@dataclass(frozen=True, kw_only=True)
class SelftestOptions:
    """Prove the instrument here: what is bad at one thing, at two strengths, has to be found, and that alone.

    For each metric there is an agent, a voice or a file that is bad at exactly that. What was planted stands
    beside what was measured, with a paired 95 % interval against the clean agent; what is known not to be
    found is printed first. Exits with 1 where anything differs from what is stated (docs/selftest.md).

    --quick (default): the diagonal. --full: 20 items and more in each cell, and whatever else a defect moves.
    Keep the machine idle. What is done is kept, run by run: give the same command with --out to go on.

    Example: outboundeval selftest --full --out selftest --table selftest.md
    """

    quick: Annotated[
        bool, typer.Option("--quick/--full", help="The diagonal, or the whole table with more items.")
    ] = True
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="NAMES", help="Only these families, as in words,noise,sound."),
    ] = None
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for runs and cells, to go on with. Default: with the error bars."),
    ] = None
    table: Annotated[Path | None, typer.Option(help="Put the table into this page (Markdown).")] = None
    as_json: AsJson = False
