"""What is no task file is refused with file, line and reason; the others still import."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from harness.errors import UserError
from harness.scenarios.importing import official_format
from harness.scenarios.importing.official_format import import_paths, read_task
from harness.scenarios.scenario import Scenario
from tests.unit.harness.scenarios.importing.task_file import AGENT, task_text

GOOD = task_text()
NO_TASK = "## 电话拨打方\n### 角色\nx\n### 开场白\ny\n## 电话接听方\n### 角色\nz\n### 背景\nw\n"


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (b"", 1, "is empty"),
        (b"\n \t\n", 1, "is empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00", 3, "binary"),
        (b"PK\x03\x04\x14\x00\x00", 1, "binary"),
        (b"first line\nsecond \xff\xfe line", 2, "not UTF-8"),
        (b"x" * 10_000_000, 1, "10000000 bytes"),
        (b"# Shopping\n- milk\n", 1, "no heading '电话拨打方'"),
        ("## 电话拨打方\n### 角色\n李明\n### 开场白\n你好\n".encode(), 1, "no heading '电话接听方'"),
        ("## 电话接听方\n### 角色\n李明\n".encode(), 1, "no heading '电话拨打方'"),
        ("## 电话拨打方\n\n## 电话接听方\n".encode(), 1, "0 sections that are known"),
        ((GOOD + "\n## 电话拨打方\n").encode(), GOOD.count("\n") + 2, "a second part"),
        (NO_TASK.encode(), 2, "nothing to judge"),
        (task_text(AGENT | {"角色": "长" * 30_000}).encode(), 3, "does not fit"),
    ],
)
def test_a_file_that_is_no_task_is_refused(tmp_path: Path, content: bytes, line: int, reason: str) -> None:
    path = tmp_path / "task-1-1-1-1.md"
    path.write_bytes(content)
    with pytest.raises(UserError, match=re.escape(reason)) as refusal:
        read_task(path)
    assert str(refusal.value).startswith(f"{path}:{line}: ")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("notes.md", "task-D-C-V-A"),
        ("task-1-1-1.md", "task-D-C-V-A"),
        ("task-7-1-1-1.md", "no domain 7"),
        ("task-1-6-1-1.md", "no sub-scenario 6"),
        ("task-1-1-1-6.md", "no user type 6"),
        ("task-0-1-1-1.md", "no domain 0"),
    ],
)
def test_a_name_that_says_nothing_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    path = tmp_path / name
    path.write_text(GOOD, encoding="utf-8")
    with pytest.raises(UserError, match=reason):
        read_task(path)


def test_the_others_still_import(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "task-1-1-1-1.md").write_text(GOOD, encoding="utf-8")
    (source / "task-1-1-1-2.md").write_bytes(b"\x00\x01")
    (source / "task-1-1-1-3.md").write_bytes(b"")
    (source / "task-1-1-1-4.md").mkdir()
    (source / "task-1-1-1-5.md").write_text(GOOD, encoding="utf-8")
    (source / "again").mkdir()
    (source / "again" / "task-1-1-1-5.md").write_text(GOOD, encoding="utf-8")
    (source / "readme.txt").write_text("not looked at")
    report = import_paths([source], tmp_path / "out")
    assert sorted(scenario.id for _, scenario, _ in report.imported) == ["task-1-1-1-1", "task-1-1-1-5"]
    reasons = {path.relative_to(source).as_posix(): reason for path, reason in report.refused}
    assert "binary" in reasons["task-1-1-1-2.md"]
    assert "is empty" in reasons["task-1-1-1-3.md"]
    assert "cannot be read" in reasons["task-1-1-1-4.md"]
    assert "the same task" in reasons["task-1-1-1-5.md"]
    assert len(reasons) == 4


def test_paths_that_lead_nowhere_are_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        import_paths([tmp_path / "nothing"], tmp_path / "out")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match=r"no \.md file"):
        import_paths([tmp_path / "empty"], tmp_path / "out")


def test_a_folder_that_cannot_be_written_is_a_refusal(tmp_path: Path) -> None:
    task = tmp_path / "task-1-1-1-1.md"
    task.write_text(GOOD, encoding="utf-8")
    (tmp_path / "out").write_text("a file is in the way")
    report = import_paths([task], tmp_path / "out")
    assert "cannot be written" in report.refused[0][1]


def test_a_dangling_link_is_a_refusal(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "task-1-1-1-1.md").symlink_to(tmp_path / "nothing")
    report = import_paths([tmp_path / "in"], tmp_path / "out")
    assert "cannot be read" in report.refused[0][1]


def test_control_characters_are_replaced_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "task-1-1-1-1.md"
    path.write_text(GOOD.replace("说话干脆", "说话\x0b干\u2028脆"), encoding="utf-8")
    scenario = read_task(path)
    assert "说话 干 脆" in scenario.agent.role
    assert scenario.source.notes == ("2 control characters were replaced by spaces",)


def test_forcing_replaces_a_scenario_and_nothing_else(tmp_path: Path) -> None:
    task = tmp_path / "task-1-1-1-1.md"
    task.write_text(GOOD, encoding="utf-8")
    folder = tmp_path / "out" / "task-1-1-1-1"
    import_paths([task], tmp_path / "out")
    (folder / "persona-efficient.yaml").write_text("left over")
    (folder / "notes.txt").write_text("my own")
    report = import_paths([task], tmp_path / "out", force=True)
    assert report.refused == []
    assert sorted(path.name for path in folder.iterdir()) == [
        "notes.txt",
        "persona-cooperative.yaml",
        "scenario.yaml",
    ]


def test_whatever_is_the_matter_with_one_file_the_others_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "in"
    source.mkdir()
    for number in (1, 2, 3, 4):
        (source / f"task-1-1-1-{number}.md").write_text(GOOD, encoding="utf-8")
    os.mkfifo(source / "task-1-1-1-5.md")
    written = official_format.write_scenario

    def failing(scenario: Scenario, folder: Path) -> list[Path]:
        if scenario.id.endswith("2"):
            raise RecursionError("deep\n\x1b[31m")
        if scenario.id.endswith("3"):
            raise OSError(28, "No space left on device")
        return written(scenario, folder)

    monkeypatch.setattr(official_format, "write_scenario", failing)
    report = import_paths([tmp_path / "nowhere", source], tmp_path / "out")
    assert sorted(scenario.id for _, scenario, _ in report.imported) == ["task-1-1-1-1", "task-1-1-1-4"]
    reasons = {path.name: reason for path, reason in report.refused}
    assert reasons["nowhere"] == f"{tmp_path / 'nowhere'}: there is no such file or folder"
    assert "by a fault of ours: RecursionError: deep \ufffd[31m" in reasons["task-1-1-1-2.md"]
    assert "cannot be imported: No space left on device" in reasons["task-1-1-1-3.md"]
    assert "is a device or a pipe" in reasons["task-1-1-1-5.md"]


def test_characters_that_are_not_seen_are_left_out_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "task-1-1-1-1.md"
    path.write_text(GOOD.replace("说话干脆", "说\u200b话\u202e干\u202c脆"), encoding="utf-8")
    scenario = read_task(path)
    assert "说话干脆" in scenario.agent.role
    assert scenario.source.notes == ("3 characters that are not seen were left out",)
