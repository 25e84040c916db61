"""``outboundeval listen`` as it is typed: what it prints, what it leaves, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from harness.cli.main import app
from harness.errors import FolderBusy, UserError
from harness.plans.checks.checks import Checks
from harness.plans.checks.gates import Gate
from harness.records.scores import CallScores
from harness.runs.lock import work_in
from harness.scoring.gates.decide import read_verdict
from harness.scoring.listening.key import ListeningKey, read_key
from tests.unit.harness.scoring.listening.rated_runs import rated_run
from tests.unit.harness.scoring.listening.simulated_raters import attentive, save, saved


def listen(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["listen", *map(str, arguments)], env={"COLUMNS": "300", "TERM": "dumb"})


def document(*arguments: str | Path, code: int = 0) -> dict[str, Any]:
    result = listen(*arguments, "--json")
    assert result.exit_code == code, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.fixture
def run(tmp_path: Path) -> Path:
    store = rated_run(tmp_path / "run", "one", "two")
    store.write_checks(Checks(gates=(Gate.model_validate("mos >= 3.5"),)))
    return store.folder


def exported(run: Path, *options: str) -> ListeningKey:
    made = document("export", run, *options)
    return read_key(run, made["sheet"])


def test_from_a_run_to_a_gate_on_mos(run: Path, tmp_path: Path) -> None:
    page = tmp_path / "page" / "listen.html"
    printed = listen("export", run, "--clips", "9", "--out", page)
    assert printed.exit_code == 0, printed.output
    assert "4 clips from 2 calls, 14 items in all, at -" in printed.output
    assert "there are no more: 9 were asked for" in printed.output
    [where] = (run / "listening").glob("key-*.json")
    assert f"for you alone: {where}" in printed.output
    html = page.read_text()
    assert "connect-src" not in html
    assert "default-src &#39;none&#39;" in html
    assert str(run) not in html

    key = read_key(run, where.stem.removeprefix("key-"))
    drawn = np.random.default_rng(1)
    files = [
        save(tmp_path, saved(key, name, attentive(lambda item: int(drawn.integers(4, 6)))))
        for name in ("Anna", "Ben", "Cem")
    ]
    bored = save(tmp_path, saved(key, "Danuta Bored", lambda item, is_: 3))
    printed = listen("import", run, *files, bored)
    assert printed.exit_code == 0, printed.output
    assert "3 of 4 raters count" in printed.output
    assert "set aside: Danuta Bored: the same answer to everything" in printed.output
    assert "anchor Q = 5 dB" in printed.output
    assert "mos of the run: 4." in printed.output
    verdict = read_verdict(run)
    assert verdict is not None
    assert verdict.word == "passed"
    assert (run / "report" / "index.html").is_file()
    assert "Danuta Bored" not in (run / "report" / "index.html").read_text()

    worse = [
        save(tmp_path, saved(key, name, attentive(lambda item: int(drawn.integers(1, 3))))) for name in "AB"
    ]
    # Late files by themselves put nobody out who was taken in before, unless that is asked for.
    scores = (run / "summary.json").read_bytes()
    error = listen("import", run, *worse).exception
    assert isinstance(error, UserError)
    assert "4 raters of this page taken in before" in str(error)
    assert "(Anna, Ben, Cem, Danuta Bored)" in str(error)
    assert (run / "summary.json").read_bytes() == scores
    assert document("import", run, *worse, "--replace")["runs"][0]["mos"]["value"] < 2.5
    verdict = read_verdict(run)
    assert verdict is not None
    assert verdict.word != "passed"


def test_nobody_counts_ends_with_1(run: Path, tmp_path: Path) -> None:
    key = exported(run, "--out", str(tmp_path / "l.html"))
    blind = save(tmp_path, saved(key, "Danuta Bored", lambda item, is_: 3))
    [found] = document("import", run, blind, code=1)["runs"]
    assert found["mos"]["status"] == "not_applicable"
    assert found["figures"] == []
    assert "mos: not measured: nobody who counts" in listen("import", run, blind).output


def test_a_wrong_use_is_one_line(run: Path, tmp_path: Path) -> None:
    raters = tmp_path / "raters"
    raters.mkdir()
    (raters / "listening-a.json").touch()
    for arguments, told in (
        (("export", run, "--out", tmp_path / "l.pdf"), "give it a name that ends in .html"),
        (("export", run, run), "the same run was given twice"),
        (("export", run, "--method", "ccr"), "ccr compares two runs, and 1 were given"),
        (("import", tmp_path / "listening-a.json"), "no folder of a run was given"),
        (("import", run), "no file of a rater was given"),
        (("import", run, tmp_path / "nowhere.json"), "nowhere.json: cannot be read"),
        (("import", tmp_path / "nowhere", run), "nowhere: is not there: neither the folder of a run"),
        (("import", run, raters), "raters: is no run; give the files in it"),
    ):
        error = listen(*arguments).exception
        assert isinstance(error, UserError)
        assert told in str(error)
        assert "\n" not in str(error)


def test_a_run_that_another_process_works_in_is_left_alone(run: Path, tmp_path: Path) -> None:
    key = exported(run, "--out", str(tmp_path / "l.html"))
    file = save(tmp_path, saved(key, "Anna", attentive(lambda item: 4)))
    with work_in(run, doing="score"):
        assert isinstance(listen("import", run, file).exception, FolderBusy)
    scores = CallScores.model_validate_json((run / "calls" / "one" / "scores.json").read_text())
    assert scores.listening is None


def test_the_page_of_two_runs_is_imported_into_both(tmp_path: Path) -> None:
    runs = [tmp_path / "a", tmp_path / "b"]
    for one in runs:
        rated_run(one, "one")
    made = document("export", *runs, "--out", tmp_path / "l.html")
    assert len(made["keys"]) == 2
    key = read_key(runs[1], made["sheet"])
    file = save(tmp_path, saved(key, "Anna", attentive(lambda item: 5 - key.items[item].places[0].run)))
    found = document("import", *runs, runs[0] / ".", file)
    assert [one["mos"]["value"] for one in found["runs"]] == [5.0, 4.0]
    assert found["not_imported_into"] == []
    assert document("import", runs[1], file)["not_imported_into"] == ["a"]
    assert "the page has clips of a as well: give the folder, too" in listen("import", runs[1], file).output
