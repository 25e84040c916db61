"""Options of ``outboundeval persona realism``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options.shared import AsJson
from harness.judging.people.realism.parts import PARTS

Human = Annotated[
    list[Path],
    typer.Option("--human", help="Dialogues with real persons: transcript files, folders, or chat runs."),
]
Simulated = Annotated[
    list[Path], typer.Option("--simulated", help="Dialogues with the simulated person, in the same forms.")
]
Sample = Annotated[
    int | None, typer.Option(min=1, help="So many of each kind, drawn with the seed. Default: all.")
]
Seed = Annotated[int, typer.Option(help="Of what is drawn, of the pairs and of the order.")]


@dataclass(frozen=True, kw_only=True)
class RealismJudgeOptions:
    """Ask a language model: a score of 0-9, human or not, and which of two is human, each pair in both
    orders.

    Answers are kept: the same command after Ctrl-C goes on, and costs nothing for what was asked.

    Example: outboundeval persona realism judge --human real/ --simulated runs/benchmark
    --model openai:gpt-4.1 --out realism/gpt.json
    """

    human: Human
    simulated: Simulated
    model: Annotated[str, typer.Option("--model", help="Language model that judges.")]
    out: Annotated[Path, typer.Option("--out", help="File for its verdicts (.json); 'report' reads it.")]
    sample: Sample = None
    seed: Seed = 0
    parallel: Annotated[int, typer.Option(min=1, max=100, help="So many questions at once.")] = 4
    price: Annotated[str | None, typer.Option(help="IN,OUT per million tokens, for the cost.")] = None
    max_cost: Annotated[float | None, typer.Option(min=0, help="Stop when this much was spent.")] = None
    as_json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class RealismExportOptions:
    """Make a blind sheet for people: one page that works from disk, and the same as a table.

    Give raters the page or the table, and nothing else: the key says where each dialogue comes from.

    Example: outboundeval persona realism export --human real/ --simulated runs/benchmark --sample 20
    --out realism/sheet.html
    """

    human: Human
    simulated: Simulated
    out: Annotated[
        Path, typer.Option("--out", help="The page (.html); its table (.csv) is written beside it.")
    ]
    key: Annotated[
        Path | None, typer.Option("--key", help="Where the key goes. Default: PAGE-key/PAGE.json, beside it.")
    ] = None
    ask: Annotated[list[str] | None, typer.Option(help=f"Only this: {', '.join(PARTS)}.")] = None
    sample: Sample = None
    seed: Seed = 0


@dataclass(frozen=True, kw_only=True)
class RealismImportOptions:
    """Read the raters' files back, hold every answer to the sheet, and print the tables.

    Example: outboundeval persona realism import answers-*.json --key realism/sheet-key/sheet.json
    --out realism/people.json
    """

    answers: Annotated[list[Path], typer.Argument(help="What raters saved: one file each, JSON or CSV.")]
    key: Annotated[Path, typer.Option("--key", help="The key that 'export' wrote.")]
    out: Annotated[Path, typer.Option("--out", help="File for the verdicts (.json); 'report' reads it.")]
    partial: Annotated[
        bool, typer.Option("--partial", help="Take sheets that are not answered to the end.")
    ] = False
    as_json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class RealismReportOptions:
    """Print the tables of the paper's section 4.4 (1, 2, 3) with intervals and tests.

    Example: outboundeval persona realism report realism/gpt.json realism/people.json --out realism/tables.md
    """

    verdicts: Annotated[list[Path], typer.Argument(help="Files that 'judge' and 'import' wrote.")]
    out: Annotated[
        Path | None, typer.Option("--out", help="Also write FILE.md, and the same as data beside it (.json).")
    ] = None
    as_json: AsJson = False
