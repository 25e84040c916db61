"""Families that are made beside placed ones: taken over where they are done, made here where they are not."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.selfcheck.calibration.page import made_with
from harness.selfcheck.selftest import beside
from harness.selfcheck.selftest.beside import MadeBeside
from harness.selfcheck.selftest.entries import Family
from harness.selfcheck.selftest.families.table import FAMILIES
from harness.selfcheck.selftest.run import FamilyResult, cells_file

[WORDS] = [family for family in FAMILIES if family.name == "words"]
[ANSWERS] = [family for family in FAMILIES if family.name == "answers"]
MADE_HERE = FamilyResult(family="words", size="quick", sources="here")
DONE_WHEN_HEARD = """
import pathlib, time
print("3 calls made", flush=True)
began_s = time.monotonic()
while not pathlib.Path({heard!r}).exists() and time.monotonic() - began_s < 60:
    time.sleep(0.02)
print("done words")
"""
"""However late we look, what it tells stands until we have seen it."""


@pytest.fixture
def made_here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Families that were made in this process, where none is."""
    made: list[str] = []

    def made_in_this_process(family: Family, *_: object) -> FamilyResult:
        made.append(family.name)
        return MADE_HERE

    monkeypatch.setattr(beside, "try_family", made_in_this_process)
    return made


def stands_in(monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Another process in place of the one that makes families."""
    real = subprocess.Popen

    def popen(command: list[str], **options: Any) -> subprocess.Popen[str]:
        ours = command[1:4] == ["-P", "-m", "harness.selfcheck.selftest.beside"]
        return real([sys.executable, "-c", script] if ours else command, **options)

    monkeypatch.setattr(beside.subprocess, "Popen", popen)


def kept(folder: Path, sources: str) -> FamilyResult:
    result = FamilyResult(family="words", size="quick", sources=sources, notes=("made beside",))
    path = cells_file(folder, "quick", WORDS)
    path.parent.mkdir(parents=True)
    path.write_text(result.model_dump_json(), encoding="utf-8")
    return result


def test_what_was_made_beside_is_taken_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, made_here: list[str]
) -> None:
    wanted, heard = kept(tmp_path, made_with()), tmp_path / "heard"
    stands_in(monkeypatch, DONE_WHEN_HEARD.format(heard=str(heard)))
    told: list[str] = []

    def hears(what: str) -> None:
        told.append(what)
        if what == "3 calls made":
            heard.touch()

    with MadeBeside([WORDS], tmp_path, "quick") as running:
        assert running.result(WORDS, hears) == wanted
    assert "3 calls made" in told
    assert made_here == []


@pytest.mark.parametrize(
    ("script", "sources"),
    [
        ("raise SystemExit(3)", ""),
        ("print('comparing')", ""),
        ("print('done words')", "an earlier version"),
    ],
)
def test_what_was_not_is_made_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, made_here: list[str], script: str, sources: str
) -> None:
    kept(tmp_path, sources or made_with())
    stands_in(monkeypatch, script)
    with MadeBeside([WORDS], tmp_path, "quick") as running:
        assert running.result(WORDS, lambda told: None) == MADE_HERE
    assert made_here == ["words"]


def test_placed_families_do_not_wait_for_it_and_it_ends_with_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, made_here: list[str]
) -> None:
    stands_in(monkeypatch, "import time; time.sleep(60)")
    with MadeBeside([WORDS], tmp_path, "quick") as running:
        assert running.result(ANSWERS, lambda told: None) == MADE_HERE
        process = running._process
    assert made_here == ["answers"]
    assert process is not None
    assert process.poll() is not None


def test_it_leaves_the_cores_to_placed_calls_and_tells_what_is_done(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = replace(WORDS, name="lacking")
    priorities: list[object] = []
    monkeypatch.setattr(beside, "FAMILIES", (WORDS, lacking, ANSWERS))
    monkeypatch.setattr(
        beside.os, "sched_setscheduler", lambda *told: priorities.append(told[1]), raising=False
    )
    monkeypatch.setattr(beside.os, "nice", priorities.append)

    def tried(family: Family, folder: Path, size: str, progress: Any) -> FamilyResult:
        assert (folder, size) == (tmp_path, "quick")
        progress(f"{family.name}\nis made")
        return FamilyResult(
            family=family.name, size="quick", sources="here", missing="a voice" if family is lacking else ""
        )

    monkeypatch.setattr(beside, "try_family", tried)
    beside.main([str(tmp_path), "quick", "words", "lacking"])
    assert capsys.readouterr().out.splitlines() == ["words is made", "done words", "lacking is made"]
    assert len(priorities) == 1
