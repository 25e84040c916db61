"""Realism by people, from the command line: blind out, every answer held to the sheet, the tables back."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness._files.json_file import read_model
from harness.cli import main as cli
from harness.judging.people.realism.sheet import RealismKey, make_sheet
from spoken_language.dialogue import DialogueTurn
from voice_sim.realism.pairing import pairs_of
from voice_sim.realism.verdicts import Verdicts
from voice_sim.talk import Talk

Main = Callable[..., tuple[int, str, str]]
SIZE = 6


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Main:
    """``outboundeval persona realism`` in a folder with dialogues: (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    for source in ("real", "made"):
        Path(source).mkdir()
        for n in range(SIZE):
            said = f"Er, well {n} <script>alert({n})</script>" if source == "real" else f"=SUM({n}) delighted"
            Path(source, f"{source}-{n}.txt").write_text(f"Agent: Hello {n}.\nCaller: {said}\nAgent: Bye.\n")

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["outboundeval", "persona", "realism", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        told = capsys.readouterr()
        return int(ended.value.code or 0), told.out, told.err

    return run


def export(main: Main, *more: str) -> RealismKey:
    code, _, err = main("export", "--human", "real", "--simulated", "made", "--out", "sheet.html", *more)
    assert code == 0, err
    return read_model(Path("sheet-key/sheet.json"), RealismKey)


def answered(key: RealismKey, rater: str, reply: Callable[[str, tuple[str, ...]], str]) -> dict[str, Any]:
    """What the page saves: ``reply`` gets the question and where the shown dialogues come from."""
    answers = {
        item.id: {
            question.id: {"value": reply(question.id, tuple(one.source for one in key.items[item.id]))}
            for question in item.questions
        }
        for item in key.sheet.items
    }
    return {
        "format": "outboundeval-ratings",
        "version": 1,
        "sheet": key.sheet.id,
        "rater": rater,
        "answers": answers,
    }


def knowing(question: str, sources: tuple[str, ...]) -> str:
    if question == "score":
        return "9" if sources == ("human",) else "1"
    return sources[0] if question == "detect" else "AB"[sources.index("human")]


def save(name: str, content: dict[str, Any]) -> str:
    Path(name).write_text(json.dumps(content))
    return name


def test_what_raters_get_is_blind(main: Main) -> None:
    key = export(main)
    for file in ("sheet.html", "sheet.csv"):
        text = Path(file).read_text()
        assert "real-" not in text
        assert "made-" not in text
        assert not re.search(r'"source"|human_first|"seed"', text)
    # In the sheet's own order both kinds are mixed, and numbers follow the order alone.
    sources = [shown[0].source for shown in key.items.values() if len(shown) == 1]
    assert sources.count("human") == sources.count("simulated") == SIZE
    assert sources not in (["human"] * SIZE + ["simulated"] * SIZE, ["simulated"] * SIZE + ["human"] * SIZE)
    assert [item.id for item in key.sheet.items] == sorted(item.id for item in key.sheet.items)
    assert list(key.sheet.texts) == sorted(key.sheet.texts)


def test_pairs_are_balanced_and_each_dialogue_is_in_one(main: Main) -> None:
    key = export(main)
    pairs = [shown for shown in key.items.values() if len(shown) == 2]
    assert sum(shown[0].source == "human" for shown in pairs) == SIZE // 2
    assert len({one.talk for shown in pairs for one in shown}) == 2 * SIZE


def test_nothing_said_in_a_call_runs_in_the_page_or_the_table(main: Main) -> None:
    export(main)
    page = Path("sheet.html").read_text()
    assert "alert(0)" in page, "the words themselves are there"
    assert "<script>alert" not in page
    rows = list(csv.DictReader(io.StringIO(Path("sheet.csv").read_text(encoding="utf-8-sig"))))
    assert len(rows) == 2 * 2 * SIZE + SIZE
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row.values())


def test_seed_decides_the_order() -> None:
    def talk(name: str) -> Talk:
        return Talk(id=name, language="en", turns=(DialogueTurn(speaker="caller", text=name),))

    human, made = [talk(f"h{n}") for n in range(9)], [talk(f"s{n}") for n in range(9)]

    def key(seed: int) -> RealismKey:
        return make_sheet(human, made, pairs_of(human, made, seed=seed), seed=seed)

    assert key(1) == key(1)
    assert key(1).items != key(2).items


def test_answers_come_back_as_the_tables(main: Main) -> None:
    key = export(main)
    one = save("ann.json", answered(key, "Ann", knowing))
    two = save("bob.json", answered(key, "Bob", knowing))
    code, out, err = main(
        "import", one, two, "--key", "sheet-key/sheet.json", "--out", "people.json", "--json"
    )
    assert code == 0, err
    (table,) = json.loads(out)["realism"]
    assert table["raters"] == 2
    assert table["scores"]["means"]["human"]["value"] == 9
    assert table["scores"]["means"]["simulated"]["value"] == 1
    assert table["detection"]["counts"]["human_taken_for_human"] == SIZE
    assert table["detection"]["counts"]["simulated_taken_for_simulated"] == SIZE
    assert (table["comparison"]["human_wins"], table["comparison"]["simulated_wins"]) == (SIZE, 0)
    assert table["comparison"]["p"] == pytest.approx(2 / 2**SIZE)
    verdicts = read_model(Path("people.json"), Verdicts)
    assert {one.talk for one in verdicts.scored if one.source == "human"} == {
        f"real-{n}" for n in range(SIZE)
    }


def test_the_table_filled_in_is_read_like_the_page(main: Main) -> None:
    key = export(main, "--ask", "detect")
    rows = list(csv.reader(io.StringIO(Path("sheet.csv").read_text(encoding="utf-8-sig"))))
    place = rows[0].index("answer")
    for row in rows[1:]:
        row[place] = key.items[row[1]][0].source
    with Path("cleo.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    code, _, err = main("import", "cleo.csv", "--key", "sheet-key/sheet.json", "--out", "people.json")
    assert code == 0, err
    verdicts = read_model(Path("people.json"), Verdicts)
    assert all(one.verdict == one.source for one in verdicts.detected)
    assert (len(verdicts.detected), verdicts.scored, verdicts.compared) == (2 * SIZE, (), ())


def first_answer(content: dict[str, Any], question: str, value: object) -> None:
    item = next(item for item, answers in content["answers"].items() if question in answers)
    content["answers"][item][question] = {"value": value}


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda content: first_answer(content, "score", "10"), "'10' is no answer"),
        (lambda content: first_answer(content, "score", "7.5"), "'7.5' is no answer"),
        (lambda content: first_answer(content, "detect", "robot"), "'robot' is no answer"),
        (lambda content: first_answer(content, "compare", "C"), "'C' is no answer"),
        (lambda content: content["answers"].update({"q9999": {"score": {"value": "1"}}}), "no such item"),
        (lambda content: content["answers"].pop("q0003"), "'Ann' left out 1: q0003"),
        (lambda content: content.update(sheet="0" * 16), "belongs to another sheet"),
        (lambda content: content.update(rater=""), "rater"),
        (lambda content: content.update(answers=[]), "answers"),
    ],
)
def test_what_a_sheet_does_not_allow_is_told(
    main: Main, spoil: Callable[[dict[str, Any]], object], told: str
) -> None:
    content = answered(export(main), "Ann", knowing)
    spoil(content)
    file = save("ann.json", content)
    code, _, err = main("import", file, "--key", "sheet-key/sheet.json", "--out", "people.json")
    assert code == 2
    assert told in " ".join(err.split())
    assert not Path("people.json").exists()


