"""The examples of ``docs/library.md`` are run: what stands behind ``#`` on a line must be what comes out."""

from __future__ import annotations

import ast
import io
import re
import shutil
import tokenize
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from fixtures import SPEECH_FOLDER
from tests.old_runs.copies import KEPT

PAGE = Path(__file__).parents[2] / "docs" / "library.md"
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECTIONS = {
    title: blocks
    for title, _, text in (part.partition("\n") for part in PAGE.read_text(encoding="utf-8").split("\n## "))
    if (blocks := _BLOCK.findall(text))
}
RATE = 22_050


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the page stands: runs, speech, a recording in stereo, a transcript."""
    shutil.copytree(KEPT / "calls", tmp_path / "runs" / "nightly")
    shutil.copytree(KEPT / "chat", tmp_path / "runs" / "benchmark")
    shutil.copytree(SPEECH_FOLDER, tmp_path / "speech")
    (tmp_path / "call.txt").write_text("agent: Hello, this is Anna.\ncaller: What is it?\nagent: Goodbye.\n")
    said, _ = soundfile.read(SPEECH_FOLDER / "question.flac", dtype="float32")
    answer, _ = soundfile.read(SPEECH_FOLDER / "answer_long.flac", dtype="float32")
    both = np.zeros((round(10.5 * RATE), 2), np.float32)
    both[RATE : RATE + len(said), 0] = said
    onset = RATE + len(said) + round(0.7 * RATE)
    both[onset : onset + len(answer), 1] = answer
    soundfile.write(tmp_path / "call.wav", both, RATE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("section", SECTIONS)
def test_the_examples_come_out_as_they_say(
    section: str, folder: Path, request: pytest.FixtureRequest
) -> None:
    blocks = SECTIONS[section]
    for name, fixture in (("whisper-base", "whisper_folder"), ("nisqa", "nisqa_folder")):
        if any(f"models/{name}" in block for block in blocks):
            (folder / "models").mkdir(exist_ok=True)
            (folder / "models" / name).symlink_to(request.getfixturevalue(fixture))
    names: dict[str, Any] = {}
    wrong = [found for block in blocks for found in run_block(block, names)]
    assert wrong == []


def test_most_of_what_is_shown_is_checked() -> None:
    """A comment that is no longer read as a result would leave examples unchecked."""
    assert sum(len(_results(block)) for blocks in SECTIONS.values() for block in blocks) >= 35


def test_a_wrong_result_is_found() -> None:
    assert run_block("1 + 1  # 3\nx = 2  # a remark\nx  # 2\n", {}) == ["1 + 1: 2 instead of 3"]


def run_block(block: str, names: dict[str, Any]) -> list[str]:
    """Runs a block, and says which of its results are others than it says."""
    results = _results(block)
    wrong = []
    for statement in ast.parse(block).body:
        code = ast.unparse(statement)
        told = results.get(statement.end_lineno or 0)
        if isinstance(statement, ast.Expr) and told is not None:
            found = repr(_plain(eval(compile(code, PAGE.name, "eval"), names)))
            if found != told:
                wrong.append(f"{code}: {found} instead of {told}")
        else:
            exec(compile(code, PAGE.name, "exec"), names)
    return wrong


def _results(block: str) -> dict[int, str]:
    """Line -> the comment behind an expression on it."""
    ends = {node.end_lineno for node in ast.parse(block).body if isinstance(node, ast.Expr)}
    tokens = tokenize.generate_tokens(io.StringIO(block).readline)
    return {
        token.start[0]: token.string.removeprefix("#").strip()
        for token in tokens
        if token.type == tokenize.COMMENT and token.start[0] in ends
    }


def _plain(value: Any) -> Any:
    """A number of numpy as a person would write it."""
    return value.item() if isinstance(value, np.generic) else value
