"""Options of ``outboundeval pin``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options.shared import AsJson


@dataclass(frozen=True, kw_only=True)
class PinOptions:
    """From a call that went wrong to a case: a plan with the caller's side, and what has to go otherwise.

    Example: outboundeval pin runs/tonight/calls/refund --out cases/refund.yaml

    Example: outboundeval run cases/refund.yaml --agent http://127.0.0.1:7860
    """

    call: Annotated[Path, typer.Argument(help="RUN/calls/ID, or RUN/ID.")]
    out: Annotated[
        Path | None, typer.Option(help="Where the plan goes. Default: pin-ID.yaml here; none is replaced.")
    ] = None
    as_json: AsJson = False
