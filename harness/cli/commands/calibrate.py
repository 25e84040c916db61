"""``outboundeval calibrate``."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

import typer

from harness.analysis.error_bar import store_error_bar
from harness.calls.voice.place import PlacedCall
from harness.cli.options.shared import AsJson
from harness.cli.screen.console import print_json, progress_console
from harness.cli.screen.scores import print_calibration
from harness.errors import EXIT_CHECK_FAILED
from harness.plans.plan import ConditionsPlan
from harness.selfcheck.calibration.compare import injected_ms
from harness.selfcheck.calibration.design import MARGIN_MS, CalibrationCall, Sound, design
from harness.selfcheck.calibration.run import CalibrationResult, calibrate
from harness.selfcheck.reference_agents import serving
from harness.transports.by_scheme import transport_for, transport_name

app = typer.Typer()


@app.command("calibrate")
def calibrate_command(
    turns: Annotated[
        int, typer.Option(help="Programmed answers per sound, 120 to 2500 ms.", min=1, max=2000)
    ] = 60,
    interruptions: Annotated[
        int, typer.Option(help="Programmed stops per sound, 80 to 1200 ms.", min=0, max=2000)
    ] = 30,
    sound: Annotated[
        Literal["both", "marker", "natural"], typer.Option(help="Marker tones, natural speech, or both.")
    ] = "both",
    at_once: Annotated[int, typer.Option(help="Calls at the same time.", min=1, max=20)] = 3,
    loss: Annotated[
        float, typer.Option(help="Share of packets lost, each way; 0.03 is 3 %.", min=0, max=0.5)
    ] = 0.0,
    delay_ms: Annotated[float, typer.Option(help="Extra delay, each way.", min=0, max=2000)] = 0.0,
    jitter_ms: Annotated[float, typer.Option(help="Half width of its uniform jitter.", min=0, max=500)] = 0.0,
    store: Annotated[
        bool, typer.Option("--store/--no-store", help="Store the error bar for reports.")
    ] = True,
    as_json: AsJson = False,
    seed: int = 1,
) -> None:
    """Measure the harness's own timing error, against an agent that logs the truth; store the error bar.

    Takes about eight minutes; keep the machine idle. With impairment (--loss, --delay-ms, --jitter-ms) the
    error is printed and not stored.

    Example: outboundeval calibrate --turns 60 --interruptions 30
    """
    console = progress_console(as_json=as_json)
    conditions = ConditionsPlan(loss=loss, delay_ms=delay_ms, jitter_ms=jitter_ms)
    impaired = conditions != ConditionsPlan()
    sounds: list[Sound] = ["marker", "natural"] if sound == "both" else [sound]
    with serving("calibration") as address:
        calls = [
            one
            for each in sounds
            for one in design(
                sound=each,
                turns=turns,
                interruptions=interruptions,
                calls=at_once,
                seed=seed,
                agent=address,
                conditions=conditions,
            )
        ]
        console.print(f"{len(calls)} calls to the calibration agent, {at_once} at a time …", highlight=False)

        def on_placed(call: CalibrationCall, placed: PlacedCall) -> None:
            record = placed.record
            console.print(
                f"  {call.plan.call_id}: {record.status}, {record.duration_s:.0f} s", highlight=False
            )

        result = asyncio.run(
            calibrate(
                calls,
                transport=transport_for(address),
                at_once=at_once,
                resolution_s=MARGIN_MS / 1000,
                on_placed=on_placed,
            )
        )
    transport = transport_name(address)
    bar = result.error_bar(transport)
    if as_json:
        print_json(_document(result, transport))
    else:
        for each, found in result.by_sound.items():
            print_calibration(console, each, found)
    complete = bar.natural_responses is not None and bar.natural_interruptions is not None
    if impaired:
        console.print(
            f"With impairment: {result.packets_lost} packets lost; {injected_ms(calls[0]):.0f} ms injected "
            "delay, there and back, are taken off the errors. Not stored as the error bar.",
            highlight=False,
        )
    elif store and complete:
        path = store_error_bar(bar)
        console.print(f"Error bar stored: {path}", soft_wrap=True, highlight=False)
    elif store:
        console.print("Not stored: an error bar needs natural speech, answers and interruptions both.")
    if any(found.faults or found.verdicts_wrong for found in result.by_sound.values()):
        raise typer.Exit(EXIT_CHECK_FAILED)


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
