"""When a judge's scores may be called final."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from harness._files.atomic_file import write_model
from harness.cli.main import app
from harness.judging.checking.judge_check import JudgeCheck, check_path, keep_check, set_digest
from harness.judging.checking.labelled_set import HELD_OUT_SET, OWN_SET
from harness.judging.checking.standing import judge_standing
from harness.judging.judges import why_not_comparable
from metrics.dialogue.agreement import FAILED, agreement
from tests.unit.harness.stand_ins.chatting import ENTRY


def keep(
    judge: str, *, digest: str = "", partial: bool = False, wrong_nodes: int = 1, held_out: bool = False
) -> None:
    right, wrong = ("2", "2"), ("2", "0")
    keep_check(
        JudgeCheck(
            judge=judge,
            judge_version="1",
            date="2026-01-02",
            set_digest=digest or set_digest(HELD_OUT_SET if held_out else OWN_SET),
            replies=agreement([right] * 9 + [wrong]),
            nodes=agreement([right] * (20 - wrong_nodes) + [wrong] * wrong_nodes),
            turns=agreement([]),
            partial=partial,
        ),
        held_out=held_out,
    )


def test_only_a_checked_judge_gives_final_scores(isolated_folders: Path) -> None:
    unknown = judge_standing("openai:gpt-4.1", "1")
    assert (unknown.heading, unknown.checked) == ("provisional", False)
    assert "has not been checked here (outboundeval judge check --judge openai:gpt-4.1)" in unknown.lines()[0]
    keep("openai:gpt-4.1", partial=True)
    assert not judge_standing("openai:gpt-4.1", "1").checked
    keep("openai:gpt-4.1")
    known = judge_standing("openai:gpt-4.1", "1")
    assert known.heading == "final"
    # 19 of 20 and 9 of 10, with Wilson's intervals.
    assert "nodes 95 % [76, 99] (n 20), replies 90 % [60, 98] (n 10)" in known.lines()[0]
    assert len(known.lines()) == 1
    assert judge_standing("openai:gpt-4.1", "2").heading == "provisional"


def test_what_was_held_out_is_told_first_and_only_as_it_is_now(isolated_folders: Path) -> None:
    keep("m")
    assert "held out" not in judge_standing("m", "1").lines()[0]
    keep("m", wrong_nodes=6, held_out=True, digest="0123")
    assert "held out" not in judge_standing("m", "1").lines()[0], "the held-out set has changed since"
    keep("m", wrong_nodes=6, held_out=True)
    told = judge_standing("m", "1").lines()[0]
    assert "on dialogues held out: nodes 70 % [48, 85] (n 20)" in told
    assert told.index("nodes 70 %") < told.index("as labelled: nodes 95 %")
    assert judge_standing("m", "1").heading == "final"


def test_the_rules_are_not_told_by_the_set_that_they_were_written_with_alone(isolated_folders: Path) -> None:
    keep("rules")
    told = judge_standing("rules", "1").lines()[0]
    assert "in the set that the rules were written with: nodes 95 %" in told
    assert "less elsewhere; on dialogues held out: not checked" in told
    keep("rules", wrong_nodes=6, held_out=True)
    told = judge_standing("rules", "1").lines()[0]
    assert "on dialogues held out: nodes 70 %" in told
    assert "not checked" not in told


@pytest.mark.parametrize(("failed", "heading"), [(1, "final"), (2, "provisional"), (20, "provisional")])
def test_a_judge_that_gave_too_few_verdicts_has_not_been_checked(
    isolated_folders: Path, failed: int, heading: str
) -> None:
    """Of 20 nodes one may fail: 5 %. Nor does a check of before count, that was kept all the same."""
    right, none = ("2", "2"), ("2", FAILED)
    check = JudgeCheck(
        judge="m",
        judge_version="1",
        date="2026-01-02",
        set_digest=set_digest(OWN_SET),
        replies=agreement([right] * 10),
        nodes=agreement([none] * failed + [right] * (20 - failed)),
        turns=agreement([]),
    )
    assert (keep_check(check) is None) == (heading == "provisional")
    assert judge_standing("m", "1").heading == heading
    write_model(check_path("m", "1"), check)
    assert judge_standing("m", "1").heading == heading


@pytest.mark.parametrize(
    ("judge", "heading"),
    [
        ("http://127.0.0.1:8000/v1#qwen", "final"),
        ("http://127.0.0.1:8000/v1", "provisional"),
        ("panel of http://127.0.0.1:8000/v1, openai:gpt-4.1", "provisional"),
        ("panel of 3 x http://127.0.0.1:8000/v1#qwen, openai:gpt-4.1", "final"),
    ],
)
def test_a_server_without_its_model_is_no_judge_that_was_checked(
    isolated_folders: Path, judge: str, heading: str
) -> None:
    keep(judge)
    standing = judge_standing(judge, "1")
    assert standing.heading == heading
    assert ("which model was served there" in standing.lines()[0]) == (heading == "provisional")


def test_a_check_that_failed_leaves_the_one_of_before(isolated_folders: Path) -> None:
    keep("m")
    before = judge_standing("m", "1").check
    nothing = agreement([("2", FAILED)] * 20)
    assert before is not None
    assert keep_check(before.model_copy(update={"replies": nothing, "nodes": nothing})) is None
    assert judge_standing("m", "1").check == before


def test_a_check_is_of_one_state_of_the_set(isolated_folders: Path) -> None:
    keep("m", digest="0123")
    standing = judge_standing("m", "1")
    assert (standing.heading, standing.outdated) == ("provisional", True)
    assert "the labelled set has changed" in standing.lines()[0]


@pytest.mark.parametrize(
    "judge", ["rules", "panel of rules, openai:gpt-4.1", "panel of openai:rules-1, rules"]
)
def test_rules_are_never_final(isolated_folders: Path, judge: str) -> None:
    """A panel judges what each of its members can: with rules among them two dimensions of eight."""
    keep(judge)
    standing = judge_standing(judge, "1")
    assert (standing.checked, standing.heading) == (True, "provisional")
    assert "not comparable with published figures" in standing.lines()[1]
    assert why_not_comparable(judge)
    assert not why_not_comparable("panel of openai:rules-1, openai:gpt-4.1")


@pytest.mark.parametrize("as_json", [False, True])
def test_score_says_it(tmp_path: Path, isolated_folders: Path, as_json: bool) -> None:
    path = tmp_path / "call.txt"
    path.write_text("Agent: Hello, this is Changjiang Bank.\nCaller: Yes?")
    options = ["--json"] if as_json else []
    result = CliRunner().invoke(
        app, ["score", str(path), "--scenario", ENTRY, *options], env={"COLUMNS": "200", "TERM": "dumb"}
    )
    assert result.exit_code == 0, result.output
    assert "has not been checked here" in result.stdout
    if as_json:
        judge = json.loads(result.stdout)["judge"]
        assert judge["standing"] == "provisional"
        assert len(judge["checked"]) == 2
