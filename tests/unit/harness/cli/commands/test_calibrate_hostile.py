"""``calibrate --hostile`` at the terminal: its document, its table in a page, when it fails. No calls."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from harness.cli import main as cli
from harness.cli.commands import calibrate_hostile
from harness.errors import EXIT_CHECK_FAILED, EXIT_OK, EXIT_WRONG_USE
from harness.selfcheck.calibration.hostile.design import STOPS, TURNS
from harness.selfcheck.calibration.hostile.figures import Figure
from harness.selfcheck.calibration.hostile.rows import Row
from harness.selfcheck.calibration.hostile.table import BEGIN, END
from harness.selfcheck.calibration.hostile.verdict import RowResult

Main = Callable[..., tuple[int, str, str]]


@contextmanager
def _no_agent(name: str) -> Iterator[str]:
    assert name == "calibration"
    yield "http://127.0.0.1:9"


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Main:
    """The entry point; slip20 reads 20 ms too fast, all other rows are right: (exit code, stdout, stderr)."""

    def tried(rows: Sequence[Row], **_: Any) -> Iterator[RowResult]:
        for row in rows:
            off_ms = -20.0 if row.name == "slip20" else 0.5
            figure = Figure(
                kind="stop", where="c turn 1", true_ms=300.0, reported_ms=300.0 + off_ms, bar_ms=1.0
            )
            yield RowResult(row=row, figures=[figure] * (TURNS + STOPS))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(calibrate_hostile, "serving", _no_agent)
    monkeypatch.setattr(calibrate_hostile, "try_rows", tried)

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["outboundeval", "calibrate", *arguments])
        capsys.readouterr()
        code: Any = 0
        try:
            cli.main()
        except SystemExit as left:
            code = left.code
        out, err = capsys.readouterr()
        return int(code or 0), out, err

    return run


def test_a_row_with_a_wrong_figure_fails_the_command_and_is_told(main: Main) -> None:
    code, out, _ = main("--hostile", "--rows", "exact,slip20")
    assert code == EXIT_CHECK_FAILED
    assert "slip20: wrong and measured" in out
    assert "280.0 ± 1.0 ms reported, 300.0 ms true: off by -20.0 ms" in out


def test_right_rows_pass_and_the_document_has_every_figure(main: Main) -> None:
    code, out, err = main("--hostile", "--rows", "exact,dtx", "--json")
    assert code == EXIT_OK, err
    rows = json.loads(out)["rows"]
    assert [(row["row"], row["verdict"], row["failed"]) for row in rows] == [
        ("exact", "right", False),
        ("dtx", "right", False),
    ]
    assert rows[0]["due"] == len(rows[0]["figures"]) == TURNS + STOPS
    assert rows[0]["figures"][0]["reported_ms"] == 300.5


def test_the_table_is_put_into_the_page_that_is_named_even_if_rows_fail(main: Main, tmp_path: Path) -> None:
    page = tmp_path / "accuracy.md"
    page.write_text(f"# Accuracy\n\n{BEGIN}\n{END}\n\nMore.\n", encoding="utf-8")
    code, _, _ = main("--hostile", "--rows", "slip20", "--table", str(page))
    assert code == EXIT_CHECK_FAILED
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# Accuracy\n\n{BEGIN}\n")
    assert text.endswith(f"{END}\n\nMore.\n")
    assert "| slips 20 ms at each onset |" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--hostile", "--rows", "slip21"], "unknown: slip21; known: exact"),
        (["--rows", "exact"], "--rows belongs to --hostile"),
        (["--table", "page.md"], "--table and --out belong to --all"),
        (["--out", "folder"], "--table and --out belong to --all"),
        (["--transport", "pigeon"], "no reference agent for the transport 'pigeon'"),
    ],
)
def test_a_slip_of_the_pen_is_told(main: Main, arguments: list[str], words: str) -> None:
    code, _, err = main(*arguments)
    assert code == EXIT_WRONG_USE
    assert words in " ".join(err.split())
