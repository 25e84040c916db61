"""A judge's check as it is kept: for one version of one judge, whole, and of use."""

from __future__ import annotations

from pathlib import Path

from harness.judging.checking.judge_check import JudgeCheck, keep_check, known_check, percent, set_digest
from metrics.dialogue.agreement import agreement


def check(*, partial: bool = False, failed: int = 0) -> JudgeCheck:
    return JudgeCheck(
        judge="scripted",
        judge_version="1",
        date="2026-01-02",
        set_digest="0" * 16,
        replies=agreement([("2", "2")] * 9 + [("2", "0")]),
        nodes=agreement([("achieved", "failed")] * failed + [("achieved", "achieved")] * (20 - failed)),
        turns=agreement([]),
        partial=partial,
    )


def test_a_check_is_known_for_its_version_alone(isolated_folders: Path) -> None:
    assert keep_check(check(partial=True)) is None
    assert known_check("scripted", "1") is None
    whole = check()
    assert keep_check(whole) is not None
    assert known_check("scripted", "1") == whole
    assert known_check("scripted", "2") is None
    assert known_check("another", "1") is None
    assert known_check("scripted", "1", held_out=True) is None


def test_one_in_which_too_many_failed_leaves_what_was_kept_before(isolated_folders: Path) -> None:
    before = check(failed=1)
    keep_check(before)
    assert keep_check(check(failed=2)) is None
    assert known_check("scripted", "1") == before


def test_a_file_that_is_none_is_no_check(isolated_folders: Path) -> None:
    path = keep_check(check())
    assert path is not None
    path.write_text("{}")
    assert known_check("scripted", "1") is None


def test_agreement_is_told_with_its_interval() -> None:
    assert percent(check().replies).startswith("90 % [")
    assert percent(agreement([])) == "-"
    assert percent(agreement([("a", "a"), ("a", "b")], dialogues=["one", "one"])) == "50 %"
    assert check(partial=True).told().endswith(", in part")


def test_a_set_is_known_by_its_parts_and_not_by_what_lies_beside_them(tmp_path: Path) -> None:
    (tmp_path / "labels").mkdir()
    (tmp_path / "labels/a.yaml").write_text("x")
    digest = set_digest(tmp_path)
    (tmp_path / "held_out").mkdir()
    (tmp_path / "held_out/a.yaml").write_text("y")
    assert set_digest(tmp_path) == digest
    (tmp_path / "labels/a.yaml").write_text("z")
    assert set_digest(tmp_path) != digest
