"""``calibrate --all`` at the terminal: which cells are tried, and what the page keeps. No calls."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from harness.analysis.cells import Cell
from harness.analysis.error_bar import ErrorBar, StoredError, this_machine, today
from harness.cli.commands import calibrate_all as command
from harness.cli.options.calibrate import CalibrateOptions
from harness.errors import UserError
from harness.selfcheck.calibration.all_cells import CellResult

Tried = Callable[..., list[str]]


def _result(cell: Cell) -> CellResult:
    error = StoredError(n=60, bias=0.0, sd=0.1, p95_abs=0.5, max_abs=1.0)
    bar = ErrorBar(
        transport=cell.transport,
        codec=cell.codec,
        network=cell.network,
        date=today(),
        machine=this_machine(),
        made_with="commit `abc`",
        natural_responses=error,
        natural_interruptions=error,
    )
    return CellResult(
        turns=60, interruptions=30, at_once=6, seed=1, sounds=["marker", "natural"], bar=bar, wrong={}
    )


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Tried:
    """Runs the command; gives the cells that it calibrated, by name."""
    names: list[str] = []

    def calibrated(cell: Cell, *_: Any) -> CellResult:
        names.append(cell.name)
        return _result(cell)

    monkeypatch.setattr(command, "_calibrated", calibrated)
    monkeypatch.setattr(command, "made_with", lambda: "commit `abc`")

    def run(**options: Any) -> list[str]:
        names.clear()
        command.calibrate_all(
            CalibrateOptions(all_cells=True, out=tmp_path / "cells", store=False, **options),
            Console(quiet=True),
        )
        return list(names)

    return run


def test_only_the_cells_that_fit_are_tried_and_none_of_them_twice(tried: Tried) -> None:
    assert tried(transport="sip", network="srtp") == ["sip pcmu srtp"]
    assert tried(transport="sip", codec="pcmu") == ["sip pcmu clean"]
    assert tried(transport="sip") == ["sip opus clean", "sip g722 clean", "sip pcma clean"]


def test_the_page_keeps_what_was_measured_before(tried: Tried, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    tried(transport="sip", codec="g722")
    tried(transport="sip", codec="opus", table=page)
    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| sip")]
    assert [row.split(" | ")[1] for row in rows] == ["g722", "opus"]


def test_a_cell_that_is_not_there_is_told_with_those_that_are(tried: Tried) -> None:
    with pytest.raises(UserError, match="no cell is like that; there are: sip pcmu clean"):
        tried(transport="sip", codec="mp3")
