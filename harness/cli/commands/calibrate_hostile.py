"""``outboundeval calibrate --hostile``: what it does."""

from __future__ import annotations

import typer
from rich.console import Console

from harness.analysis.error_bar import today
from harness.calls.conversation import Held
from harness.cli.options.calibrate import CalibrateOptions
from harness.cli.screen.console import print_json
from harness.cli.screen.hostile import print_row, print_rows
from harness.errors import EXIT_CHECK_FAILED
from harness.selfcheck.calibration.design import CalibrationCall
from harness.selfcheck.calibration.hostile.rows import chosen_rows
from harness.selfcheck.calibration.hostile.run import try_rows
from harness.selfcheck.calibration.hostile.table import markdown, write_table
from harness.selfcheck.calibration.hostile.verdict import RowResult
from harness.selfcheck.calibration.page import made_with
from harness.selfcheck.reference_agents import serving
from harness.transports.by_scheme import transport_for

AT_ONCE = 5


def try_hostile_clocks(options: CalibrateOptions, console: Console) -> None:
    """Tries the chosen rows, prints the table, and puts it into the page that was named."""
    rows = chosen_rows(options.rows)
    at_once = options.at_once or AT_ONCE

    def on_placed(call: CalibrationCall, held: Held) -> None:
        record = held.record
        console.print(f"  {call.plan.call_id}: {record.status}, {record.duration_s:.0f} s", highlight=False)

    results: list[RowResult] = []
    with serving("calibration") as address:
        console.print(f"{len(rows)} behaviours, {at_once} calls at a time …", highlight=False)
        for result in try_rows(
            rows,
            agent=address,
            transport=transport_for(address),
            at_once=at_once,
            seed=options.seed,
            on_placed=on_placed,
        ):
            results.append(result)
            print_row(console, result)
    if options.table is not None:
        write_table(options.table, markdown(results, made_with=made_with(), date=today()))
    if options.as_json:
        print_json({"made_with": made_with(), "rows": [_document(result) for result in results]})
    else:
        print_rows(console, results)
    if any(result.verdict.failed for result in results):
        raise typer.Exit(EXIT_CHECK_FAILED)


def _document(result: RowResult) -> dict[str, object]:
    return {
        "row": result.row.name,
        "clock": result.row.title,
        "due": len(result.due),
        "measured": len(result.measured),
        "worst_error_ms": result.worst_error_ms,
        "worst_bar_ms": result.worst_bar_ms,
        "verdict": str(result.verdict),
        "failed": result.verdict.failed,
        "faults": list(result.faults),
        "figures": [
            {
                "kind": one.kind,
                "where": one.where,
                "true_ms": one.true_ms,
                "reported_ms": one.reported_ms,
                "bar_ms": one.bar_ms,
                "reason": one.reason,
                "wrong": one.wrong,
            }
            for one in result.figures
        ],
    }
