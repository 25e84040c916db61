"""``outboundeval annotate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness._files.atomic_file import write_model, write_text
from harness.cli.options.shared import AsJson
from harness.cli.screen.agreement import as_markdown, print_people_check, print_written_set
from harness.cli.screen.console import print_json, stdout
from harness.errors import UserError
from harness.judging.people.annotating.agreement import PeopleCheck, check_people
from harness.judging.people.annotating.key import find_key, key_path, read_key
from harness.judging.people.annotating.labelled_set import write_labelled_set
from harness.judging.people.annotating.labels import points_of
from harness.judging.people.annotating.make_sheet import make_sheet
from harness.judging.people.annotating.sources import dialogues_of, verdicts_of
from harness.judging.people.answers import read_ratings
from harness.judging.people.sheet import write_sheet
from metrics.dialogue.verdicts import Dimension

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="People rate dialogues: sheets out, agreement back."
)


@app.callback()
def _annotate() -> None:
    """People rate dialogues: sheets out, agreement back."""


@app.command()
def export(
    source: Annotated[
        Path, typer.Argument(help="Folder of a run (calls or dialogues in text), or a file of transcripts.")
    ],
    out: Annotated[Path, typer.Option(help="The page; its CSV and its key go beside it.")] = Path(
        "sheet.html"
    ),
    sample: Annotated[
        int, typer.Option(min=1, max=500, help="So many replies of each dimension, and so many dialogues.")
    ] = 20,
    seed: Annotated[int, typer.Option(help="The same seed draws the same items in the same order.")] = 0,
    dimensions: Annotated[
        list[Dimension] | None, typer.Option("--dimension", help="Only these; may be given several times.")
    ] = None,
    nodes_only: Annotated[
        bool | None,
        typer.Option("--nodes/--replies", help="Only whole dialogues, or only replies; the default is both."),
    ] = None,
    scenario: Annotated[
        str | None, typer.Option(metavar="ENTRY", help="What transcripts are about, where they do not tell.")
    ] = None,
    look_in: Annotated[
        list[Path] | None, typer.Option("--from", help="Scenarios in this folder instead of our own.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a blind rating sheet: one page that works from disk, and the same items as a CSV.

    Raters open the page in a browser, answer, press "Save answers" and send the file back. Who is judged and
    what a judge made of it is not on the sheet; where items come from is in the key, which stays with you.

    Example: outboundeval annotate export runs/benchmark --sample 20 --out sheet.html
    """
    if nodes_only and dimensions:
        raise UserError(
            "--nodes asks for no replies, and --dimension is about replies: leave one of them out"
        )
    key = make_sheet(
        dialogues_of(source, scenario=scenario, folders=look_in or ()),
        source=str(source),
        sample=sample,
        seed=seed,
        dimensions=() if nodes_only else tuple(dict.fromkeys(dimensions or Dimension)),
        nodes=nodes_only is not False and not dimensions,
    )
    if out.suffix.lower() not in (".html", ".htm"):
        raise UserError(f"{out}: the sheet is a page: give it a name that ends in .html")
    page, table = write_sheet(key.sheet, out)
    where = key_path(out)
    try:
        write_model(where, key)
    except OSError as error:
        raise UserError(f"{where}: cannot be written: {error.strerror or error}") from error
    if as_json:
        counted = {"items": len(key.sheet.items), "dialogues": len(key.sheet.texts), "sheet": key.sheet.id}
        print_json({"page": str(page), "csv": str(table), "key": str(where), **counted})
        return
    stdout.print(f"{len(key.sheet.items)} items from {len(key.sheet.texts)} dialogues", highlight=False)
    for what, path in (("for raters", page), ("the same as a table", table), ("for you alone", where)):
        stdout.print(f"{what}: {path}", markup=False, highlight=False, soft_wrap=True)
    stdout.print(
        f"when they are back: outboundeval annotate import ratings-*.json --key {where}",
        style="dim",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


@app.command(name="import")
def import_(
    answers: Annotated[
        list[Path], typer.Argument(help="What raters saved (JSON), or the CSV filled in; one file a rater.")
    ],
    key: Annotated[
        Path | None, typer.Option(help="The sheet's key; the default is the only one beside the answers.")
    ] = None,
    judge_scores: Annotated[
        Path | None,
        typer.Option(
            help="Scored run, or what 'score FILE --json' printed: does the judge agree with people?"
        ),
    ] = None,
    settled_by: Annotated[
        str | None,
        typer.Option(metavar="RATER", help="This rater's word settles what the others do not agree on."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the results. Default: SHEET-ratings beside the key.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read rating sheets back: agreement of raters with each other and with a judge, and every difference.

    Leaves agreement.json, differences.md (with everybody's argument, to work on a judge's prompt with) and
    set/, a labelled set for 'judge check --set'.

    Example: outboundeval annotate import ratings-*.json --key sheet.key.json --judge-scores runs/benchmark
    """
    where = key if key is not None else find_key(answers)
    of = read_key(where)
    verdicts = verdicts_of(judge_scores) if judge_scores is not None else {}
    points = points_of(of, read_ratings(answers, of.sheet), verdicts=verdicts, settled_by=settled_by)
    check = check_people(
        points,
        sheet=of.sheet.id,
        source=of.source,
        settled_by=settled_by or "",
        judge=" + ".join(sorted({one.judge for one in verdicts.values()})),
        judge_version=" + ".join(sorted({one.judge_version for one in verdicts.values()})),
    )
    folder = out if out is not None else where.with_name(where.name.removesuffix(".key.json") + "-ratings")
    written = write_labelled_set(of, points, folder / "set")
    _write(folder, check)
    if as_json:
        labelled = {"set": str(written.folder) if written.folder else None, "left_out": written.left_out}
        print_json({"folder": str(folder), **labelled, **check.model_dump(mode="json")})
        return
    print_people_check(stdout, check)
    stdout.print(
        f"{len(check.differences)} differences: {folder / 'differences.md'}",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    print_written_set(stdout, written)


def _write(folder: Path, check: PeopleCheck) -> None:
    try:
        write_model(folder / "agreement.json", check)
        write_text(folder / "differences.md", as_markdown(check))
    except OSError as error:
        raise UserError(f"{folder}: cannot be written: {error.strerror or error}") from error
