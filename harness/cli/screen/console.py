"""The consoles of every command: results on stdout, progress beside them."""

from __future__ import annotations

import json
from typing import Any

from rich.console import Console

stdout = Console()
stderr = Console(stderr=True)


def progress_console(*, as_json: bool) -> Console:
    """Where progress goes: beside the result, so that stdout holds nothing but JSON when it is asked for."""
    return stderr if as_json else stdout


def print_json(document: dict[str, Any]) -> None:
    """One JSON document on stdout."""
    print(json.dumps(document, ensure_ascii=False, indent=1))
