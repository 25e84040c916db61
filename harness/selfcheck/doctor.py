"""What is installed on this machine, what is missing, and what to do about it.

Nothing is downloaded, and no model is written. The single checks are in ``installation`` and ``machine``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.errors import EXIT_CHECK_FAILED, EXIT_OK, UserError
from harness.selfcheck.finding import Check, Verdict
from harness.selfcheck.installation import (
    calibration_checks,
    espeak_check,
    folder_checks,
    language_model_check,
    livekit_check,
    model_checks,
    package_checks,
    python_check,
)
from harness.selfcheck.machine import clock_check, core_check, ice_check, packet_stamp_check, timer_check
from harness.selfcheck.reaching import cell_checks, reach_checks, relay_check
from harness.selfcheck.telephone import telephone_check

_COLOURS = {Verdict.OK: "green", Verdict.WARN: "yellow", Verdict.FAIL: "red"}

_GROUPS: tuple[tuple[str, Callable[[], Check | list[Check]]], ...] = (
    ("python", python_check),
    ("packages", package_checks),
    ("models", model_checks),
    ("language models", language_model_check),
    ("machine", core_check),
    ("monotonic clock", clock_check),
    ("timer lateness", timer_check),
    ("kernel packet stamps", packet_stamp_check),
    ("ICE over loopback", ice_check),
    ("calls over SIP", telephone_check),
    ("folders", folder_checks),
    ("transports", reach_checks),
    ("TURN server", relay_check),
    ("calibration", calibration_checks),
    ("error bars", cell_checks),
    ("livekit", livekit_check),
    ("espeak-ng", espeak_check),
)


def collect_checks() -> list[Check]:
    """Looks at everything; takes one to two seconds, half a second of it measuring the timer.

    Never raises: what cannot be looked at is a failed check.
    """
    checks: list[Check] = []
    for name, look in _GROUPS:
        try:
            result = look()
        except UserError as error:
            what, _, todo = str(error).partition("\n")
            result = Check(name=name, verdict=Verdict.FAIL, found=what, todo=todo)
        except Exception as error:
            # One check that breaks must not hide the others; it is shown as broken, not left out.
            found = f"this check broke: {type(error).__name__}: {error}"
            result = Check(name=name, verdict=Verdict.FAIL, found=found, todo="please report this as a bug")
        checks += result if isinstance(result, list) else [result]
    return checks


def checks_exit_code(checks: Sequence[Check]) -> int:
    """0 where nothing failed, else 1; warnings do not count."""
    return EXIT_CHECK_FAILED if any(check.verdict is Verdict.FAIL for check in checks) else EXIT_OK


def print_checks(checks: Sequence[Check], console: Console) -> None:
    """The checks as a table for a person, with a count below."""
    table = Table(title="Doctor", title_justify="left")
    table.add_column("check", overflow="fold")
    table.add_column("", no_wrap=True)
    table.add_column("found, and what to do", overflow="fold", ratio=1)
    for check in checks:
        colour = _COLOURS[check.verdict]
        found = Text(check.found)
        if check.todo:
            found.append(f"\n→ {check.todo}", style=colour)
        table.add_row(Text(check.name), Text(check.verdict, style=colour), found)
    console.print(table)
    count = {verdict: sum(check.verdict is verdict for check in checks) for verdict in Verdict}
    console.print(
        f"{count[Verdict.OK]} ok, {count[Verdict.WARN]} to know about, {count[Verdict.FAIL]} to mend"
    )


def checks_as_json(checks: Sequence[Check]) -> dict[str, Any]:
    """One JSON document: ``{"ok": bool, "checks": [{name, verdict, found, todo}]}``."""
    return {"ok": checks_exit_code(checks) == EXIT_OK, "checks": [asdict(check) for check in checks]}
