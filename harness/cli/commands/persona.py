"""``outboundeval persona``: the people who answer the phone. One line for each subcommand."""

from __future__ import annotations

import typer

from harness.cli.commands.persona_parts import build, guard, realism

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="The simulated person: made from real calls, checked after each call.",
)

app.add_typer(guard.app, name="guard")
app.add_typer(build.app)
app.add_typer(realism.app, name="realism")
