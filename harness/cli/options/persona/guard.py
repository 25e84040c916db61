"""Options of ``outboundeval persona guard``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options.shared import AsJson, RunFolder


@dataclass(frozen=True, kw_only=True)
class GuardRunOptions:
    """Check the simulated caller of every call or dialogue of a run, and write guard.json beside each.

    A guilty call is one in which our own caller was at fault; it is kept out of the agent's scores.

    Example: outboundeval persona guard runs/benchmark
    """

    folder: RunFolder
    as_json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class GuardCheckOptions:
    """How many planted faults the guard finds, and how often it is wrong, with 95 % intervals.

    Exits with 1 where a clean dialogue is found guilty, or fewer than nine in ten of the faults that rules
    can see are found.

    Example: outboundeval persona guard check --json
    """

    folder: Annotated[
        Path | None, typer.Option("--set", help="A folder of dialogues with known faults. Default: our own.")
    ] = None
    model: Annotated[
        str | None,
        typer.Option("--model", help="Also ask this language model; its findings are never certain."),
    ] = None
    as_json_: AsJson = False
