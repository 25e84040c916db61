"""The pages of a leaderboard's dialogues: each has one, and it says what its scores rest on."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli.main import app
from harness.records.call import CallStatus
from harness.reports.leaderboard.dialogue_pages import dialogue_page, write_dialogue_pages
from harness.runs.store import RunStore
from harness.scoring.leaderboard.dialogues import ranked_dialogues
from tests.unit.harness.stand_ins.chat_runs import Held, score_run, write_chat_run

SCENARIO = "cs-bank-complaint"
ATTACK = "<img src=x onerror=alert(1)>"


def said(model: str, tag: str, type_: str = "hesitant", **other: Any) -> Held:
    words: Any = (("agent", f"Hello {tag} {ATTACK}"), ("caller", "Yes?"), ("agent", "Bye."))
    return Held(model=model, entry=f"{SCENARIO}/{type_}", words=words, **other)


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    dialogues = [
        said("a", "[score 2]"),
        said("a", "[score 0] [nodes 2]", "resistant"),
        said("a", "[score 1]", "efficient"),
        said("a", "[score x]", "analytical"),
        said("a", "", "cooperative", status=CallStatus.SETUP_FAILED, detail="the server is down"),
    ]
    return score_run(write_chat_run(tmp_path / "run", dialogues).folder)


def page_of(run_dir: Path, type_: str) -> str:
    for one in ranked_dialogues([run_dir]):
        if one.record.plan.task.entry.endswith(type_):
            return dialogue_page(one)
    raise AssertionError(type_)


def test_the_lowest_final_comes_first_and_those_without_one_last(run_dir: Path, tmp_path: Path) -> None:
    links = write_dialogue_pages(ranked_dialogues([run_dir]), tmp_path / "out", runs=[run_dir])
    [found] = links.values()
    # GIC counts the second reply (2 of 2) too: 1, 0.5 and 0.75; nodes only where some were achieved.
    assert [one.entry.partition("/")[2] for one in found] == [
        "efficient",
        "hesitant",
        "resistant",
        "analytical",
        "cooperative",
    ]
    assert [one.why for one in found[3:]] == [
        "Final is open: judgements failed",
        "the agent could not say a first word",
    ]
    assert found[0].final == pytest.approx(0.45 * 0.75)
    assert found[3].failed == 8
    for one in found:
        assert (tmp_path / "out" / one.href).is_file()


def test_a_page_has_the_words_and_what_was_made_of_them(run_dir: Path) -> None:
    page = page_of(run_dir, "resistant")
    assert 'id="turn-0"' in page
    assert page.count('data-outcome="achieved"') == 2
    # Eight dimensions at 0, each in the list of the worst replies and beside its turn.
    assert len(re.findall(r'class="points points-0"', page)) == 8
    assert page.count('class="turn-mark tone-bad"') == 8
    assert 'href="#turn-0"' in page
    assert "<img" not in page
    assert "&lt;img src=x" in page
    assert "http://" not in page
    assert "https://" not in page
    assert "8 of" in page_of(run_dir, "analytical")


def test_a_dialogue_that_was_left_out_says_why(run_dir: Path) -> None:
    broken = page_of(run_dir, "cooperative")
    assert "<b>Not measured</b>: the agent could not say a first word: the server is down" in broken
    store = RunStore(run_dir)
    where = store.call_folder(f"a.{SCENARIO}.hesitant")
    (where / "guard.json").write_text(json.dumps({"verdict": "guilty"}))
    # Judged, but in no figure: the judgement is shown and marked.
    guilty = page_of(run_dir, "hesitant")
    assert "In no figure of the run: the simulator" in guilty
    assert 'data-node="' in guilty


def test_runs_that_are_ranked_together_keep_their_dialogues_apart(tmp_path: Path) -> None:
    runs = [score_run(write_chat_run(tmp_path / name, [said("a", "[score 1]")]).folder) for name in "xy"]
    out = tmp_path / "board"
    told = CliRunner().invoke(app, ["report", *map(str, runs), "--out", str(out), "--json"])
    pages = json.loads(told.stdout)["dialogue_pages"]["a"]
    assert [Path(page).relative_to(out).parts[1] for page in pages] == ["1", "2"]
    for page in pages:
        assert 'href="../../index.html"' in Path(page).read_text()
    index = (out / "index.html").read_text()
    for page in pages:
        assert f'href="{Path(page).relative_to(out)}"' in index
