"""The table of a self-test as Markdown, with the commit that it was made with."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from harness.analysis.error_bar import today
from harness.selfcheck.calibration.page import put_into
from harness.selfcheck.selftest.cells import Cell
from harness.selfcheck.selftest.entries import Size
from harness.selfcheck.selftest.judged.stated import Stated
from harness.selfcheck.selftest.judged.verdict import Row, Verdict
from harness.selfcheck.selftest.run import FamilyResult

BEGIN = "<!-- selftest {size}: written by the command -->"
END = "<!-- end of selftest {size} -->"
MOST_REASONS = 4
HEADINGS = (
    *("defect", "metric", "clean", "weak", "planted", "measured (95 %)", "n"),
    *("strong", "planted", "measured (95 %)", "n", ""),
)


def markdown(
    results: Sequence[FamilyResult], verdict: Verdict, stated: Stated, *, size: Size, minutes: float
) -> str:
    """The table between its markers: what was stated, the diagonal, and what else moved."""
    sources = ", ".join(dict.fromkeys(one.sources for one in results))
    told = "passed" if verdict.passed else f"**failed** ({len(verdict.failures)})"
    lines = [
        BEGIN.format(size=size),
        f"`outboundeval selftest --{size}`, {sources}, {today()}, {os.cpu_count()} cores: {told}; "
        f"{minutes:.0f} minutes.",
        "",
        *[
            f"- Stated not to be found: {one.defect}, `{one.metric}`, {one.grade}: {one.why}."
            for one in stated.not_found
            if size in one.sizes
        ],
        "",
        "| " + " | ".join(HEADINGS) + " |",
        "|---|---|---:|---|---:|---:|---:|---|---:|---:|---:|---|",
    ]
    lines += ["| " + " | ".join(_cells(row)) + " |" for row in verdict.rows]
    lines += [f"\n{one.family}: not tried, for want of {one.missing}." for one in results if one.missing]
    lines += [
        "",
        f"A clean agent against itself: {len(verdict.moved_again)} of {verdict.again} figures moved.",
    ]
    if verdict.beside:
        named = sum(bool(one.why) for one in verdict.moved)
        lines.append(
            f"Off the diagonal, at the stronger strength: {len(verdict.moved)} of {verdict.beside} figures "
            f"moved (Holm, 5 %), {named} of them with a cause that was stated."
        )
        lines += [
            "",
            *[
                f"- {one.cell.defect}: `{one.cell.metric}` {effect_told(one.cell)}: "
                f"{one.why or '**no cause was stated**'}"
                for one in verdict.moved
            ],
        ]
        lines += _related(results)
    lines += _not_judged(verdict)
    lines += ["", *[f"- Failed: {one}." for one in verdict.failures]]
    return "\n".join([*lines, END.format(size=size)])


def write_table(path: Path, table: str, size: Size) -> None:
    """Puts the table in its place in a page."""
    put_into(path, table, begin=BEGIN.format(size=size), end=END.format(size=size))


def _related(results: Sequence[FamilyResult]) -> list[str]:
    """What each defect of a voice does to the other predictors, by defect."""
    cells = [cell for one in results for cell in one.cells if cell.kind == "related" and cell.p is not None]
    if not cells:
        return []
    lines = [
        "",
        "Predictors of quality hang together; none is claimed to move alone. At the stronger strength:",
    ]
    for defect in dict.fromkeys(cell.defect for cell in cells):
        own = [f"`{cell.metric}` {cell.estimate:+.2f}" for cell in cells if cell.defect == defect]
        lines.append(f"- {defect}: {', '.join(own)}")
    return lines


def _not_judged(verdict: Verdict) -> list[str]:
    """How many cells had no effect to be judged, and why."""
    if not verdict.not_judged:
        return []
    why = Counter(one.reason or "nobody knows why" for one in verdict.not_judged)
    told = "; ".join(f"{n} × {reason}" for reason, n in why.most_common(MOST_REASONS))
    return [f"Not judged, off the diagonal or of a clean agent: {len(verdict.not_judged)} figures ({told})."]


def _cells(row: Row) -> list[str]:
    clean = next((cell.clean for cell in (row.weak, row.strong) if cell.clean is not None), None)
    cells = [row.weak.defect, f"`{row.weak.metric}`", "—" if clean is None else f"{clean:.3g}"]
    for cell in (row.weak, row.strong):
        planted = "—" if cell.planted is None else number_told(cell, cell.planted)
        cells += [cell.strength, planted, effect_told(cell), str(cell.n)]
    return [*cells, row.told if row.found is not False else f"**{row.told}**"]


def effect_told(cell: Cell) -> str:
    """What was measured, with its interval."""
    if cell.vanished:
        return f"vanished ({cell.reason})"
    if cell.estimate is None or cell.low is None or cell.high is None:
        return "—"
    bounds = f"{number_told(cell, cell.low)} to {number_told(cell, cell.high)}"
    return f"{number_told(cell, cell.estimate)} ({bounds})"


def number_told(cell: Cell, value: float) -> str:
    """A difference, with as many digits as its unit bears."""
    return f"{value:+.1f}" if cell.metric.endswith("_ms") else f"{value:+.3f}"
