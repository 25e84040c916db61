"""Options of ``outboundeval history``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options.shared import AsJson


@dataclass(frozen=True, kw_only=True)
class HistoryOptions:
    """Figures over the nights: where a level changed, by how much, and what changed with it.

    Works on the store alone: runs/nights.sqlite, which 'run' writes beside its runs.

    Example: outboundeval history --name nightly

    Example: outboundeval history --name nightly --branch main

    Example: outboundeval history --rebuild runs/* --page history.html
    """

    rebuild: Annotated[list[Path] | None, typer.Argument(help="With --rebuild: the folders of runs.")] = None
    anew: Annotated[
        bool, typer.Option("--rebuild", help="First fill the store anew from the folders given.")
    ] = False
    store: Annotated[
        str,
        typer.Option(
            envvar="OUTBOUNDEVAL_STORE", help="A file, or postgresql://… ({env:NAME} for its password)."
        ),
    ] = "runs/nights.sqlite"
    name: Annotated[str, typer.Option(help="Only runs of this name. Default: of the newest run.")] = ""
    branch: Annotated[
        str, typer.Option(help="Only runs of this branch of your code, as the CI tells it. Default: all.")
    ] = ""
    page: Annotated[
        Path | None, typer.Option(help="Also write a page: one file, each point leads to its run.")
    ] = None
    as_json: AsJson = False
