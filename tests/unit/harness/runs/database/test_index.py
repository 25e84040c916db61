"""Rebuilding the store: what it has is kept until there is something to put in."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from harness.cli import main as cli
from harness.errors import UserError
from harness.runs.database.index import put_run, rebuild
from harness.runs.database.nights import nights
from tests.nights import night_call
from tests.report.make_run import write_run


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    return [write_run(tmp_path / name, [night_call("a")], name=name) for name in ("monday", "tuesday")]


@pytest.fixture
def store(tmp_path: Path, runs: list[Path]) -> str:
    where = str(tmp_path / "nights.sqlite")
    for run in runs:
        put_run(where, run)
    return where


def _names(store: str) -> set[str]:
    return {night.name for night in nights(store)}


def test_folders_that_hold_no_run_leave_the_store_as_it_is(store: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nights\.sqlite: stays as it is: none of these folders"):
        list(rebuild(store, [tmp_path / "run" / "*"]))
    assert _names(store) == {"monday", "tuesday"}


def test_broken_off_it_has_lost_nothing(store: str, runs: list[Path]) -> None:
    begun = rebuild(store, runs)
    assert next(begun) == (runs[0], "")
    begun.close()  # type: ignore[attr-defined]
    assert _names(store) == {"monday", "tuesday"}


def test_rebuilt_to_its_end_it_has_the_runs_given_and_no_other(store: str, runs: list[Path]) -> None:
    assert list(rebuild(store, runs[1:])) == [(runs[1], "")]
    assert _names(store) == {"tuesday"}


def test_a_name_that_no_run_has_is_answered_with_those_that_there_are(
    store: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["outboundeval", "history", "--store", store, "--name", "mondy"])
    with pytest.raises(SystemExit):
        cli.main()
    told = " ".join(capfd.readouterr().err.split())
    assert "holds no run of the name mondy; its names are" in told
    assert "--rebuild" not in told
