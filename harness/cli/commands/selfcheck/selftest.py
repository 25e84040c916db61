"""``outboundeval selftest``: what it does. Its options: :mod:`harness.cli.options.selfcheck.selftest`."""

from __future__ import annotations

import time
from collections.abc import Sequence

import typer
from rich.console import Console

from harness.cli.options.selfcheck.selftest import SelftestOptions
from harness.cli.own_folder import going_on
from harness.cli.screen.console import print_json, progress_console
from harness.cli.screen.selfcheck.selftest import print_row, print_stated, print_verdict
from harness.errors import EXIT_CHECK_FAILED, HarnessFault, UserError
from harness.paths import data_dir
from harness.selfcheck.selftest.beside import MadeBeside
from harness.selfcheck.selftest.entries import Family, Size
from harness.selfcheck.selftest.families.table import FAMILIES
from harness.selfcheck.selftest.judged.page import markdown, write_table
from harness.selfcheck.selftest.judged.stated import Stated, stated
from harness.selfcheck.selftest.judged.verdict import Verdict, judge
from harness.selfcheck.selftest.run import FamilyResult


def selftest(options: SelftestOptions) -> None:
    """Plants, measures, and holds what was measured to what was stated."""
    console = progress_console(as_json=options.as_json)
    size: Size = "quick" if options.quick else "full"
    folder = options.out or data_dir() / "selftest"
    beforehand = stated()
    families = _chosen(options.only)
    print_stated(console, beforehand, size)
    began_s = time.monotonic()
    results = []
    with going_on(f"What is done is kept: give the same command again with --out {folder}."):
        placed = [family for family in families if family.way == "placed"]
        made = [family for family in families if family.way == "made"]
        with MadeBeside(made if placed else (), folder, size) as beside:
            for family in (*placed, *made):
                results.append(_tried(family, beside, console))
                cells = results[-1].cells
                for row in judge(cells, beforehand, size).rows:
                    print_row(console, row)
    minutes = (time.monotonic() - began_s) / 60
    order = [family.name for family in families]
    results.sort(key=lambda one: order.index(one.family))
    verdict = judge([cell for one in results for cell in one.cells], beforehand, size)
    if options.table is not None:
        write_table(options.table, markdown(results, verdict, beforehand, size=size, minutes=minutes), size)
    if options.as_json:
        print_json(_document(results, verdict, beforehand, size, minutes))
    else:
        print_verdict(console, verdict, minutes)
    if not verdict.passed:
        raise typer.Exit(EXIT_CHECK_FAILED)


def _chosen(only: str | None) -> Sequence[Family]:
    """The families that were named.

    Raises:
        UserError: There is none of such a name.
    """
    if only is None:
        return FAMILIES
    known = {family.name: family for family in FAMILIES}
    names = [name.strip() for name in only.split(",") if name.strip()]
    if unknown := [name for name in names if name not in known]:
        raise UserError(f"--only: no family '{unknown[0]}'; there are: {', '.join(known)}")
    if not names:
        raise UserError(f"--only: give families; there are: {', '.join(known)}")
    return [known[name] for name in known if name in names]


def _tried(family: Family, beside: MadeBeside, console: Console) -> FamilyResult:
    with console.status(family.name) as status:

        def on_progress(told: str) -> None:
            status.update(f"{family.name}: {told}")

        try:
            result = beside.result(family, on_progress)
        except HarnessFault as fault:
            raise UserError(
                f"{family.name}: {fault}; what is done is kept: give the same command again"
            ) from fault
    if result.missing:
        console.print(f"{family.name}: not tried: {result.missing}", style="yellow", markup=False)
    for note in result.notes:
        console.print(f"  {note}", style="dim", highlight=False, markup=False, soft_wrap=True)
    return result


def _document(
    results: Sequence[FamilyResult], verdict: Verdict, beforehand: Stated, size: Size, minutes: float
) -> dict[str, object]:
    return {
        "passed": verdict.passed,
        "size": size,
        "minutes": round(minutes, 1),
        "failures": verdict.failures,
        "not_tried": {one.family: one.missing for one in results if one.missing},
        "notes": [note for one in results for note in one.notes],
        "stated": beforehand.model_dump(mode="json"),
        "rows": [
            {"defect": row.weak.defect, "metric": row.weak.metric, "found": row.found, "told": row.told}
            for row in verdict.rows
        ],
        "cells": [cell.model_dump(mode="json") for one in results for cell in one.cells],
    }
