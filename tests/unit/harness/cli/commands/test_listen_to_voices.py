"""``outboundeval listen`` on a folder of ``score-tts``: from its clips to ``mos`` of each voice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness._files.atomic_file import write_model
from harness.analysis.components.figures import ComponentTable
from harness.analysis.components.kept import Kept
from harness.analysis.components.tts import TtsResult
from harness.cli.main import app
from harness.errors import UserError
from harness.scoring.listening.key import ListeningKey, read_key
from harness.scoring.listening.ratings.voices import with_opinions
from harness.scoring.listening.voices import table_of
from tests.unit.harness.scoring.listening.rated_runs import rated_run
from tests.unit.harness.scoring.listening.said_by_voices import MOS, folder_of_voices, say
from tests.unit.harness.scoring.listening.simulated_raters import attentive, save, saved

TEXTS = {"a": 2.5, "b": 3.0, "word": 0.8, "tale": 13.0}
"""Two of them can be rated: the others are too short and too long."""


def listen(*arguments: str | Path, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["listen", *map(str, arguments)], env={"COLUMNS": "300", "TERM": "dumb"})
    assert result.exit_code == code, result.output
    return result.stdout


def refused(*arguments: str | Path) -> str:
    error = CliRunner().invoke(app, ["listen", *map(str, arguments)]).exception
    assert isinstance(error, UserError)
    return str(error)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return folder_of_voices(tmp_path / "tts", {"piper/joe": TEXTS, "kokoro/x": TEXTS})


def exported(folder: Path, *options: str) -> ListeningKey:
    made: dict[str, Any] = json.loads(listen("export", folder, "--json", *options))
    return read_key(folder, made["sheet"])


def rated(folder: Path, key: ListeningKey, values: dict[tuple[str, str], int], *names: str) -> list[Path]:
    """Files of raters who give each clip its value, by voice and text."""

    def of(item: str) -> int:
        [place] = key.items[item].places
        return values[key.runs[place.run], place.call_id]

    return [save(folder.parent, saved(key, name, attentive(of))) for name in names]


VALUES = {("piper/joe", "a"): 5, ("piper/joe", "b"): 4, ("kokoro/x", "a"): 2, ("kokoro/x", "b"): 1}


def mos_of(table: ComponentTable) -> dict[str, tuple[float | None, int]]:
    return {row.system: (row.scores["mos"].value, row.scores["mos"].n) for row in table.rows}


def test_clips_of_voices_become_mos_in_their_table(folder: Path) -> None:
    printed = listen("export", folder, "--clips", "9")
    assert "4 clips from 2 texts, 14 items in all" in printed
    [path] = (folder / "listening").glob("key-*.json")
    key = read_key(folder, path.stem.removeprefix("key-"))
    assert key.runs == ("piper/joe", "kokoro/x")
    places = [key.items[item].places[0] for item in key.of_kind("clip")]
    assert {(key.runs[one.run], one.call_id, one.end_s) for one in places} == {
        ("piper/joe", "a", 2.5),
        ("piper/joe", "b", 3.0),
        ("kokoro/x", "a", 2.5),
        ("kokoro/x", "b", 3.0),
    }
    assert "piper" not in Path("listen.html").read_text()
    printed = listen("import", folder, *rated(folder, key, VALUES, "Anna", "Ben"))
    assert "2 of 2 raters count" in printed
    # By hand: (5 + 4) / 2 and (2 + 1) / 2, each clip by two raters.
    assert mos_of(table_of(folder)) == {"piper/joe": (4.5, 4), "kokoro/x": (1.5, 4)}
    assert table_of(folder).rows[0].scores["mos"].reason == "2 raters, 2 clips"
    assert "│ mos    │ 4.50" in printed


def test_ratings_stay_as_long_as_the_clip_that_was_rated(folder: Path) -> None:
    key = exported(folder)
    files = rated(folder, key, VALUES, "Anna", "Ben")
    listen("import", folder, *files)
    bare = table_of(folder).model_copy(
        update={
            "rows": tuple(row.model_copy(update={"scores": {"mos": MOS}}) for row in table_of(folder).rows)
        }
    )
    # Another start of score-tts makes the table anew.
    assert mos_of(with_opinions(bare, folder)) == {"piper/joe": (4.5, 4), "kokoro/x": (1.5, 4)}
    say(Kept(folder, TtsResult), folder, "kokoro/x", "a", 2.6, loudness=3)
    assert mos_of(with_opinions(bare, folder)) == {"piper/joe": (4.5, 4), "kokoro/x": (1.0, 2)}
    document = json.loads(listen("import", folder, *files, "--json"))
    assert document["problems"] == [
        "kokoro/x, a: is not there any more as it was heard; its ratings do not count"
    ]
    assert document["table"]["rows"][1]["scores"]["mos"]["value"] == 1.0


def test_two_voices_are_compared_text_by_text(folder: Path) -> None:
    key = exported(folder, "--method", "ccr")
    pairs = [key.items[item].places for item in key.of_kind("clip")]
    assert sorted({place.call_id for place in pair} == {pair[0].call_id} for pair in pairs) == [True, True]
    listen("import", folder, save(folder.parent, saved(key, "Anna", attentive(lambda item: 2))))
    assert mos_of(table_of(folder)) == {"piper/joe": (None, 0), "kokoro/x": (None, 0)}


def test_what_cannot_be_listened_to_is_refused(folder: Path, tmp_path: Path) -> None:
    rated_run(tmp_path / "run", "one")
    assert "give it alone" in refused("export", folder, tmp_path / "run")
    assert "give it alone" in refused("import", folder, tmp_path / "run", "listening-x.json")
    short = folder_of_voices(tmp_path / "short", {"piper/joe": {"word": 0.8}})
    assert "has no clip of 2 to 12 s" in refused("export", short)
    assert "two voices, and" in refused("export", short, "--method", "ccr")
    asr = folder_of_voices(tmp_path / "asr", {"whisper/base": {}})
    (asr / "results.jsonl").touch()
    write_model(asr / "summary.json", table_of(asr).model_copy(update={"kind": "asr"}))
    assert "holds a table of score-asr" in refused("export", asr)