def test_partial_sheets_count_what_is_missing(main: Main) -> None:
    content = answered(export(main), "Ann", knowing)
    del content["answers"]["q0001"]
    file = save("ann.json", content)
    arguments = (
        "import",
        file,
        "--key",
        "sheet-key/sheet.json",
        "--out",
        "people.json",
        "--partial",
        "--json",
    )
    code, out, _ = main(*arguments)
    (table,) = json.loads(out)["realism"]
    assert code == 0
    assert (table["scores"]["failed"], table["detection"]["failed"]) == (1, 1)


def test_report_prints_every_judge_and_writes_both_forms(main: Main) -> None:
    file = save("ann.json", answered(export(main), "Ann", knowing))
    main("import", file, "--key", "sheet-key/sheet.json", "--out", "people.json")
    Path("model.json").write_text(Verdicts(by="some-model").model_dump_json())
    code, out, _ = main("report", "people.json", "model.json", "--out", "tables.md")
    assert code == 0
    assert "some-model" in out
    assert "| Count | 6 | 6 | 0 | 0 |" in Path("tables.md").read_text()
    assert [one["by"] for one in json.loads(Path("tables.json").read_text())["realism"]] == [
        "people",
        "some-model",
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("export", "--human", "real", "--simulated", "nowhere", "--out", "s.html"), "nowhere"),
        (("export", "--human", "real", "--simulated", "made", "--out", "s.txt"), ".html"),
        (("export", "--human", "real", "--simulated", "made", "--out", "s.html", "--ask", "taste"), "taste"),
        (("import", "a.json", "--key", "nokey.json", "--out", "p.json"), "nokey.json"),
        (("report", "nothing.json"), "nothing.json"),
    ],
)
def test_mistakes_are_told_without_a_traceback(main: Main, arguments: tuple[str, ...], told: str) -> None:
    code, _, err = main(*arguments)
    assert (code, told in err, "Traceback" in err) == (2, True, False)
