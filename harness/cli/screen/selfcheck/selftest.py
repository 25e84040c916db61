"""How a self-test is shown in a terminal."""

from __future__ import annotations

from rich.console import Console

from harness.selfcheck.selftest.cells import Cell
from harness.selfcheck.selftest.entries import Size
from harness.selfcheck.selftest.judged.page import effect_told, number_told
from harness.selfcheck.selftest.judged.stated import Stated
from harness.selfcheck.selftest.judged.verdict import Row, Verdict


def print_stated(console: Console, stated: Stated, size: Size) -> None:
    """What is known not to be found, before anything is tried."""
    for one in stated.not_found:
        if size in one.sizes:
            told = f"stated not to be found: {one.defect}, {one.metric}, {one.grade}: {one.why}"
            console.print(told, style="yellow", highlight=False, markup=False)


def print_row(console: Console, row: Row) -> None:
    """A defect and a figure: what was planted, what was measured."""
    style = {True: "green", None: "dim"}.get(row.found, "yellow" if row.as_stated else "red")
    console.print(f"{row.weak.defect} · {row.weak.metric}: {row.told}", style=style, markup=False)
    for cell in (row.weak, row.strong):
        if cell.estimate is not None:
            console.print(f"    {_told(cell)}", highlight=False, markup=False)


def print_verdict(console: Console, verdict: Verdict, minutes: float) -> None:
    """The last word."""
    for moved in verdict.moved:
        told = f"{moved.cell.defect} moved {moved.cell.metric} {effect_told(moved.cell)}"
        console.print(f"{told}: {moved.why or 'no cause was stated'}", highlight=False, markup=False)
    console.print(
        f"A clean agent against itself: {len(verdict.moved_again)} of {verdict.again} figures moved.",
        highlight=False,
    )
    if verdict.beside:
        console.print(
            f"Off the diagonal: {len(verdict.moved)} of {verdict.beside} figures moved (Holm, 5 %).",
            highlight=False,
        )
    for failure in verdict.failures:
        console.print(f"failed: {failure}", style="red", highlight=False, markup=False, soft_wrap=True)
    told = "passed: everything is as stated" if verdict.passed else f"failed ({len(verdict.failures)})"
    console.print(f"{told}, {minutes:.1f} minutes", style="green" if verdict.passed else "red")


def _told(cell: Cell) -> str:
    planted = "" if cell.planted is None else f" planted {number_told(cell, cell.planted)},"
    clean = "" if cell.clean is None else f", clean {cell.clean:.4g}"
    return f"{cell.grade} ({cell.strength}):{planted} measured {effect_told(cell)}, n {cell.n}{clean}"
