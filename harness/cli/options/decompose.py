"""Options of ``outboundeval scenarios decompose``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer


@dataclass(frozen=True, kw_only=True)
class DecomposeOptions:
    """Turn a task flow's text into the nodes that a call is judged by (section 5.1.2 of the paper).

    Structure, criteria, checks of coverage and overlap with repairs, prerequisites: each stage's outcome is
    kept, and the flow is a file to review. Without --model only the checks run, on a scenario's own flow.

    Example: outboundeval scenarios decompose cs-bank-complaint --model openai:gpt-4.1
    """

    source: Annotated[
        str, typer.Argument(help="A scenario's id, or a text file with a task flow in plain words.")
    ]
    model: Annotated[
        str | None,
        typer.Option("--model", help="Language model: PROVIDER:MODEL, http://HOST:PORT/v1 or local:NAME."),
    ] = None
    out: Annotated[Path | None, typer.Option("--out", help="Folder for the stages; default: in runs/.")] = (
        None
    )
    price: Annotated[str | None, typer.Option(help="IN,OUT per million tokens, for the cost.")] = None
    look_in: Annotated[
        list[Path] | None, typer.Option("--from", help="Look for scenarios in this folder.")
    ] = None
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False
