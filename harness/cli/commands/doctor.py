"""``outboundeval doctor``: what it does. Its options: :mod:`harness.cli.options.doctor`."""

from __future__ import annotations

import typer

from harness.cli.options.doctor import DoctorOptions
from harness.cli.screen.console import print_json, stdout
from harness.selfcheck.doctor import checks_as_json, checks_exit_code, collect_checks, print_checks


def doctor(options: DoctorOptions) -> None:
    """Checks, and prints what came out."""
    checks = collect_checks()
    if options.as_json:
        print_json(checks_as_json(checks))
    else:
        print_checks(checks, stdout)
    raise typer.Exit(checks_exit_code(checks))
