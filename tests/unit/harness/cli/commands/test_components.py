"""``score-asr`` and ``score-tts``: a table is never replaced by one of another kind."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from harness._files.atomic_file import write_model
from harness.analysis.components.figures import ComponentTable
from harness.cli.main import app
from harness.errors import UserError


def _refused(*words: str) -> str:
    error = CliRunner().invoke(app, words).exception
    assert isinstance(error, UserError)
    return str(error)


def test_a_folder_of_the_other_command_or_a_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lines.txt").write_text("Good morning.\n")
    Path("heard").mkdir()
    table = ComponentTable(kind="asr", folder="heard", complete=True, rows=(), differences=())
    write_model(Path("heard/summary.json"), table)
    before = Path("heard/summary.json").read_bytes()
    words = ("score-tts", "lines.txt", "--tts", "piper/joe", "--out")
    assert _refused(*words, "heard") == "--out heard: holds a table of score-asr; give another folder"
    assert _refused(*words, "lines.txt") == "--out lines.txt: is a file; give a folder"
    assert Path("heard/summary.json").read_bytes() == before
