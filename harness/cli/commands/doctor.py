"""``outboundeval doctor``."""

from __future__ import annotations

import typer

from harness.cli.options.shared import AsJson
from harness.cli.screen.console import print_json, stdout
from harness.selfcheck.doctor import checks_as_json, checks_exit_code, collect_checks, print_checks

app = typer.Typer()


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """What is installed, what is missing, and what to do about it. Exit code 2 where a call cannot be placed.

    Example: outboundeval doctor
    """
    checks = collect_checks()
    if as_json:
        print_json(checks_as_json(checks))
    else:
        print_checks(checks, stdout)
    raise typer.Exit(checks_exit_code(checks))
