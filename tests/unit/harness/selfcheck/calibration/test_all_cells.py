"""What is kept of cells that were calibrated, and when one need not be done again."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.analysis.cells import Cell
from harness.analysis.error_bar import ErrorBar, StoredError, this_machine
from harness.selfcheck.calibration.all_cells import (
    BEGIN,
    END,
    CellResult,
    keep_result,
    markdown,
    read_result,
    result_path,
    write_table,
)
from harness.selfcheck.calibration.cell_run import Amount

CELL = Cell(transport="smallwebrtc", codec="opus", network="relay-udp")
AMOUNT = Amount(turns=60, interruptions=30)


def _result(**fields: object) -> CellResult:
    error = StoredError(n=60, bias=0.1, sd=0.2, p95_abs=0.64, max_abs=1.2)
    bar = ErrorBar(
        transport="smallwebrtc",
        codec="opus",
        network="relay-udp",
        date="2026-01-02",
        machine=this_machine(),
        made_with="commit `abc`",
        natural_responses=error,
    )
    made: dict[str, object] = {
        "turns": 60,
        "interruptions": 30,
        "at_once": 6,
        "seed": 1,
        "sounds": ["marker", "natural"],
        "bar": bar,
        "wrong": {},
    }
    return CellResult.model_validate(made | fields)


def test_it_comes_back_as_it_was_kept_and_broken_files_are_none(tmp_path: Path) -> None:
    assert read_result(tmp_path, CELL) is None
    keep_result(tmp_path / "new", CELL, _result())
    assert read_result(tmp_path / "new", CELL) == _result()
    result_path(tmp_path / "new", CELL).write_text("{")
    assert read_result(tmp_path / "new", CELL) is None


@pytest.mark.parametrize(
    ("fields", "amount", "made_with", "done"),
    [
        ({}, AMOUNT, "commit `abc`", True),
        # So many calls at once is no part of the question.
        ({}, Amount(turns=60, interruptions=30, at_once=2), "commit `abc`", True),
        ({}, Amount(turns=12, interruptions=30), "commit `abc`", False),
        ({}, AMOUNT, "commit `abd`", False),
        ({}, Amount(turns=60, interruptions=30, sounds=["natural"]), "commit `abc`", True),
        ({"sounds": ["natural"]}, AMOUNT, "commit `abc`", False),
        ({"faults": ["a call of ours was late"]}, AMOUNT, "commit `abc`", False),
        # Made when wrong figures stood among those that were not measured.
        ({"wrong": None}, AMOUNT, "commit `abc`", False),
    ],
)
def test_what_is_done_is_not_done_again(
    fields: dict[str, object], amount: Amount, made_with: str, done: bool
) -> None:
    assert _result(**fields).is_of(amount, made_with) is done


def test_the_table_has_a_row_a_sound_and_what_could_not_be_tried(tmp_path: Path) -> None:
    result = _result(
        verdicts=9,
        verdicts_wrong=1,
        not_measured={"natural": ["a: b"]},
        wrong={"natural": ["a: off", "b: off"]},
        late_p95_ms=1.25,
    )
    table = markdown({CELL: result}, {Cell(transport="x", codec="opus", network="clean"): "a server"})
    (row,) = [line for line in table.splitlines() if line.startswith("| smallwebrtc")]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[:8] == ["smallwebrtc", "opus", "TURN over UDP", "natural", "60", "+0.10", "**0.64**", "1.20"]
    assert cells[8:] == ["0", "—", "—", "—", "1", "2", "1 of 9", "6", "1.2", "commit `abc`, 2026-01-02"]
    assert "x opus clean: not calibrated here, for want of a server." in table
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    write_table(page, table)
    assert page.read_text() == f"before\n{table}\nafter\n"
