"""One command of ours in a process of its own, its JSON document, and its complaint where it has one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from outboundeval._errors import Error

Option = str | int | float | bool | Path | Sequence[str | Path] | None
"""What an option may be given: True is a bare flag, False what unsays it, if anything; several repeat it."""

BARE = frozenset(
    {"all", "caller-words", "dry-run", "fresh", "json", "live", "markdown", "relay-only", "retry", "verbose"}
)
"""Flags that no other word unsays: where they are False they are left out."""
OTHERWISE = {"wait-for-greeting": "speak-first", "speak-first": "wait-for-greeting", "no-score": "score"}
"""What unsays a flag, where that is not its own name behind a 'no-'."""
HAS_RESULT = (0, 1)
"""Exit codes after which a document is a result: 1 is a gate that failed, or some calls that did."""
_OURS = Path(__file__).parents[1]
"""The folder with our packages."""
_COMPLAINT_LINES = 10


def run_command(name: str, *arguments: str | Path, options: Mapping[str, Option]) -> dict[str, Any]:
    """Runs ``outboundeval NAME ... --json`` in the folder that one stands in, and waits for its end.

    Ctrl-C goes on to the command, which hangs up and keeps what is finished, and is then raised here.

    Raises:
        Error: It failed, or printed no document.
    """
    flags = [flag for option, value in options.items() for flag in _flags(option, value)]
    command = [sys.executable, "-P", "-m", "harness.cli", name, *flags, "--json", "--", *map(str, arguments)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        env=_environment(),
        # So that Ctrl-C reaches it once, from here; a kernel of a notebook has no terminal to send it.
        start_new_session=True,
    )
    try:
        told, complaint = process.communicate()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        process.communicate()
        raise
    document = _document(told)
    if process.returncode in HAS_RESULT and document is not None and "error" not in document:
        return document
    told_error = (document or {}).pop("error", None)
    raise Error(
        _told(told_error)
        or _message(complaint)
        or f"outboundeval {name} ended with exit code {process.returncode} and no word",
        exit_code=process.returncode,
        document=document or None,
        kind=told_error.get("kind", "") if isinstance(told_error, dict) else "",
    )


def _flags(option: str, value: Option) -> list[str]:
    name = option.rstrip("_").replace("_", "-")
    flag = f"--{name}"
    if value is None:
        return []
    if isinstance(value, bool):
        return [flag] if value else _unsaid(name)
    if isinstance(value, str | int | float | Path):
        return [f"{flag}={value}"]
    return [f"{flag}={one}" for one in value]


def _unsaid(name: str) -> list[str]:
    """What stands for False. A name that no command knows is passed on, so that somebody says so."""
    return [] if name in BARE else [f"--{OTHERWISE.get(name, f'no-{name}')}"]


def _environment() -> dict[str, str]:
    """Where somebody named folders to import from, ours comes before them: they may hold a ``metrics.py``."""
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1"}
    if theirs := os.environ.get("PYTHONPATH"):
        environment["PYTHONPATH"] = os.pathsep.join([str(_OURS), theirs])
    return environment


def _document(told: str) -> dict[str, Any] | None:
    try:
        document = json.loads(told)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


def _told(error: Any) -> str:
    """What the document says went wrong, and what to do."""
    if not isinstance(error, dict):
        return ""
    return "; ".join(str(error[part]) for part in ("message", "hint") if error.get(part))


def _message(complaint: str) -> str:
    """The complaint without the progress before it."""
    for mark in ("error: ", "our own fault: "):
        before, found, message = complaint.rpartition(mark)
        if found and (not before or before.endswith("\n")):
            return message.strip()
    return "\n".join(complaint.strip().splitlines()[-_COMPLAINT_LINES:])
