"""The table as a page has it."""

from __future__ import annotations

from pathlib import Path

from harness.selfcheck.calibration.hostile.design import STOPS, TURNS
from harness.selfcheck.calibration.hostile.figures import Figure
from harness.selfcheck.calibration.hostile.rows import Row
from harness.selfcheck.calibration.hostile.table import BEGIN, END, HEADINGS, markdown, write_table
from harness.selfcheck.calibration.hostile.verdict import RowResult
from harness.selfcheck.calibration.page import made_with


def _result(reported_ms: float | None) -> RowResult:
    figures = [
        Figure(kind=kind, where="c", true_ms=800.0, reported_ms=reported_ms, bar_ms=1.5)
        for kind, count in (("answer", TURNS), ("stop", STOPS))
        for _ in range(count)
    ]
    return RowResult(row=Row(name="x", title="slips", clock={}, ordinary=True), figures=figures)


def test_a_row_says_what_was_true_what_was_reported_and_whether_that_is_right() -> None:
    table = markdown(
        [_result(801.0), _result(342.0), _result(None)], made_with="commit `abc`", date="2026-01-02"
    )
    lines = table.splitlines()
    assert lines[0] == BEGIN
    assert lines[-1] == END
    assert "on 2026-01-02, commit `abc`: 3 rows, 2 failed" in lines[1]
    due = TURNS + STOPS
    assert lines[3] == "| " + " | ".join(HEADINGS) + " |"
    assert lines[5] == f"| slips | {due} | 100% | 100% | 800.0 → 801.0 | 800.0 → 801.0 | +1.0 | 1.5 | right |"
    assert lines[6] == (
        f"| slips | {due} | 100% | 0% | 800.0 → 342.0 | 800.0 → 342.0 | -458.0 | 1.5 "
        "| **wrong and measured** |"
    )
    assert lines[7] == f"| slips | {due} | 0% | 0% | — | — | — | — | **indeterminate for everything** |"


def test_it_takes_its_place_in_a_page_and_leaves_the_rest_alone(tmp_path: Path) -> None:
    page = tmp_path / "accuracy.md"
    write_table(page, f"{BEGIN}\nold\n{END}")
    assert page.read_text(encoding="utf-8") == f"{BEGIN}\nold\n{END}\n"
    page.write_text(f"# Accuracy\n\n{BEGIN}\nold\n{END}\n\nMore.\n", encoding="utf-8")
    write_table(page, f"{BEGIN}\nnew\n{END}")
    assert page.read_text(encoding="utf-8") == f"# Accuracy\n\n{BEGIN}\nnew\n{END}\n\nMore.\n"
    page.write_text("# Accuracy\n", encoding="utf-8")
    write_table(page, f"{BEGIN}\nnew\n{END}")
    assert page.read_text(encoding="utf-8") == f"# Accuracy\n\n{BEGIN}\nnew\n{END}\n"


def test_it_says_what_made_it() -> None:
    assert made_with().startswith(("commit `", "version "))
