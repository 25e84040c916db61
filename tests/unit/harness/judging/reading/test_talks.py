"""Dialogues as they were said, out of files, folders and runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.errors import UserError
from harness.judging.reading.talks import read_talks


def test_files_and_folders_of_any_form_are_read_without_a_subject(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Agent: Hello.\nCaller: Hi.\n")
    (tmp_path / "b.json").write_text(
        json.dumps(
            [{"role": "assistant", "content": "喂，您好。"}, {"role": "user", "content": "你好，哪位？"}]
        )
    )
    (tmp_path / "c.jsonl").write_text(
        json.dumps(
            {"id": "one", "scenario": "cs-bank-complaint/hesitant", "turns": ["Agent: A", "Caller: B"]}
        )
        + "\n"
        + json.dumps({"turns": ["Agent: A", "Caller: C"]})
    )
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    talks = read_talks([tmp_path])
    assert [(talk.id, talk.language, talk.about) for talk in talks] == [
        ("a", "en", ""),
        ("b", "zh", ""),
        ("one", "en", "cs-bank-complaint/hesitant"),
        ("c-2", "en", ""),
    ]
    assert talks[0].lines() == "Agent: Hello.\nPerson: Hi."


def test_names_are_made_unique_and_silent_callers_left_out(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "call.txt").write_text(f"Agent: Hello {folder}.\nCaller: Hi.\n")
    (tmp_path / "y" / "silent.txt").write_text("Agent: Hello?\nAgent: Anybody?\n")
    assert [talk.id for talk in read_talks([tmp_path / "x", tmp_path / "y"])] == ["call", "call#2"]


@pytest.mark.parametrize(
    ("content", "told"),
    [("", "is empty"), ("Agent: Hello?\n", "holds no dialogue in which"), ("what is this", "begins neither")],
)
def test_what_cannot_be_read_is_told_with_its_place(tmp_path: Path, content: str, told: str) -> None:
    file = tmp_path / "call.txt"
    file.write_text(content)
    with pytest.raises(UserError, match=told) as refused:
        read_talks([file])
    assert str(file) in str(refused.value)


def test_missing_and_empty_places_are_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        read_talks([tmp_path / "nowhere"])
    with pytest.raises(UserError, match="holds no transcripts"):
        read_talks([tmp_path])
