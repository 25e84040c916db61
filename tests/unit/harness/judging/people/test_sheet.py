"""The sheet that people rate on: what it holds, its table, and what comes back from raters."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from harness.errors import NotWritten, UserError
from harness.judging.people.answers import read_ratings
from harness.judging.people.sheet import (
    MAX_CELL_CHARS,
    Sheet,
    SheetText,
    SheetTurn,
    sheet_csv,
    sheet_page,
    write_sheet,
)
from tests.unit.harness.judging.people.sheets import ATTACK, small_sheet, write_ratings

GOOD: dict[str, Any] = {
    "r1": {"score": {"value": "2", "why": "short"}},
    "d1": {"greets": {"value": "achieved", "turn": 0}, "names_sum": {"value": "not_achieved"}},
}


def test_the_page_is_one_file_and_strangers_text_stays_text() -> None:
    page = sheet_page(small_sheet())
    assert "onerror" in page
    assert "<img src=x" not in page
    assert "</script><img" not in page
    assert "http://" not in page
    assert "https://" not in page


def test_another_sheet_has_another_id() -> None:
    sheet = small_sheet()
    assert sheet.id == small_sheet().id
    assert sheet.id != sheet.model_copy(update={"title": "Others"}).id


def test_a_sheet_refers_to_what_it_has() -> None:
    content = small_sheet().model_dump()
    with pytest.raises(ValidationError, match="no text 't1'"):
        Sheet.model_validate(content | {"texts": {}})
    with pytest.raises(ValidationError, match="same id"):
        Sheet.model_validate(content | {"items": [content["items"][0]] * 2})


def rows(sheet: Sheet) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(sheet_csv(sheet).removeprefix("\ufeff"))))


def test_the_table_has_a_row_for_each_question_and_no_formula() -> None:
    found = rows(small_sheet())
    assert [(row["item"], row["question"]) for row in found] == [
        ("r1", "score"),
        ("d1", "greets"),
        ("d1", "names_sum"),
        ("p1", "person"),
    ]
    assert f"[1] caller: {ATTACK}" in found[0]["shown"]
    assert found[0]["shown"].endswith(">> [2] agent: 一共八十八元。")
    assert "Bye." in found[1]["shown"]
    sheet = small_sheet()
    formula = sheet.model_copy(
        update={"items": (sheet.items[0].model_copy(update={"title": "=HYPERLINK(1)"}),)}
    )
    assert rows(formula)[0]["title"] == "'=HYPERLINK(1)"
    long = sheet.model_copy(
        update={"texts": {"t1": SheetText(turns=(SheetTurn(speaker="agent", text="x" * 90_000),))}}
    )
    assert len(rows(long)[0]["shown"]) <= MAX_CELL_CHARS


def test_a_table_that_cannot_be_written_is_told_as_such(tmp_path: Path) -> None:
    (tmp_path / "sheet.csv").mkdir()
    with pytest.raises(NotWritten, match=r"sheet\.csv: cannot be written"):
        write_sheet(small_sheet(), tmp_path / "sheet.html")


def test_answers_come_back_from_the_page_and_from_the_table(tmp_path: Path) -> None:
    sheet = small_sheet()
    page, table = write_sheet(sheet, tmp_path / "sheet.html")
    assert page.read_text(encoding="utf-8") == sheet_page(sheet)
    filled = rows(sheet)
    filled[0] |= {"answer": "2", "why": "short"}
    filled[1] |= {"answer": " achieved ", "turn": "0"}
    filled[2] |= {"answer": "not_achieved"}
    for separator in ",;":
        with table.open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.DictWriter(file, filled[0].keys(), delimiter=separator)
            writer.writeheader()
            writer.writerows(filled)
        file_of_page = write_ratings(tmp_path / "anna.json", sheet, "Anna", GOOD)
        one, other = read_ratings([file_of_page, table], sheet)
        assert (one.rater, other.rater) == ("Anna", "sheet")
        assert one.answers == other.answers
        given = other.answer("d1", "greets")
        assert given is not None
        assert given.turn == 0
        assert other.answer("p1", "person") is None


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"r9": {"score": {"value": "2"}}}, "rater 'Anna', item r9: the sheet has no such item"),
        ({"r1": {"marks": {"value": "2"}}}, "item r1: it has no question 'marks'"),
        ({"r1": {"score": {"value": "3"}}}, "item r1: '3' is no answer; there are: 0, 1, 2"),
        ({"d1": {"greets": {"value": "achieved"}}}, "item d1, greets: 'achieved' needs the turn"),
        (
            {"d1": {"greets": {"value": "achieved", "turn": 1}}},
            "item d1, greets: turn 1 is none of 0, 2",
        ),
        ({"r1": {"score": {"value": "2", "turn": 2}}}, "item r1: '2' names turn 2, but goes without one"),
        ({"r1": {"score": {"value": "2", "note": ""}}}, "answers.r1.score.note: Extra inputs"),
        ({"r1": {"score": {"value": "2", "why": "x" * 1001}}}, "answers.r1.score.why: String should have"),
        ({"../r1": {"score": {"value": "2"}}}, "String should match"),
        ({}, "nothing has been answered"),
    ],
)
def test_what_the_sheet_does_not_allow_is_said_with_rater_and_item(
    tmp_path: Path, answers: dict[str, Any], said: str
) -> None:
    path = write_ratings(tmp_path / "anna.json", small_sheet(), "Anna", answers)
    with pytest.raises(UserError, match=re.escape(said)) as error:
        read_ratings([path], small_sheet())
    assert "anna.json" in str(error.value)


def test_files_that_are_something_else(tmp_path: Path) -> None:
    sheet = small_sheet()
    anna = write_ratings(tmp_path / "anna.json", sheet, "Anna", GOOD)
    again = write_ratings(tmp_path / "again.json", sheet, "anna", GOOD)
    other = write_ratings(tmp_path / "other.json", sheet, "Bo", GOOD, of="0123")
    broken = tmp_path / "broken.json"
    broken.write_bytes(b'{"answers": ')
    latin = tmp_path / "latin.csv"
    latin.write_bytes("é".encode("latin-1"))
    table = tmp_path / "table.csv"
    table.write_text("a,b\n1,2\n")
    for files, said in (
        ([anna, again], "another file by the rater 'Anna'"),
        ([other], "belongs to another sheet"),
        ([broken], "is it a file that the sheet's page saved?"),
        ([tmp_path / "gone.json"], "cannot be read"),
        ([latin], "is not UTF-8"),
        ([table], "lacks the columns answer"),
    ):
        with pytest.raises(UserError, match=said):
            read_ratings(files, sheet)


def test_many_problems_are_not_a_flood(tmp_path: Path) -> None:
    answers = {f"x{number}": {"score": {"value": "2"}} for number in range(500)}
    path = write_ratings(tmp_path / "anna.json", small_sheet(), "Anna", answers)
    with pytest.raises(UserError, match="and 480 more") as error:
        read_ratings([path], small_sheet())
    assert len(str(error.value).split("\n")) == 21
