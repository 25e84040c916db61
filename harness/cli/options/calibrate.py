"""Options of ``outboundeval calibrate``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from harness.cli.options.shared import AsJson, Header


@dataclass(frozen=True, kw_only=True)
class CalibrateOptions:
    """Measure the harness's own timing error, against an agent that logs the truth; store the error bar.

    Takes about eight minutes; keep the machine idle. An error bar holds for a transport, a codec and
    a network (--transport, --codec, --network). With an impairment of your own (--loss, --jitter-ms
    and the others) the error is printed and not stored.

    With --all, each of them in turn that this machine can measure, or those that --transport, --codec and
    --network leave. What is done is kept, and not done again: give the same command to go on.

    With --hostile, calls to an agent whose media clock drifts, slips, jumps or stands still: what was on the
    wire beside what is reported of it, a row a behaviour. Fails where a wrong figure is given as measured, or
    where ordinary agents are not measured. Takes about ten minutes.

    Example: outboundeval calibrate --turns 60 --interruptions 30

    Example: outboundeval calibrate --transport smallwebrtc --network relay-udp

    Example: outboundeval calibrate --transport sip-in --codec pcmu   (the agent calls us)
    """

    transport: Annotated[
        str | None,
        typer.Option(
            help="What is calibrated, by its name in reports: smallwebrtc, sip …; with --all: only it."
        ),
    ] = None
    network: Annotated[
        str | None,
        typer.Option(help="clean, lossy, relay-udp, relay-tcp, relay-tls or srtp; default: clean."),
    ] = None
    all_cells: Annotated[
        bool, typer.Option("--all", help="Every transport, codec and network, one after the other.")
    ] = False
    out: Annotated[
        Path | None,
        typer.Option(help="With --all: folder for what each came to. Default: with the error bars."),
    ] = None
    turns: Annotated[
        int, typer.Option(help="Programmed answers per sound, 120 to 2500 ms.", min=1, max=2000)
    ] = 60
    interruptions: Annotated[
        int, typer.Option(help="Programmed stops per sound, 80 to 1200 ms.", min=0, max=2000)
    ] = 30
    sound: Annotated[
        Literal["both", "marker", "natural"], typer.Option(help="Marker tones, natural speech, or both.")
    ] = "both"
    at_once: Annotated[
        int | None,
        typer.Option(help="Calls at the same time: 3, with --hostile 5, with --all 6.", min=1, max=20),
    ] = None
    loss: Annotated[
        float, typer.Option(help="Share of packets lost, each way; 0.03 is 3 %.", min=0, max=0.5)
    ] = 0.0
    delay_ms: Annotated[float, typer.Option(help="Extra delay, each way.", min=0, max=2000)] = 0.0
    jitter_ms: Annotated[float, typer.Option(help="Half width of its jitter.", min=0, max=500)] = 0.0
    jitter_shape: Annotated[
        Literal["uniform", "normal"],
        typer.Option(help="How it is spread; normal: with half of it as standard deviation, cut off there."),
    ] = "uniform"
    loss_burst: Annotated[
        float | None, typer.Option(help="Mean number of packets lost in a row (bursts).", min=1, max=50)
    ] = None
    reorder: Annotated[
        float, typer.Option(help="Share of packets held back by 50 ms more.", min=0, max=0.5)
    ] = 0.0
    duplicates: Annotated[float, typer.Option(help="Share of packets that come twice.", min=0, max=0.5)] = 0.0
    outages: Annotated[
        float, typer.Option(help="Outages of 300 ms a minute, both ways at once.", min=0, max=30)
    ] = 0.0
    hostile: Annotated[
        bool, typer.Option("--hostile", help="Instead: what is reported of agents whose media clock lies.")
    ] = False
    rows: Annotated[
        str | None, typer.Option(help="With --hostile: only these rows, as in exact,slip20.", metavar="NAMES")
    ] = None
    table: Annotated[
        Path | None, typer.Option(help="With --hostile or --all: put the table into this page (Markdown).")
    ] = None
    store: Annotated[bool, typer.Option("--store/--no-store", help="Store the error bar for reports.")] = True
    header: Header = None
    codec: Annotated[str | None, typer.Option(help="Default: the transport's usual one.")] = None
    as_json: AsJson = False
    seed: int = 1
