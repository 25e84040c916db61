"""Leaderboards of runs whose scores can be worked out by hand.

The judge reads its verdicts off the agent's words. With no node achieved TFC is 0; with a score of s on every
dimension GIC is s / 2; so Final is 0.45 s / 2: 0, 0.225 or 0.45.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli.main import app
from harness.errors import UserError
from harness.judging.checking.judge_check import JudgeCheck, keep_check, set_digest
from harness.judging.checking.labelled_set import OWN_SET
from harness.records.call import CallStatus
from harness.records.usage import SideUsage
from harness.reports.leaderboard.figures import cost, difference
from harness.reports.leaderboard.page import leaderboard_page
from harness.reports.leaderboard.text import leaderboard_markdown
from harness.runs.store import RunStore
from harness.scoring.leaderboard.board import Leaderboard, Row, board_of
from harness.scoring.leaderboard.board import difference as difference_of
from harness.scoring.leaderboard.dialogues import ranked_dialogues
from metrics.dialogue.agreement import agreement
from tests.unit.harness.stand_ins.chat_runs import Held, SaysSo, score_run, write_chat_run

SCENARIO = "cs-bank-complaint"
TYPES = ("cooperative", "analytical", "hesitant", "resistant", "efficient")
ATTACK = "<img src=x onerror=alert(1)>|`*x*"


def said(model: str, score: int | str, type_: str = "hesitant", **other: Any) -> Held:
    words: Any = (("agent", f"Hello [score {score}]"), ("caller", "Yes?"))
    return Held(model=model, entry=f"{SCENARIO}/{type_}", words=words, **other)


def scored(folder: Path, *dialogues: Held) -> Path:
    return score_run(write_chat_run(folder, dialogues).folder)


def leaderboard(folders: Sequence[Path]) -> Leaderboard:
    return board_of(ranked_dialogues(folders), runs=folders)


def row(board: Leaderboard, name: str) -> Row:
    return next(one for one in board.rows if one.competitor == name)


def run(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, ["report", *map(str, arguments)], env={"COLUMNS": "200", "TERM": "dumb"})


def test_table_by_hand(tmp_path: Path) -> None:
    a = [said("a", score, type_) for score, type_ in zip((1, 1, 0, 1, 0), TYPES, strict=True)]
    b = [said("b", score, type_) for score, type_ in zip((2, 1, 1, 2, 2), TYPES, strict=True)]
    board = leaderboard([scored(tmp_path / "run", *a, *b)])
    first, second = board.rows
    assert [(one.rank, one.competitor) for one in board.rows] == [(1, "b"), (2, "a")]
    # b: mean score 8 / 5, GIC 0.8, Final 0.45 x 0.8 = 0.36; a: 3 / 5, 0.3, 0.135.
    assert [one.metrics["gic"].value for one in board.rows] == pytest.approx([0.8, 0.3])
    assert [one.metrics["final"].value for one in board.rows] == pytest.approx([0.36, 0.135])
    assert [one.metrics["tfc"].value for one in board.rows] == [0.0, 0.0]
    final = first.metrics["final"]
    assert final.ci_low is not None
    assert final.ci_high is not None
    assert 0.225 <= final.ci_low < 0.36 < final.ci_high <= 1.0
    assert final.n == 5
    assert {name: one.value for name, one in first.by_archetype.items()} == pytest.approx(
        {"cooperative": 0.45, "analytical": 0.225, "hesitant": 0.225, "resistant": 0.45, "efficient": 0.45}
    )
    assert board.archetypes == TYPES
    assert board.domains == ("customer_service",)
    # Differences of the scores: 1, 0, 1, 1, 2; mean 1, that is 0.225 in Final.
    assert second.to_first is not None
    assert first.to_first is None
    assert second.to_first.value == pytest.approx(0.225)
    assert (second.to_first.pairs, second.to_first.entries) == (5, 5)
    low, high = second.to_first.ci_low, second.to_first.ci_high
    assert low is not None
    assert high is not None
    assert low < 0.225 < high


def test_only_callers_whom_both_met_are_compared(tmp_path: Path) -> None:
    one = scored(tmp_path / "one", said("a", 2), said("a", 0, "resistant"), said("b", 1))
    two = score_run(write_chat_run(tmp_path / "two", [said("b", 2, "resistant")], seed=7).folder)
    board = leaderboard([one, two])
    [found] = board.differences
    # b met the resistant caller with another seed: only the hesitant one is left, 0.45 against 0.225.
    assert (found.pairs, found.one) == (1, "b")
    assert found.value == pytest.approx(-0.225)
    assert (found.ci_low, found.clear) == (None, False)
    assert row(board, "b").metrics["final"].n == 2
    assert any("rest on different dialogues" in remark for remark in board.remarks)
    apart = leaderboard([scored(tmp_path / "three", said("a", 2), said("b", 1, "resistant"))])
    assert apart.differences[0].value is None
    assert all(one.to_first is None for one in apart.rows)


@pytest.mark.parametrize(
    "changed",
    [
        {"agent_prompt": "You are somebody else."},
        {"winnable": False},
        {"language_model": "otherlab:caller", "policy": "llm"},
        {},
    ],
)
def test_an_entry_that_was_changed_is_another_one(tmp_path: Path, changed: dict[str, Any]) -> None:
    before = ranked_dialogues([scored(tmp_path / "one", said("a", 2))])
    [after] = ranked_dialogues([scored(tmp_path / "two", said("b", 1))])
    plan = after.record.plan
    of_task = {name: value for name, value in changed.items() if name in {"agent_prompt", "winnable"}}
    of_plan = {name: value for name, value in changed.items() if name not in of_task}
    task = plan.about.model_copy(update=of_task)
    record = after.record.model_copy(update={"plan": plan.model_copy(update={"task": task, **of_plan})})
    found = difference_of(before, [replace(after, record=record)])
    # 1 point of GIC is 0.225 of Final; nobody is compared with who met somebody else.
    assert (found.pairs, found.value) == ((0, None) if changed else (1, pytest.approx(0.225)))


def test_equal_differences_claim_no_certainty_and_equal_totals_share_a_rank(tmp_path: Path) -> None:
    dialogues = [said(model, 1, type_) for model in "abc" for type_ in TYPES]
    board = leaderboard([scored(tmp_path / "run", *dialogues)])
    assert [one.rank for one in board.rows] == [1, 1, 1]
    assert len(board.differences) == 3
    assert all((one.value, one.ci_low) == (0.0, None) for one in board.differences)


def test_whatever_is_left_out_is_counted_with_its_reason(tmp_path: Path) -> None:
    failing = [
        said("a", 2),
        said("a", 2, "resistant", status=CallStatus.HARNESS_FAULT),
        said("a", 2, "efficient", status=CallStatus.AGENT_FAILED),
        said("a", 2, "analytical", status=CallStatus.SETUP_FAILED),
    ]
    others = [said("b", 1, type_) for type_ in TYPES[:4]]
    folder = scored(tmp_path / "run", *failing, *others)
    store = RunStore(folder)
    where = [store.call_folder(f"b.{SCENARIO}.{type_}") for type_ in TYPES]
    (where[0] / "scores.json").unlink()
    (where[1] / "scores.json").write_text("{")
    (where[2] / "guard.json").write_text(json.dumps({"verdict": "guilty"}))
    board = leaderboard([folder])
    assert row(board, "a").left_out == {
        "our own fault": 1,
        "the agent's model failed": 1,
        "the agent could not say a first word": 1,
    }
    assert row(board, "b").left_out == {
        "not judged yet": 1,
        "its scores cannot be read": 1,
        "the simulator's fault": 1,
    }
    assert (row(board, "b").held, row(board, "b").judged, row(board, "b").metrics["final"].n) == (4, 1, 1)
    text = run(folder).stdout
    assert (
        "b: left out 3 of 4: not judged yet 1, its scores cannot be read 1, the simulator's fault 1" in text
    )


def test_where_all_that_was_judged_is_left_out_it_is_said_why(tmp_path: Path) -> None:
    """And not that nothing was judged: to score it again would change nothing."""
    folder = scored(
        tmp_path / "run",
        said("a", 2, TYPES[0]),
        said("a", 1, TYPES[1]),
        said("a", 2, TYPES[2], status=CallStatus.HARNESS_FAULT),
    )
    store = RunStore(folder)
    for type_ in TYPES[:2]:
        guard = store.call_folder(f"a.{SCENARIO}.{type_}") / "guard.json"
        guard.write_text(json.dumps({"verdict": "guilty"}))
    why = "every dialogue is left out, so that nobody can be ranked: the simulator's fault 2, our own fault 1"
    with pytest.raises(UserError, match=why):
        leaderboard([folder])
    other = write_chat_run(tmp_path / "other", [said("b", 1)]).folder
    with pytest.raises(UserError, match="no dialogue has been judged: outboundeval score"):
        leaderboard([other, folder])


def test_failed_judgements_are_no_zeros_and_mark_the_competitor(tmp_path: Path) -> None:
    folder = scored(tmp_path / "run", said("a", 1), said("b", 1), said("b", "x", "resistant"), said("c", "x"))
    board = leaderboard([folder])
    assert [(one.competitor, one.rank, one.doubtful) for one in board.rows] == [
        ("a", 1, False),
        ("b", 1, True),
        ("c", None, True),
    ]
    b, c = row(board, "b"), row(board, "c")
    assert b.metrics["final"].value == pytest.approx(0.225)
    assert b.left_out == {"Final is open: judgements failed": 1}
    assert (b.failed, c.metrics["final"].value) == (8, None)
    told = run(folder).stdout
    assert "(!) c: 8 of " in told
    assert "c (!)" in told


def test_only_a_checked_judge_has_final_scores(tmp_path: Path, isolated_folders: Path) -> None:
    folder = scored(tmp_path / "run", said("a", 1), said("b", 2))
    for shown in (run(folder).stdout, (folder / "report" / "index.html").read_text()):
        assert "has not been checked here" in shown
        assert "Provisional" in shown
    assert "provisional scores" in (folder / "report" / "leaderboard.md").read_text()
    right = ("2", "2")
    keep_check(
        JudgeCheck(
            judge="says-so",
            judge_version="1",
            date="2026-01-02",
            set_digest=set_digest(OWN_SET),
            replies=agreement([right] * 10),
            nodes=agreement([right] * 10),
            turns=agreement([]),
        )
    )
    for shown in (run(folder).stdout, (folder / "report" / "index.html").read_text()):
        assert "checked on 2026-01-02: as labelled: nodes 100 %" in shown
        assert "Provisional" not in shown
    assert json.loads(run(folder, "--json").stdout)["heading"] == "final"


def test_rules_are_not_comparable(tmp_path: Path) -> None:
    folder = write_chat_run(tmp_path / "run", [Held(model="a")]).folder
    scoring = CliRunner().invoke(app, ["score", str(folder)])
    assert scoring.exit_code == 0
    board = leaderboard([folder])
    assert (board.comparable, board.heading) == (False, "provisional")
    assert any("not comparable with published figures" in line for line in board.standing)
    assert any("partial: rules cannot judge" in remark for remark in board.remarks)


def test_what_cannot_be_ranked(tmp_path: Path) -> None:
    one = scored(tmp_path / "one", said("a", 1))
    other = write_chat_run(tmp_path / "other", [said("b", 1)]).folder
    with pytest.raises(UserError, match="no dialogue has been judged: outboundeval score"):
        leaderboard([other])
    score_run(other, SaysSo(version="2"))
    with pytest.raises(UserError, match="cannot be compared: says-so 1; says-so 2"):
        leaderboard([one, other])
    with pytest.raises(UserError, match="named twice"):
        leaderboard([one, tmp_path / "other" / ".." / "one"])
    calls = tmp_path / "calls"
    calls.mkdir()
    assert "no run of dialogues in text" in str(run(one, calls).exception)
    assert "--out is for several runs" in str(run(calls, "--out", tmp_path / "x").exception)
    assert "neither run.json nor calls/" in str(run(calls).exception)


def test_what_it_cost(tmp_path: Path) -> None:
    paid = SideUsage(requests=2, input_tokens=100, output_tokens=10, cost=0.5)
    board = leaderboard(
        [
            scored(
                tmp_path / "run",
                said("a", 1, usage=paid, caller_usage=SideUsage(requests=1, cost=0.25)),
                # What was left out has been paid for all the same.
                said("a", 1, "resistant", usage=paid, status=CallStatus.AGENT_FAILED),
                said("b", 1, usage=paid),
                said("b", 1, "resistant", usage=SideUsage(requests=1, cost=None)),
                said("c", 1),
                said("d", 1, usage=SideUsage(requests=2, unmeasured_requests=1, cost=0.5)),
                said("e", 1, usage=SideUsage(requests=2, failed_attempts=1, unmeasured_attempts=1, cost=0.5)),
                said("f", 1, usage=SideUsage(failed_attempts=1, unmeasured_attempts=1)),
                said("g", 1, usage=SideUsage(requests=2, failed_attempts=1, cost=0.5)),
            )
        ]
    )
    a = row(board, "a")
    assert (a.agent.requests, a.agent.input_tokens, a.agent.output_tokens) == (4, 200, 20)
    told = [cost(row(board, name).agent) for name in "abcdefg"]
    part = "at least 0.5000 USD"
    assert told == ["1.0000 USD", "not known", "–", part, part, "not known", "0.5000 USD"]
    assert cost(a.caller) == "0.2500 USD"


def test_a_competitors_name_is_no_markup(tmp_path: Path) -> None:
    folder = scored(tmp_path / "run", said(ATTACK, 1), said("[bold]b[/]", 2))
    board = leaderboard([folder])
    page = leaderboard_page(board)
    assert "<img" not in page
    assert "&lt;img src=x" in page
    assert "http://" not in page
    assert "https://" not in page
    text = leaderboard_markdown(board)
    assert "| `<img src=x onerror=alert(1)>¦'*x*` |" in text
    assert "[bold]b[/]" in run(folder).stdout


def test_page_and_json_say_the_same(tmp_path: Path) -> None:
    runs = [
        scored(
            tmp_path / name,
            *(said(name, score, type_) for score, type_ in zip((2, 1, 0), TYPES, strict=False)),
        )
        for name in "ab"
    ]
    document = json.loads(run(*runs, "--out", tmp_path / "board", "--json").stdout)
    assert document["report"] == str(tmp_path / "board" / "index.html")
    page = (tmp_path / "board" / "index.html").read_text()
    for one in document["rows"]:
        assert f'data-value="{one["metrics"]["final"]["value"]}"' in page
    assert document["runs"] == [str(folder) for folder in runs]
    assert (tmp_path / "board" / "leaderboard.md").is_file()
    assert difference(None) == "–"
