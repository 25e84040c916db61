"""The consoles of every command: results on stdout, progress beside them."""

from __future__ import annotations

from rich.console import Console

from harness.cli.screen.answer import print_json

__all__ = ["print_json", "progress_console", "stderr", "stdout"]

stdout = Console()
stderr = Console(stderr=True)


def progress_console(*, as_json: bool) -> Console:
    """Where progress goes: beside the result, so that stdout holds nothing but JSON when it is asked for."""
    return stderr if as_json else stdout
