"""Options of ``outboundeval serve``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer


@dataclass(frozen=True, kw_only=True)
class ServeOptions:
    """Show nights and runs to a team: the history of every plan, from a point to the calls to the sound.

    Read-only, without a login, on this machine alone unless --host says otherwise: put it behind what your
    team signs in with before you show it to others.

    Example: outboundeval serve --store runs/nights.sqlite
    """

    store: Annotated[
        str,
        typer.Option(
            envvar="OUTBOUNDEVAL_STORE", help="A file, or postgresql://… ({env:NAME} for its password)."
        ),
    ] = "runs/nights.sqlite"
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1"
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0: any that is free.")] = 8033
