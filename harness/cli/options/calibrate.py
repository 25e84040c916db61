"""Options of ``outboundeval calibrate``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import typer

from harness.cli.options.shared import AsJson


@dataclass(frozen=True, kw_only=True)
class CalibrateOptions:
    """Measure the harness's own timing error, against an agent that logs the truth; store the error bar.

    Takes about eight minutes; keep the machine idle. With impairment (--loss, --delay-ms, --jitter-ms) the
    error is printed and not stored.

    Example: outboundeval calibrate --turns 60 --interruptions 30
    """

    turns: Annotated[
        int, typer.Option(help="Programmed answers per sound, 120 to 2500 ms.", min=1, max=2000)
    ] = 60
    interruptions: Annotated[
        int, typer.Option(help="Programmed stops per sound, 80 to 1200 ms.", min=0, max=2000)
    ] = 30
    sound: Annotated[
        Literal["both", "marker", "natural"], typer.Option(help="Marker tones, natural speech, or both.")
    ] = "both"
    at_once: Annotated[int, typer.Option(help="Calls at the same time.", min=1, max=20)] = 3
    loss: Annotated[
        float, typer.Option(help="Share of packets lost, each way; 0.03 is 3 %.", min=0, max=0.5)
    ] = 0.0
    delay_ms: Annotated[float, typer.Option(help="Extra delay, each way.", min=0, max=2000)] = 0.0
    jitter_ms: Annotated[float, typer.Option(help="Half width of its uniform jitter.", min=0, max=500)] = 0.0
    store: Annotated[bool, typer.Option("--store/--no-store", help="Store the error bar for reports.")] = True
    as_json: AsJson = False
    seed: int = 1
