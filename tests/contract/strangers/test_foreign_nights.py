"""Verdicts, comparisons and histories of strangers' runs: what we write and print of them acts on nobody."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from harness.cli.screen.console import Screen
from harness.cli.screen.nightly.comparison import print_comparison
from harness.cli.screen.nightly.history import print_history
from harness.cli.screen.nightly.verdict import print_verdict
from harness.records.verdict import CheckResult, Verdict
from harness.reports.history import history_page
from harness.reports.html import build_report
from harness.reports.junit import write_junit
from harness.reports.markdown import render_markdown
from harness.reports.openmetrics import openmetrics
from harness.reports.run import run_page
from harness.reports.ten_lines import ten_lines
from harness.runs.database.index import put_run
from harness.runs.database.nights import nights
from harness.scoring.comparison.runs import compare_runs
from harness.scoring.gates.decide import read_verdict
from harness.scoring.history import history, listen_to
from tests.contract.strangers.attack import ATTACK, acts
from tests.report.make_run import write_run
from tests.report.sample_calls import plain_call, setup_failed_call


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_run(tmp_path_factory.mktemp("foreign") / "run", [plain_call(), setup_failed_call()])
    call = plain_call().id
    checks = [
        CheckResult(name=ATTACK, of="gate", ours=True, result="failed", told=ATTACK, calls=(call, ATTACK)),
        CheckResult(name=ATTACK, of="expect", call_id=ATTACK, line=2, result="inconclusive", told=ATTACK),
        CheckResult(name=ATTACK, of="gate", result="passed", told=ATTACK, first_attempts=ATTACK),
    ]
    verdict = Verdict(
        word="failed", checks=tuple(checks), baseline=ATTACK, makes_baseline=ATTACK, notes=(ATTACK,)
    )
    (folder / "verdict.json").write_text(json.dumps(verdict.model_dump()))
    info = json.loads((folder / "run.json").read_text())
    info["versions"] |= {"whisper": ATTACK}
    info |= {"agents": [ATTACK], "name": ATTACK, "started_at": "[red]" + ATTACK[:35]}
    (folder / "run.json").write_text(json.dumps(info))
    assert read_verdict(folder) is not None
    return folder


def test_files_are_what_they_are(foreign: Path) -> None:
    junit = write_junit(foreign).read_text(encoding="utf-8")
    assert set(acts(junit, lines=False)) <= {"U+000A"}
    ElementTree.fromstring(junit)
    page = build_report(foreign).read_text(encoding="utf-8")
    assert "<script>alert" not in page
    markdown = render_markdown(foreign)
    outside = "".join(part for number, part in enumerate(markdown.split("`")) if number % 2 == 0)
    assert not any(markup in outside for markup in ("<script>", "@someone", "[link="))
    assert all(acts(line, lines=True) == [] for line in openmetrics(foreign).split("\n"))
    assert all(acts(line, lines=True) == [] for line in ten_lines(run_page(foreign, drawn=False), link="x"))


def test_nothing_acts_on_the_terminal(
    foreign: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "nights.sqlite")
    put_run(store, foreign)
    known = nights(store)
    series = history(known)
    verdict = read_verdict(foreign)
    assert verdict is not None
    print_verdict(Screen(), verdict)
    print_comparison(Screen(), compare_runs(foreign, foreign))
    print_history(Screen(), known[0].name, known, series, listen_to(store, known, series))
    assert acts(capsys.readouterr().out, lines=True) == []
    page = history_page(
        known[0].name, known, series, link=lambda night: "#", listen=listen_to(store, known, series)
    )
    assert "<script>alert" not in page
