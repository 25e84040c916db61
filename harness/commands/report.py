"""``outboundeval report``."""

from __future__ import annotations

import typer

from harness.commands.options import RunFolder, stdout
from harness.report.html import build_report
from harness.report.junit import write_junit

app = typer.Typer()


@app.command()
def report(run: RunFolder) -> None:
    """Write the report page and junit.xml of a run again, from what is in its folder.

    Example: outboundeval report runs/nightly
    """
    page = build_report(run)
    write_junit(run)
    stdout.print(f"Report: {page}", soft_wrap=True, highlight=False)
