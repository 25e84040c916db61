"""Options of ``outboundeval persona build``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options.shared import AsJson
from harness.scenarios.authoring.step_names import STEPS


@dataclass(frozen=True, kw_only=True)
class BuildOptions:
    """Make personas from real calls, in steps that can each be done again.

    Seven steps of the paper make five people of a call; the eighth writes what an agent may say to them.
    Curate, de-identify and the check of a set of five need no language model. A step that is done is not done
    again unless what it works on has changed. Ctrl-C keeps what is finished.

    Example: outboundeval persona build --from transcripts/ --out build/ --model openai:gpt-4.1
    """

    out: Annotated[Path, typer.Option("--out", help="Folder of the build; the same one goes on.")]
    sources: Annotated[
        list[Path] | None,
        typer.Option("--from", help="Transcripts: files, folders of them, or a run of 'chat'."),
    ] = None
    model: Annotated[str | None, typer.Option("--model", help="Language model that writes.")] = None
    top: Annotated[int, typer.Option(min=1, max=1000, help="So many transcripts become seeds.")] = 5
    only: Annotated[list[str] | None, typer.Option(help=f"Only this step: {', '.join(STEPS)}.")] = None
    to: Annotated[
        list[str] | None,
        typer.Option(
            help="Carry personas to this sub-scenario, for instance cs-bank-complaint; all: each of the 30."
        ),
    ] = None
    terms: Annotated[
        Path | None,
        typer.Option(
            help="File of words that identify, a line each: 'person: Carter', 'company: Acme', or alone."
        ),
    ] = None
    rate: Annotated[bool, typer.Option("--rate", help="The model also rates the transcripts.")] = False
    seed: Annotated[int, typer.Option(help="The same seed gives the same replacements.")] = 0
    parallel: Annotated[int, typer.Option(min=1, max=100, help="So many requests at once.")] = 4
    price: Annotated[str | None, typer.Option(help="IN,OUT per million tokens, for the cost.")] = None
    max_cost: Annotated[float | None, typer.Option(min=0, help="Stop when this much was spent.")] = None
    as_json: AsJson = False
