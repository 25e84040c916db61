"""Whether the instrument passed: its cells held to what was stated beforehand.

- A defect is **found** where the intervals at both strengths leave out 0 on the right side, and the stronger
  moves the figure more.
- Off the diagonal, at the stronger strength, a figure **moved** where its p is under 5 % after Holm's
  correction over all such cells, and the difference is not smaller than what the instrument resolves. A
  figure that the clean agent has and the one with the defect has not, moved too.
- A clean agent against itself is held to the same, over those cells.
- Anything that differs from what is stated fails: also a defect that is found though it is stated not to be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.analysis.measures.table import catalogue
from harness.selfcheck.selftest.cells import Cell
from harness.selfcheck.selftest.entries import Grade, Size
from harness.selfcheck.selftest.judged.stated import Stated
from metrics.comparison.paired import holm

LEVEL = 0.05
MOST_CAUSES = 0.05
"""Of the cells off the diagonal so many may have a named cause."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A defect and one of its own figures, at both strengths.

    Attributes:
        found: None: it was not tried here.
        told: What became of it.
        as_stated: Nothing differs from what was stated of it.
    """

    weak: Cell
    strong: Cell
    found: bool | None
    told: str
    as_stated: bool


@dataclass(frozen=True, kw_only=True)
class Moved:
    """A figure that moved and is not the defect's own.

    Attributes:
        adjusted_p: Holm's; None: the figure vanished.
        why: The cause that was stated; empty: none was.
    """

    cell: Cell
    adjusted_p: float | None
    why: str


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """All of it.

    Attributes:
        beside, again: How many cells could be judged: off the diagonal, and of a clean agent against itself.
        not_judged: Of both, those that have no effect and did not vanish either: too few observations.
        failures: Everything that differs from what was stated, in words; empty: it passed.
    """

    rows: list[Row]
    moved: list[Moved]
    moved_again: list[Moved]
    beside: int
    again: int
    not_judged: list[Cell]
    failures: list[str]

    @property
    def passed(self) -> bool:
        return not self.failures


def judge(cells: Sequence[Cell], stated: Stated, size: Size) -> Verdict:
    """Holds cells to what was stated."""
    rows = _rows(cells, stated, size)
    beside = [cell for cell in cells if cell.kind == "beside" and _can_be_judged(cell)]
    again = [cell for cell in cells if cell.kind == "again" and _can_be_judged(cell)]
    not_judged = [cell for cell in cells if cell.kind in ("beside", "again") and not _can_be_judged(cell)]
    causes = {(one.defect, one.metric): one.why for one in stated.causes}
    moved, moved_again = _moved(beside, causes, stated), _moved(again, {}, stated)
    failures = [f"{row.weak.defect}, {row.weak.metric}: {row.told}" for row in rows if not row.as_stated]
    failures += [f"{_told(one)} moved, and no cause was stated" for one in moved if not one.why]
    failures += [f"{_told(one)} moved, of a clean agent against itself" for one in moved_again]
    if not rows:
        failures.append("nothing was tried")
    tried = {cell.defect for cell in beside}
    named = sum((cell.defect, cell.metric) in causes for cell in beside)
    if len(tried) > 1 and named > MOST_CAUSES * len(beside):
        failures.append(
            f"causes are stated for {named} of {len(beside)} cells off the diagonal: more than 1 in 20"
        )
    return Verdict(
        rows=rows,
        moved=moved,
        moved_again=moved_again,
        beside=len(beside),
        again=len(again),
        not_judged=not_judged,
        failures=failures,
    )


def _can_be_judged(cell: Cell) -> bool:
    return cell.p is not None or cell.vanished


def _rows(cells: Sequence[Cell], stated: Stated, size: Size) -> list[Row]:
    by_grade: dict[tuple[str, str], dict[Grade, Cell]] = {}
    for cell in cells:
        if cell.kind == "diagonal" and cell.grade is not None:
            by_grade.setdefault((cell.defect, cell.metric), {})[cell.grade] = cell
    expected = {(one.defect, one.metric, one.grade): one.why for one in stated.not_found if size in one.sizes}
    return [_row(own["weak"], own["strong"], expected) for own in by_grade.values()]


def _row(weak: Cell, strong: Cell, expected: Mapping[tuple[str, str, Grade], str]) -> Row:
    if weak.skipped or strong.skipped:
        told = f"skipped: {weak.reason or strong.reason}"
        return Row(weak=weak, strong=strong, found=None, told=told, as_stated=True)
    problems, differs = [], False
    for grade, cell in (("weak", weak), ("strong", strong)):
        should_not = (cell.defect, cell.metric, cell.grade) in expected
        if not cell.found:
            problems.append(
                f"not found at the {grade} strength" + (f" ({cell.reason})" if cell.reason else "")
            )
        differs = differs or cell.found == should_not
    ordered = (
        weak.estimate is not None
        and strong.estimate is not None
        and strong.estimate * strong.direction > weak.estimate * strong.direction
    )
    if not problems and not ordered:
        problems.append("the stronger does not move it more")
        differs = True
    told = "found" if not problems else "; ".join(problems)
    if problems and not differs:
        told += ", as stated"
    elif not problems and differs:
        told += ", though it is stated that it is not"
    return Row(weak=weak, strong=strong, found=not problems, told=told, as_stated=not differs)


def _moved(cells: Sequence[Cell], causes: Mapping[tuple[str, str], str], stated: Stated) -> list[Moved]:
    compared = [cell for cell in cells if cell.p is not None]
    adjusted = holm([cell.p for cell in compared if cell.p is not None])
    units = {name: entry.unit.name for name, entry in catalogue().items()}
    found = [
        Moved(cell=cell, adjusted_p=None, why=causes.get((cell.defect, cell.metric), ""))
        for cell in cells
        if cell.vanished
    ]
    for cell, p in zip(compared, adjusted, strict=True):
        least = stated.least.get(units.get(cell.metric, ""), 0.0)
        if p < LEVEL and cell.estimate is not None and abs(cell.estimate) > least:
            found.append(Moved(cell=cell, adjusted_p=p, why=causes.get((cell.defect, cell.metric), "")))
    return found


def _told(moved: Moved) -> str:
    cell = moved.cell
    if moved.adjusted_p is None:
        return f"{cell.family}, {cell.defect}: {cell.metric} vanished ({cell.reason}): it"
    return f"{cell.family}, {cell.defect}: {cell.metric} {cell.estimate:+.3g} (p {moved.adjusted_p:.2g})"
