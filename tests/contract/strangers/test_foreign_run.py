"""A run folder of a stranger, with an attack in every text that its files may hold: what we write and print
of it acts on nobody, and nothing outside the folder is read or written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from pydantic import BaseModel, ValidationError

from harness._files.json_file import parse_json
from harness.cli.screen.console import Screen
from harness.cli.screen.live_call import CallPrinter
from harness.cli.screen.scores import print_summary, print_turns
from harness.records.call import CallRecord
from harness.records.scores import CallScores, RunInfo, Summary, Transcript
from harness.reports.html import build_report
from harness.reports.junit import write_junit
from harness.reports.markdown import render_markdown
from harness.runs.reader import read_run
from tests.contract.strangers.attack import ATTACK, acts
from tests.report.make_run import write_run
from tests.report.sample_calls import interruption_call, plain_call, setup_failed_call

KEPT = {
    "call_id",
    "agent",
    "agents",
    "call_ids",
    "metric",
    "metrics",
    "started_at",
    "finished_at",
    "transport",
}
"""Texts that say which call, agent or metric is meant: another one there is another call."""
MODELS: dict[str, type[BaseModel]] = {
    "run.json": RunInfo,
    "summary.json": Summary,
    "call.json": CallRecord,
    "scores.json": CallScores,
    "transcript.json": Transcript,
}


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_run(
        tmp_path_factory.mktemp("foreign"), [plain_call(), interruption_call(), setup_failed_call()]
    )
    attacked = sum(_attack(path, MODELS[path.name]) for path in folder.rglob("*.json") if path.name in MODELS)
    assert attacked > 100, "hardly a text was replaced"
    for path in folder.rglob("timeline.jsonl"):
        events = [json.loads(line) for line in path.read_text().splitlines()]
        for event in events:
            event["data"] = {key: ATTACK if isinstance(v, str) else v for key, v in event["data"].items()}
            event["data"][ATTACK] = ATTACK
        path.write_text("".join(json.dumps(event) + "\n" for event in events))
    return folder


def _attack(path: Path, model: type[BaseModel]) -> int:
    """Replaces every text of a file that may be another one; returns how many."""
    content = json.loads(path.read_text())
    replaced = 0
    for holder, key in list(_places(content)):
        before, holder[key] = holder[key], ATTACK
        try:
            model.model_validate(parse_json(json.dumps(content)))
            replaced += 1
        except ValidationError:
            holder[key] = before
    path.write_text(json.dumps(content))
    return replaced


def _places(content: Any) -> Iterator[tuple[Any, Any]]:
    keys = list(content) if isinstance(content, dict) else range(len(content))
    for key in keys:
        if key in KEPT:
            continue
        if isinstance(content[key], str):
            yield content, key
        elif isinstance(content[key], dict | list):
            yield from _places(content[key])


def test_the_report_is_a_page_on_which_nothing_acts(foreign: Path) -> None:
    page = build_report(foreign)
    for path in page.parent.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert set(acts(text, lines=False)) <= {"U+000A", "U+0009"}, path
        assert "<script>alert(1)" not in text
        assert "begin" in text


def test_the_junit_file_is_xml(foreign: Path) -> None:
    path = write_junit(foreign)
    text = path.read_text(encoding="utf-8")
    assert set(acts(text, lines=False)) <= {"U+000A"}
    calls, gates = ElementTree.fromstring(text)
    assert (len(list(calls.iter("testcase"))), len(list(gates.iter("testcase")))) == (3, 4)


def test_the_comment_is_markdown_without_markup_of_strangers(foreign: Path) -> None:
    text = render_markdown(foreign)
    assert set(acts(text, lines=False)) <= {"U+000A"}
    outside = "".join(part for number, part in enumerate(text.split("`")) if number % 2 == 0)
    for markup in ("<script>", "@someone", "[link="):
        assert markup not in outside


def test_nothing_acts_on_the_terminal(foreign: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = read_run(foreign)
    assert run.summary is not None
    records = [call.record for call in run.calls if call.record is not None]
    assert len(records) == 3
    print_summary(Screen(), run.summary, records, Path("[/]report[red]") / "index.html")
    for call in run.calls:
        if call.scores is not None:
            print_turns(Screen(), call.scores)
        shown = CallPrinter(Screen())
        for event in call.events:
            shown.show(event)
    told = capsys.readouterr().out
    assert "[/]report[red]" in told.replace("\n", "")
    assert "[red]red[/red] [/]" in " ".join(told.split())
    assert acts(told, lines=True) == []


def test_a_run_that_names_what_lies_outside_reads_and_writes_nothing_there(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = write_run(tmp_path / "run", [plain_call(), setup_failed_call()])
    calls = folder / "calls"
    plain, failed = (calls / one().id for one in (plain_call, setup_failed_call))
    plain.rename(outside / plain.name)
    plain.symlink_to(outside / plain.name)
    secret = outside / "secret.json"
    secret.write_text((failed / "call.json").read_text())
    (failed / "call.json").unlink()
    (failed / "call.json").symlink_to(secret)
    info = json.loads((folder / "run.json").read_text())
    info["call_ids"] += ["../../outside/" + plain.name, "..", "/etc", f"{plain.name}/../{plain.name}"]
    (folder / "run.json").write_text(json.dumps(info))
    before = {path: path.stat().st_mtime_ns for path in outside.rglob("*")}
    run = read_run(folder)
    assert [call.record for call in run.calls] == [None, None]
    told = [problem.what for call in run.calls for problem in call.problems]
    assert sum("leads out of" in what for what in told) >= 3
    assert sum("is not a call id" in problem.what for problem in run.problems) == 4
    build_report(folder)
    write_junit(folder)
    assert {path: path.stat().st_mtime_ns for path in outside.rglob("*")} == before
