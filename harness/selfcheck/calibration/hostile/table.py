"""The table of lying clocks, as Markdown, and its place in a page."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from harness._files.atomic_file import write_text
from harness.selfcheck.calibration.hostile.verdict import RowResult

COMMAND = "outboundeval calibrate --hostile"
BEGIN = f"<!-- {COMMAND}: begin -->"
END = f"<!-- {COMMAND}: end -->"
HEADINGS = (
    "the agent's clock",
    "due",
    "measured",
    "within 3 ms",
    "answers, ms: true → reported (median)",
    "stops, ms: true → reported (median)",
    "worst error, ms",
    "widest bar, ms",
    "verdict",
)


def markdown(results: Sequence[RowResult], *, made_with: str, date: str) -> str:
    """The table between its markers, with what it was made with and when."""
    failed = sum(result.verdict.failed for result in results)
    lines = [
        BEGIN,
        f"`{COMMAND}` on {date}, {made_with}: {len(results)} rows, "
        f"{'none' if failed == 0 else failed} failed. Written by the command.",
        "",
        "| " + " | ".join(HEADINGS) + " |",
        "|---|" + "---:|" * (len(HEADINGS) - 2) + "---|",
    ]
    lines += ["| " + " | ".join(cells(result)) + " |" for result in results]
    return "\n".join([*lines, END])


def cells(result: RowResult) -> list[str]:
    """The cells of one row, as :data:`HEADINGS` names them."""
    error_ms, bar_ms = result.worst_error_ms, result.worst_bar_ms
    return [
        result.row.title,
        str(len(result.due)),
        f"{result.share:.0%}",
        f"{result.close_share:.0%}",
        _medians(result, "answer"),
        _medians(result, "stop"),
        "—" if error_ms is None else f"{error_ms:+.1f}",
        "—" if bar_ms is None else f"{bar_ms:.1f}",
        f"**{result.verdict}**" if result.verdict.failed else str(result.verdict),
    ]


def write_table(path: Path, table: str) -> None:
    """Puts the table in its place in a page, between its markers; at the end of a page without them."""
    page = path.read_text(encoding="utf-8") if path.is_file() else ""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if begin and end:
        page = before + table + after
    else:
        page = (page.rstrip("\n") + "\n\n" if page else "") + table + "\n"
    write_text(path, page)


def made_with() -> str:
    """The commit of the sources that run, where they lie in a repository; else the installed version."""
    root = Path(__file__).resolve().parents[4]
    try:
        # Installed below somebody else's repository we are no part of it.
        if Path(_git(root, "rev-parse", "--show-toplevel")).resolve() == root:
            commit = _git(root, "rev-parse", "--short", "HEAD")
            changed = _git(root, "status", "--porcelain", "--untracked-files=no")
            return f"commit `{commit}`" + (" with changes" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        pass
    try:
        return f"version {version('outboundeval')}"
    except PackageNotFoundError:
        return "unknown version"


def _git(folder: Path, *arguments: str) -> str:
    ran = subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return ran.stdout.strip()


def _medians(result: RowResult, kind: str) -> str:
    found = result.medians_ms(kind)
    return "—" if found is None else f"{found[0]:.1f} → {found[1]:.1f}"
