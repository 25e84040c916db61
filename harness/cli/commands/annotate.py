"""``outboundeval annotate``: what it does. Its options: :mod:`harness.cli.options.annotate`."""

from __future__ import annotations

from pathlib import Path

from harness._files.atomic_file import write_model, write_text
from harness.cli.options.annotate import AnnotateExportOptions, AnnotateImportOptions
from harness.cli.screen.agreement import as_markdown, print_people_check, print_written_set
from harness.cli.screen.console import print_json, stdout
from harness.errors import NotWritten, UserError
from harness.judging.people.annotating.agreement import PeopleCheck, check_people
from harness.judging.people.annotating.key import find_key, key_path, read_key
from harness.judging.people.annotating.labelled_set import write_labelled_set
from harness.judging.people.annotating.labels import points_of
from harness.judging.people.annotating.make_sheet import make_sheet
from harness.judging.people.annotating.sources import dialogues_of, verdicts_of
from harness.judging.people.answers import read_ratings
from harness.judging.people.sheet import write_sheet
from metrics.dialogue.verdicts import Dimension


def export(options: AnnotateExportOptions) -> None:
    """Draws the items, and writes page, table and key."""
    if options.nodes_only and options.dimensions:
        raise UserError(
            "--nodes asks for no replies, and --dimension is about replies: leave one of them out"
        )
    key = make_sheet(
        dialogues_of(options.source, scenario=options.scenario, folders=options.look_in or ()),
        source=str(options.source),
        sample=options.sample,
        seed=options.seed,
        dimensions=() if options.nodes_only else tuple(dict.fromkeys(options.dimensions or Dimension)),
        nodes=options.nodes_only is not False and not options.dimensions,
    )
    if options.out.suffix.lower() not in (".html", ".htm"):
        raise UserError(f"{options.out}: the sheet is a page: give it a name that ends in .html")
    where = key_path(options.out)
    if where.exists() and read_key(where).sheet.id != key.sheet.id:
        raise UserError(
            f"{where}: is the key of another sheet, without which what its raters send back says nothing; "
            "give another --out, or remove it"
        )
    page, table = write_sheet(key.sheet, options.out)
    try:
        write_model(where, key)
    except OSError as error:
        raise NotWritten.of(where, error) from error
    if options.as_json:
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


def import_(options: AnnotateImportOptions) -> None:
    """Reads what raters saved, compares, and writes what came out."""
    where = options.key if options.key is not None else find_key(options.answers)
    of = read_key(where)
    verdicts = verdicts_of(options.judge_scores) if options.judge_scores is not None else {}
    points = points_of(
        of, read_ratings(options.answers, of.sheet), verdicts=verdicts, settled_by=options.settled_by
    )
    check = check_people(
        points,
        sheet=of.sheet.id,
        source=of.source,
        settled_by=options.settled_by or "",
        judge=" + ".join(sorted({one.judge for one in verdicts.values()})),
        judge_version=" + ".join(sorted({one.judge_version for one in verdicts.values()})),
    )
    folder = (
        options.out
        if options.out is not None
        else where.with_name(where.name.removesuffix(".key.json") + "-ratings")
    )
    written = write_labelled_set(of, points, folder / "set")
    _write(folder, check)
    if options.as_json:
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
        raise NotWritten.of(folder, error) from error
