"""Options of ``outboundeval demo``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer


@dataclass(frozen=True, kw_only=True)
class DemoOptions:
    """Start a real voice agent on this machine, call it six times, measure, and write the report.

    A plain call, one with interruptions, one in background noise, a person of a scenario, and a handful of
    probes. No keys, no network.

    Example: outboundeval demo
    """

    out: Annotated[
        Path | None, typer.Option("--out", help="Folder of the run. Default: a new one in runs/.")
    ] = None
