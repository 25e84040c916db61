"""``outboundeval listen``: what it does. Its options: :mod:`harness.cli.options.people.listen`."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import typer

from harness._files.self_contained_page import write_page
from harness.cli.options.people.listen import ListenExportOptions, ListenImportOptions
from harness.cli.own_folder import own_folder
from harness.cli.screen.components import print_table
from harness.cli.screen.console import print_json, progress_console, stdout
from harness.cli.screen.people.listening import print_import
from harness.errors import EXIT_CHECK_FAILED, UserError
from harness.reports.html import build_report
from harness.reports.junit import write_junit
from harness.reports.parts.formats import count
from harness.scoring.comparison.runs import relative_as_before
from harness.scoring.gates.decide import decide
from harness.scoring.listening.key import write_key
from harness.scoring.listening.making import make_page
from harness.scoring.listening.page import listening_page
from harness.scoring.listening.ratings.answers import read_files
from harness.scoring.listening.ratings.importing import (
    Import,
    prepared,
    result_path,
    written,
    written_of_voices,
)
from harness.scoring.listening.voices import is_of_components
from spoken_language.outside_text import one_line


def export(options: ListenExportOptions) -> None:
    """Draws the clips, and writes the page and its key."""
    if options.out.suffix.lower() not in (".html", ".htm"):
        raise UserError(f"{options.out}: is to be a page: give it a name that ends in .html")
    with progress_console(as_json=options.as_json).status("cutting the clips"):
        made = make_page(
            options.runs,
            method=options.method,
            clips=options.clips,
            seed=options.seed,
            headphones=options.headphones,
        )
        # The key first: a page whose key could not be written must go to nobody.
        keys = [write_key(run, key) for run, key in zip(options.runs, made.keys, strict=True)]
        page = write_page(options.out, listening_page(made.sheet, made.sounds))
    size_mb = page.stat().st_size / 1e6
    level_dbov = made.keys[0].level_dbov
    if options.as_json:
        print_json(
            {
                "page": str(page),
                "keys": [str(path) for path in keys],
                "sheet": made.sheet.id,
                "method": options.method,
                "clips": made.clips,
                "calls": made.calls,
                "items": len(made.sheet.items),
                "level_dbov": level_dbov,
                "megabytes": round(size_mb, 1),
            }
        )
        return
    what = count(made.clips, "clip" if options.method == "acr" else "pair")
    asked = len(made.sheet.items)
    lines = [
        f"{what} from {count(made.calls, made.of)}, {asked} items in all, at {level_dbov:.1f} dBov",
        f"for raters: {page} ({size_mb:.1f} MB)",
        *(f"for you alone: {path}" for path in keys),
    ]
    if made.clips < options.clips:
        lines.insert(1, f"there are no more: {options.clips} were asked for")
    for line in lines:
        stdout.print(line, markup=False, highlight=False, soft_wrap=True)
    stdout.print(
        f"when they are back: outboundeval listen import {' '.join(map(str, options.runs))} listening-*.json",
        style="dim",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


def import_(options: ListenImportOptions) -> None:
    """Reads what raters saved, and takes it into each run. Nobody counts: exit code 1."""
    runs = list({path.resolve(): path for path in options.paths if path.is_dir()}.values())
    paths = [path for path in options.paths if not path.is_dir()]
    _check_there(runs, paths)
    if not runs:
        raise UserError("no folder of a run was given: outboundeval listen import RUN listening-*.json")
    if of_voices := [run for run in runs if is_of_components(run)]:
        if len(runs) > 1:
            raise UserError(f"{of_voices[0]}: is of score-tts: give it alone, with the files of its page")
        _import_voices(of_voices[0], paths, options)
        return
    files = read_files(paths)
    console = progress_console(as_json=options.as_json)
    with contextlib.ExitStack() as held:
        for run in runs:
            go_on = "Give the same command again: what was written is written once more."
            held.enter_context(
                own_folder(run, doing="listen import", console=console, go_on=go_on, new=False)
            )
        # All of it is read and held to the page before any of it is written.
        imports = [prepared(run, files, paths) for run in runs]
        if not options.replace:
            for run, one in zip(runs, imports, strict=True):
                _check_complete(run, one)
        documents = [
            _taken_in(run, one, as_json=options.as_json) for run, one in zip(runs, imports, strict=True)
        ]
    key = imports[0].key
    elsewhere = [
        name for number, name in enumerate(key.runs) if number not in {one.key.this_run for one in imports}
    ]
    if options.as_json:
        print_json({"runs": documents, "not_imported_into": elsewhere})
    elif elsewhere and key.sheet.method == "acr":
        told = f"the page has clips of {', '.join(elsewhere)} as well: give the folder, too"
        stdout.print(told, style="dim", markup=False, highlight=False, soft_wrap=True)
    if not imports[0].result.counted:
        raise typer.Exit(EXIT_CHECK_FAILED)


def _import_voices(folder: Path, paths: list[Path], options: ListenImportOptions) -> None:
    """Reads what raters said of voices, and takes it into their table."""
    one = prepared(folder, read_files(paths), paths)
    if not options.replace:
        _check_complete(folder, one)
    table = written_of_voices(one)
    if options.as_json:
        document = {
            "folder": str(folder),
            "result": str(result_path(folder, one.result.sheet)),
            "problems": list(one.problems),
            **one.result.model_dump(mode="json"),
            "table": table.model_dump(mode="json"),
        }
        print_json(document)
    else:
        print_import(stdout, one)
        print_table(stdout, table)
    if not one.result.counted:
        raise typer.Exit(EXIT_CHECK_FAILED)


def _check_there(runs: list[Path], paths: list[Path]) -> None:
    for path in paths:
        if not path.exists() and path.suffix != ".json":
            raise UserError(f"{path}: is not there: neither the folder of a run nor a rater's file")
    for folder in runs:
        if is_of_components(folder):
            continue
        if not (folder / "run.json").is_file() and any(folder.glob("*.json")):
            raise UserError(f"{folder}: is no run; give the files in it, as {folder}/*.json")


def _check_complete(run: Path, one: Import) -> None:
    """All files of a page are imported together: a late one by itself must not put the others out."""
    if not one.left_out:
        return
    shown = ", ".join(one_line(name, most=60) for name in one.left_out[:5])
    more = ", …" if len(one.left_out) > 5 else ""
    raise UserError(
        f"{run}: {count(len(one.left_out), 'rater')} of this page taken in before, and not among these "
        f"files ({shown}{more}): give all files of the page together, or --replace to put those out"
    )


def _taken_in(run: Path, one: Import, *, as_json: bool) -> dict[str, Any]:
    summary = written(one)
    document: dict[str, Any] = {
        "run": str(run),
        "result": str(result_path(run, one.result.sheet)),
        "problems": list(one.problems),
        **one.result.model_dump(mode="json"),
    }
    if one.key.sheet.method == "acr":
        decide(run, relative=relative_as_before(run))
        document["report"] = str(build_report(run))
        write_junit(run)
        mos = summary.metrics.get("mos")
        document["mos"] = mos.model_dump(mode="json") if mos is not None else None
    if not as_json:
        print_import(stdout, one, summary)
    return document
