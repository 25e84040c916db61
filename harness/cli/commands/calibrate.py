"""``outboundeval calibrate``: what it does. Its options: :mod:`harness.cli.options.calibrate`."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import typer
from rich.console import Console

from harness.analysis.error_bar import ErrorBar, store_error_bar
from harness.calls.conversation import Held
from harness.cli.commands.calibrate_all import calibrate_all
from harness.cli.commands.calibrate_hostile import try_hostile_clocks
from harness.cli.options.calibrate import CalibrateOptions
from harness.cli.own_folder import going_on
from harness.cli.screen.console import print_json, progress_console
from harness.cli.screen.scores import print_calibration, print_path
from harness.cli.stopping import run_stoppable
from harness.errors import EXIT_CHECK_FAILED, UserError
from harness.plans.call import ConditionsPlan
from harness.plans.secrets import headers_of
from harness.selfcheck.calibration.cell_run import SOUNDS, Amount, designed
from harness.selfcheck.calibration.compare import injected_ms
from harness.selfcheck.calibration.design import MARGIN_MS, CalibrationCall
from harness.selfcheck.calibration.page import made_with
from harness.selfcheck.calibration.references import Reached, chosen_cell
from harness.selfcheck.calibration.run import CalibrationResult, calibrate

AT_ONCE = 3
USUAL = "smallwebrtc"


def calibrate_timing(options: CalibrateOptions) -> None:
    """Places the calibration calls, and says how far our own timing was off."""
    console = progress_console(as_json=options.as_json)
    if options.hostile:
        try_hostile_clocks(options, console)
        return
    if options.rows is not None:
        raise UserError("--rows belongs to --hostile")
    if options.all_cells:
        with going_on("What is done is kept: give the same command again."):
            calibrate_all(options, console)
        return
    if options.table is not None or options.out is not None:
        raise UserError("--table and --out belong to --all, --table to --hostile, too")
    reference, cell = chosen_cell(options.transport or USUAL, options.codec, options.network)
    own = _network(options)
    amount = Amount(
        turns=options.turns,
        interruptions=options.interruptions,
        at_once=options.at_once or AT_ONCE,
        seed=options.seed,
        sounds=SOUNDS if options.sound == "both" else [options.sound],
    )
    with going_on("Nothing was stored: give the same command again."), reference.serve(cell) as reached:
        calls = designed(
            cell,
            reached,
            amount,
            conditions=None if own == ConditionsPlan() else own,
            headers=headers_of(options.header),
        )
        result = _placed(calls, reached, at_once=amount.at_once, console=console)
    bar = result.error_bar(cell, made_with=made_with())
    if options.as_json:
        print_json(_document(result, bar))
    else:
        for each, found in result.by_sound.items():
            print_calibration(console, each, found)
            if reached.through and own == ConditionsPlan():
                print_path(console, found, result.path, through=reached.through)
    if own != ConditionsPlan():
        console.print(
            f"With impairment: {result.packets_lost} packets lost; {injected_ms(calls[0]):.0f} ms injected "
            "delay, there and back, are taken off the errors. Not stored as the error bar.",
            highlight=False,
        )
    elif options.store:
        _store(bar, console)
    if any(found.faults or found.verdicts_wrong or found.wrong for found in result.by_sound.values()):
        raise typer.Exit(EXIT_CHECK_FAILED)


def _network(options: CalibrateOptions) -> ConditionsPlan:
    if options.loss_burst is not None and not options.loss:
        raise UserError("--loss-burst says how loss is bundled: give --loss, too")
    return ConditionsPlan(
        loss=options.loss,
        loss_burst=options.loss_burst,
        delay_ms=options.delay_ms,
        jitter_ms=options.jitter_ms,
        jitter_shape=options.jitter_shape,
        reorder=options.reorder,
        duplicates=options.duplicates,
        outages_per_minute=options.outages,
    )


def _placed(
    calls: Sequence[CalibrationCall], reached: Reached, *, at_once: int, console: Console
) -> CalibrationResult:
    def on_placed(call: CalibrationCall, placed: Held) -> None:
        record = placed.record
        console.print(f"  {call.plan.call_id}: {record.status}, {record.duration_s:.0f} s", highlight=False)

    console.print(f"{len(calls)} calls to the calibration agent, {at_once} at a time …", highlight=False)
    return run_stoppable(
        calibrate(
            calls,
            transport=reached.transport,
            at_once=at_once,
            resolution_s=MARGIN_MS / 1000,
            on_placed=on_placed,
            log=reached.log,
        )
    )


def _store(bar: ErrorBar, console: Console) -> None:
    if bar.natural_responses is None or bar.natural_interruptions is None:
        console.print("Not stored: an error bar needs natural speech, answers and interruptions both.")
        return
    path = store_error_bar(bar)
    console.print(f"Error bar stored: {path}", soft_wrap=True, highlight=False, markup=False)


def _document(result: CalibrationResult, bar: ErrorBar) -> dict[str, object]:
    verdicts = {
        sound: {"given": found.verdicts, "wrong": len(found.verdicts_wrong)}
        for sound, found in result.by_sound.items()
    }
    notes = {sound: [*found.faults, *found.lost] for sound, found in result.by_sound.items()}
    return {
        "error_bar": bar.model_dump(mode="json"),
        "verdicts_500ms": verdicts,
        "no_figure": notes,
        "wrong_figures": {sound: found.wrong for sound, found in result.by_sound.items()},
        "packets_lost": result.packets_lost,
        "path_ms": {
            "there_p50": _p50(result.path.there),
            "back_p50": _p50(result.path.back),
        },
    }


def _p50(delays_ms: Sequence[float]) -> float | None:
    return round(median(delays_ms), 3) if delays_ms else None
