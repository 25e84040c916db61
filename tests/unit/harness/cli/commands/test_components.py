"""``score-asr`` and ``score-tts``: a table is never replaced by one of another kind."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from harness._files.atomic_file import write_model
from harness.analysis.components.figures import ComponentTable
from harness.cli.commands.components import score
from harness.cli.main import app
from harness.errors import UserError
from harness.scoring.listening.ratings.voices import LEFT_OUT
from harness.scoring.listening.voices import table_of
from tests.unit.harness.analysis.components.one_level import nobody_listens, opened


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


def test_what_was_said_is_in_a_table_though_ratings_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(score, "open_voice", opened)
    monkeypatch.setattr(score, "Instruments", nobody_listens)
    Path("lines.txt").write_text("Good morning.\n")
    Path("said/listening").mkdir(parents=True)
    Path("said/listening/result-0123456789abcdef.json").write_text("{}")
    result = CliRunner().invoke(app, ["score-tts", "lines.txt", "--tts", "level/x", "--out", "said"])
    assert result.exit_code == 0, result.output
    table = table_of(Path("said"))
    assert [(row.system, row.items, row.failed) for row in table.rows] == [("level/x", 1, 0)]
    [note] = [one for one in table.notes if one.startswith(LEFT_OUT)]
    assert "result-0123456789abcdef.json: cannot be read: sheet: Field required" in note
    assert LEFT_OUT in " ".join(result.stdout.split())
