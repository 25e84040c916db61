"""Options of ``outboundeval persona understanding`` and ``persona examples``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options.shared import AsJson


@dataclass(frozen=True, kw_only=True)
class UnderstandingOptions:
    """How much of what a stranger's agent says the simulated caller understands, on labelled lines.

    As meant: of the lines that mean something to the person, those that were taken for it. False: of all
    lines, those that were taken for something else. Beside it what cue phrases alone would have understood.
    Exits with 1 where the first set misses a bar in a language. Takes minutes the first time: example lines
    are read once and kept.

    Example: outboundeval persona understanding --misses
    """

    folder: Annotated[
        Path | None,
        typer.Option(
            "--set",
            help="A folder of labelled lines. Default: our own, the one that nothing was set by first.",
        ),
    ] = None
    misses: Annotated[
        bool, typer.Option("--misses", help="List every line that was not taken as it was meant.")
    ] = False
    as_json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class ExamplesOptions:
    """What an agent's words may mean to a person, item by item, and what a line of yours would be taken for.

    Example: outboundeval persona examples cs-bank-complaint/hesitant --says "Which branch was it?"
    """

    entry: Annotated[str, typer.Argument(metavar="ENTRY", help="For instance cs-bank-complaint/hesitant.")]
    says: Annotated[
        str | None, typer.Option("--says", help="Show what this would be taken for, and by which examples.")
    ] = None
    look_in: Annotated[
        list[Path] | None, typer.Option("--from", help="Look in this folder instead of what comes along.")
    ] = None
    as_json: AsJson = False
