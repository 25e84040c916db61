"""Options of ``outboundeval annotate``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options.shared import AsJson
from metrics.dialogue.verdicts import Dimension


@dataclass(frozen=True, kw_only=True)
class AnnotateExportOptions:
    """Write a blind rating sheet: one page that works from disk, and the same items as a CSV.

    Raters open the page in a browser, answer, press "Save answers" and send the file back. Who is judged and
    what a judge made of it is not on the sheet; where items come from is in the key, which stays with you.

    Example: outboundeval annotate export runs/benchmark --sample 20 --out sheet.html
    """

    source: Annotated[
        Path, typer.Argument(help="Folder of a run (calls or dialogues in text), or a file of transcripts.")
    ]
    out: Annotated[Path, typer.Option(help="The page; its CSV and its key go beside it.")] = Path(
        "sheet.html"
    )
    sample: Annotated[
        int, typer.Option(min=1, max=500, help="So many replies of each dimension, and so many dialogues.")
    ] = 20
    seed: Annotated[int, typer.Option(help="The same seed draws the same items in the same order.")] = 0
    dimensions: Annotated[
        list[Dimension] | None, typer.Option("--dimension", help="Only these; may be given several times.")
    ] = None
    nodes_only: Annotated[
        bool | None,
        typer.Option("--nodes/--replies", help="Only whole dialogues, or only replies; the default is both."),
    ] = None
    scenario: Annotated[
        str | None, typer.Option(metavar="ENTRY", help="What transcripts are about, where they do not tell.")
    ] = None
    look_in: Annotated[
        list[Path] | None, typer.Option("--from", help="Scenarios in this folder instead of our own.")
    ] = None
    as_json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class AnnotateImportOptions:
    """Read rating sheets back: agreement of raters with each other and with a judge, and every difference.

    Leaves agreement.json, differences.md (with everybody's argument, to work on a judge's prompt with) and
    set/, a labelled set for 'judge check --set'.

    Example: outboundeval annotate import ratings-*.json --key sheet.key.json --judge-scores runs/benchmark
    """

    answers: Annotated[
        list[Path], typer.Argument(help="What raters saved (JSON), or the CSV filled in; one file a rater.")
    ]
    key: Annotated[
        Path | None, typer.Option(help="The sheet's key; the default is the only one beside the answers.")
    ] = None
    judge_scores: Annotated[
        Path | None,
        typer.Option(
            help="Scored run, or what 'score FILE --json' printed: does the judge agree with people?"
        ),
    ] = None
    settled_by: Annotated[
        str | None,
        typer.Option(metavar="RATER", help="This rater's word settles what the others do not agree on."),
    ] = None
    out: Annotated[
        Path | None, typer.Option(help="Folder for the results. Default: SHEET-ratings beside the key.")
    ] = None
    as_json: AsJson = False
