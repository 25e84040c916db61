"""Ratings of voices: which of them count, and what becomes of ``mos`` when none does any more."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from harness._files.atomic_file import write_model
from harness.analysis.components.figures import ComponentTable
from harness.analysis.components.kept import Kept
from harness.analysis.components.tts import TtsResult
from harness.errors import UserError
from harness.scoring.listening.key import ListeningKey, write_key
from harness.scoring.listening.making import make_page
from harness.scoring.listening.ratings.answers import read_files
from harness.scoring.listening.ratings.importing import prepared, result_path, written_of_voices
from harness.scoring.listening.ratings.result import read_results
from harness.scoring.listening.ratings.voices import LEFT_OUT, with_opinions, with_readable_opinions
from harness.scoring.listening.voices import table_of
from metrics.score import Score
from tests.unit.harness.scoring.listening.said_by_voices import MOS, folder_of_voices, say
from tests.unit.harness.scoring.listening.simulated_raters import attentive, save, saved

VOICES = ("piper/joe", "kokoro/x")
TEXTS = {"a": 2.5, "b": 3.0}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return folder_of_voices(tmp_path / "tts", dict.fromkeys(VOICES, TEXTS))


def page_of(folder: Path, *, seed: int = 1) -> ListeningKey:
    [key] = make_page([folder], method="acr", clips=4, seed=seed).keys
    write_key(folder, key)
    return key


def give(folder: Path, key: ListeningKey, value: int) -> ComponentTable:
    """Anna gives every clip of a page the same value."""
    return take_in(folder, saved(key, "Anna", attentive(lambda item: value)))


def take_in(folder: Path, content: dict[str, Any]) -> ComponentTable:
    paths = [save(folder.parent, content)]
    return written_of_voices(prepared(folder, read_files(paths), paths))


def values_of(table: ComponentTable) -> list[float | None]:
    return [score.value for score in mos_of(table)]


def mos_of(table: ComponentTable) -> list[Score]:
    return [row.scores["mos"] for row in table.rows]


def bare(table: ComponentTable) -> ComponentTable:
    """As another start of ``score-tts`` makes it."""
    rows = tuple(row.model_copy(update={"scores": {"mos": MOS}}) for row in table.rows)
    return table.model_copy(update={"rows": rows})


def test_mos_goes_with_the_rater_who_made_it(folder: Path) -> None:
    key = page_of(folder)
    assert values_of(give(folder, key, 4)) == [4.0, 4.0]
    # In her place comes one who is set aside.
    table = take_in(folder, saved(key, "Ben", lambda item, is_: 3))
    assert mos_of(table) == [MOS, MOS]
    assert table_of(folder) == table


def test_mos_goes_with_the_clips_that_were_rated(folder: Path) -> None:
    table = give(folder, page_of(folder), 4)
    for name in VOICES:
        for item, seconds in TEXTS.items():
            say(Kept(folder, TtsResult), folder, name, item, seconds, loudness=5)
    assert mos_of(with_opinions(table, folder)) == [MOS, MOS]


def test_mos_goes_with_the_last_result(folder: Path) -> None:
    key = page_of(folder)
    table = give(folder, key, 4)
    result_path(folder, key.sheet.id).unlink()
    assert mos_of(with_opinions(table, folder)) == [MOS, MOS]


def test_ratings_are_for_the_voices_of_the_table_at_hand(folder: Path) -> None:
    table = bare(give(folder, page_of(folder), 4))
    # The table of an earlier start, with one voice less, lies in the folder while the new one is made.
    write_model(folder / "summary.json", table.model_copy(update={"rows": table.rows[:1]}))
    assert values_of(with_opinions(table, folder)) == [4.0, 4.0]


def test_ratings_that_cannot_be_read_cost_a_note_and_not_the_table(folder: Path) -> None:
    key = page_of(folder)
    table = bare(give(folder, key, 4))
    (folder / "listening" / f"key-{key.sheet.id}.json").unlink()
    found = with_readable_opinions(table, folder)
    assert found.rows == table.rows
    [note] = found.notes
    assert note.startswith(f"{LEFT_OUT}: ")
    assert f"key-{key.sheet.id}.json: is not there" in note
    # Once they can be read again the note goes.
    write_key(folder, key)
    again = with_readable_opinions(found, folder)
    assert (values_of(again), again.notes) == ([4.0, 4.0], ())


def test_the_import_that_came_last_counts_whatever_the_times_of_the_files(folder: Path) -> None:
    first, second = page_of(folder), page_of(folder, seed=2)
    assert first.sheet.id != second.sheet.id
    give(folder, first, 2)
    table = give(folder, second, 5)
    path = result_path(folder, first.sheet.id)
    in_2100 = 4_102_444_800
    os.utime(path, (in_2100, in_2100))
    assert values_of(with_opinions(table, folder)) == [5.0, 5.0]
    assert values_of(give(folder, first, 2)) == [2.0, 2.0]
    # Of before the times were kept: earlier than any that has one.
    content = json.loads(path.read_text())
    del content["imported_at"]
    path.write_text(json.dumps(content))
    assert values_of(with_opinions(table, folder)) == [5.0, 5.0]


def test_a_result_that_was_changed_is_refused_by_file_and_field(folder: Path) -> None:
    key = page_of(folder)
    table = bare(give(folder, key, 4))
    path, item = result_path(folder, key.sheet.id), key.of_kind("clip")[0]
    good = json.loads(path.read_text())
    [rater] = good["raters"]
    changes: tuple[tuple[dict[str, Any], str], ...] = (
        ({"raters": [rater | {"values": {item: 9}}]}, f"raters.0.values.{item}: 9 is not on the scale of 1"),
        ({"raters": [rater | {"values": {item: 0}}]}, f"raters.0.values.{item}: 0 is not on the scale of 1"),
        ({"raters": [rater | {"values": {item: "5"}}]}, f"raters.0.values.{item}: Input should be a valid"),
        ({"raters": [rater | {"code": "a" * 13}]}, "raters.0.code: String should match"),
        ({"imported_at": "yesterday"}, "imported_at: String should match"),
        # On the scale of either method.
        ({"method": "ccr", "raters": [rater | {"values": {item: 1}}]}, "method: ccr, and its page is acr"),
    )
    for change, told in changes:
        path.write_text(json.dumps(good | change))
        with pytest.raises(UserError, match=re.escape(told)) as refused:
            read_results(folder)
        assert str(refused.value).startswith(f"{path}: ")
        assert mos_of(with_readable_opinions(table, folder)) == [MOS, MOS]
    path.write_text(json.dumps(good))
    assert values_of(with_readable_opinions(table, folder)) == [4.0, 4.0]
