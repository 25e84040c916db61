"""``outboundeval calibrate``: what it does. Its options: :mod:`harness.cli.options.calibrate`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import typer
from rich.console import Console

from harness.analysis.error_bar import ErrorBar, store_error_bar
from harness.calls.conversation import Held
from harness.cli.commands.calibrate_hostile import try_hostile_clocks
from harness.cli.options.calibrate import CalibrateOptions
from harness.cli.own_folder import going_on
from harness.cli.reaching import reach_of
from harness.cli.screen.console import print_json, progress_console
from harness.cli.screen.scores import print_calibration
from harness.errors import EXIT_CHECK_FAILED, UserError
from harness.plans.call import ConditionsPlan
from harness.plans.secrets import headers_of
from harness.selfcheck.calibration.compare import injected_ms
from harness.selfcheck.calibration.design import MARGIN_MS, CalibrationCall, Sound, design
from harness.selfcheck.calibration.run import CalibrationResult, calibrate
from harness.selfcheck.reference_agents import serving
from harness.transports.by_scheme import transport_for, transport_name

AT_ONCE = 3


def calibrate_timing(options: CalibrateOptions) -> None:
    """Places the calibration calls, and says how far our own timing was off."""
    console = progress_console(as_json=options.as_json)
    if options.hostile:
        try_hostile_clocks(options, console)
        return
    if options.rows is not None or options.table is not None:
        raise UserError("--rows and --table belong to --hostile")
    with going_on("Nothing was stored: give the same command again."), serving("calibration") as address:
        calls = _calls(options, address)
        result = _placed(calls, address, at_once=options.at_once or AT_ONCE, console=console)
    transport = transport_name(address)
    if options.as_json:
        print_json(_document(result, transport))
    else:
        for each, found in result.by_sound.items():
            print_calibration(console, each, found)
    if calls[0].plan.conditions != ConditionsPlan():
        console.print(
            f"With impairment: {result.packets_lost} packets lost; {injected_ms(calls[0]):.0f} ms injected "
            "delay, there and back, are taken off the errors. Not stored as the error bar.",
            highlight=False,
        )
    elif options.store:
        _store(result.error_bar(transport), console)
    if any(found.faults or found.verdicts_wrong for found in result.by_sound.values()):
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


def _calls(options: CalibrateOptions, address: str) -> list[CalibrationCall]:
    conditions = _network(options)
    sounds: list[Sound] = ["marker", "natural"] if options.sound == "both" else [options.sound]
    headers, reach = headers_of(options.header), reach_of(options)
    return [
        replace(one, plan=one.plan.dialled_with(headers, reach))
        for sound in sounds
        for one in design(
            sound=sound,
            turns=options.turns,
            interruptions=options.interruptions,
            calls=options.at_once or AT_ONCE,
            seed=options.seed,
            agent=address,
            conditions=conditions,
        )
    ]


def _placed(
    calls: Sequence[CalibrationCall], address: str, *, at_once: int, console: Console
) -> CalibrationResult:
    def on_placed(call: CalibrationCall, placed: Held) -> None:
        record = placed.record
        console.print(f"  {call.plan.call_id}: {record.status}, {record.duration_s:.0f} s", highlight=False)

    console.print(f"{len(calls)} calls to the calibration agent, {at_once} at a time …", highlight=False)
    return asyncio.run(
        calibrate(
            calls,
            transport=transport_for(address),
            at_once=at_once,
            resolution_s=MARGIN_MS / 1000,
            on_placed=on_placed,
        )
    )


def _store(bar: ErrorBar, console: Console) -> None:
    if bar.natural_responses is None or bar.natural_interruptions is None:
        console.print("Not stored: an error bar needs natural speech, answers and interruptions both.")
        return
    path = store_error_bar(bar)
    console.print(f"Error bar stored: {path}", soft_wrap=True, highlight=False, markup=False)


def _document(result: CalibrationResult, transport: str) -> dict[str, object]:
    bar = result.error_bar(transport).model_dump(mode="json")
    verdicts = {
        sound: {"given": found.verdicts, "wrong": len(found.verdicts_wrong)}
        for sound, found in result.by_sound.items()
    }
    notes = {sound: [*found.faults, *found.lost] for sound, found in result.by_sound.items()}
    return {
        "error_bar": bar,
        "verdicts_500ms": verdicts,
        "no_figure": notes,
        "packets_lost": result.packets_lost,
    }
