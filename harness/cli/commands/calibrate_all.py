"""``outboundeval calibrate --all``: what it does."""

from __future__ import annotations

from pathlib import Path

import typer
from rich.console import Console

from harness.analysis.cells import Cell
from harness.analysis.error_bar import store_error_bar
from harness.calls.conversation import Held
from harness.cli.options.calibrate import CalibrateOptions
from harness.cli.screen.console import print_json
from harness.errors import EXIT_CHECK_FAILED, HarnessFault, UserError
from harness.paths import data_dir
from harness.selfcheck.calibration.all_cells import (
    CellResult,
    keep_result,
    markdown,
    read_result,
    result_of,
    write_table,
)
from harness.selfcheck.calibration.cell_run import SOUNDS, Amount, calibrate_cell
from harness.selfcheck.calibration.design import CalibrationCall
from harness.selfcheck.calibration.page import made_with
from harness.selfcheck.calibration.references import REFERENCES, cells_of

AT_ONCE = 6


def calibrate_all(options: CalibrateOptions, console: Console) -> None:
    """Calibrates every cell that this machine can, but for those that are done; stores their error bars."""
    folder = options.out or data_dir() / "calibration" / "cells"
    amount = Amount(
        turns=options.turns,
        interruptions=options.interruptions,
        at_once=options.at_once or AT_ONCE,
        seed=options.seed,
        sounds=SOUNDS if options.sound == "both" else [options.sound],
    )
    sources = made_with()
    done: dict[Cell, CellResult] = {}
    missing: dict[Cell, str] = {}
    for cell in _asked_for(options):
        reference = REFERENCES[cell.transport]
        if lacks := reference.missing(cell):
            missing[cell] = lacks
            console.print(f"{cell.name}: left out, for want of {lacks}", highlight=False)
            continue
        kept = read_result(folder, cell)
        if kept is not None and kept.is_of(amount, sources):
            console.print(f"{cell.name}: done", highlight=False)
        else:
            kept = _calibrated(cell, amount, sources, console)
            keep_result(folder, cell, kept)
        done[cell] = kept
        if options.store and kept.bar.natural_responses and kept.bar.natural_interruptions:
            store_error_bar(kept.bar)
    if options.table is not None:
        # What was measured before of cells that were not asked for now stays in the page.
        before = {cell: kept for cell in cells_of() if (kept := read_result(folder, cell)) is not None}
        write_table(options.table, markdown({**before, **done}, missing))
    if options.as_json:
        print_json(_document(done, missing, folder))
    if any(one.faults or one.verdicts_wrong or any((one.wrong or {}).values()) for one in done.values()):
        raise typer.Exit(EXIT_CHECK_FAILED)


def _asked_for(options: CalibrateOptions) -> list[Cell]:
    """The cells that fit what was named of them.

    Raises:
        UserError: None does.
    """
    named = {"transport": options.transport, "codec": options.codec, "network": options.network}
    asked = [
        cell
        for cell in cells_of()
        if all(wanted in (None, getattr(cell, what)) for what, wanted in named.items())
    ]
    if not asked:
        known = "; ".join(cell.name for cell in cells_of())
        raise UserError(f"no cell is like that; there are: {known}")
    return asked


def _calibrated(cell: Cell, amount: Amount, sources: str, console: Console) -> CellResult:
    console.print(f"{cell.name}: {amount.at_once} calls at a time …", highlight=False)

    def on_placed(call: CalibrationCall, held: Held) -> None:
        record = held.record
        console.print(f"  {call.plan.call_id}: {record.status}, {record.duration_s:.0f} s", highlight=False)

    try:
        result = calibrate_cell(REFERENCES[cell.transport], cell, amount, on_placed=on_placed)
    except HarnessFault as fault:
        raise UserError(f"{cell.name}: {fault}; what is done is kept: give the same command again") from fault
    kept = result_of(cell, result, amount, sources)
    for what, error in (
        ("answers", kept.bar.natural_responses),
        ("stops", kept.bar.natural_interruptions),
        ("answers, tones", kept.bar.marker_responses),
        ("stops, tones", kept.bar.marker_interruptions),
    ):
        if error is not None:
            worst = f"p95 {error.p95_abs:.2f}, worst {error.max_abs:.2f} ms"
            console.print(f"  {what}: n {error.n}, bias {error.bias:+.2f}, {worst}", highlight=False)
    for told in kept.faults:
        console.print(f"  fault: {told}", style="yellow", highlight=False, markup=False)
    return kept


def _document(done: dict[Cell, CellResult], missing: dict[Cell, str], folder: Path) -> dict[str, object]:
    return {
        "folder": str(folder),
        "cells": {cell.name: result.model_dump(mode="json") for cell, result in done.items()},
        "missing": {cell.name: why for cell, why in missing.items()},
    }
