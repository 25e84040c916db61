"""Options of ``outboundeval pin``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from harness.cli.options.shared import AsJson


@dataclass(frozen=True, kw_only=True)
class PinOptions:
    """From a call that went wrong to a case: a plan with the caller's side, and what has to go otherwise.

    Example: outboundeval pin runs/tonight/calls/refund --out cases/refund.yaml

    Example: outboundeval pin production/call-4711.wav --caller left

    Example: outboundeval run cases/refund.yaml --agent http://127.0.0.1:7860
    """

    call: Annotated[
        Path,
        typer.Argument(
            help="RUN/calls/ID, or RUN/ID; a stereo recording of a call (WAV, FLAC, OGG, MP3); or a "
            "transcript (JSON, JSONL, YAML, TXT)."
        ),
    ]
    out: Annotated[
        Path | None, typer.Option(help="Where the plan goes. Default: pin-ID.yaml here; none is replaced.")
    ] = None
    sound: Annotated[
        bool,
        typer.Option(
            "--sound", help="Of a call of a run: say its lines by the very sound that was sent, not anew."
        ),
    ] = False
    caller: Annotated[
        Literal["left", "right"] | None,
        typer.Option(help="The channel of a recording that has the caller. Default: left."),
    ] = None
    language: Annotated[
        Literal["en", "zh"] | None, typer.Option(help="Spoken language of a recording. Default: en.")
    ] = None
    as_json: AsJson = False
