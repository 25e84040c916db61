"""The page with what an agent tells: drawn where it tells something, and its words stay text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness.reports.html import build_report
from harness.reports.run import run_page
from tests.report.make_run import write_run
from tests.report.sample_calls import plain_call

HOSTILE = "the agent told no time of a voice (what is '</svg><script>alert(1)</script>'?)"


def _run(folder: Path, *, tells: bool) -> Path:
    run = write_run(folder / "run", [plain_call()])
    path = next(run.glob("calls/*/scores.json"))
    scores = json.loads(path.read_text())
    full: dict[str, Any] = {
        "index": 0,
        "start_s": 5.0,
        "end_s": 6.0,
        "measured_ms": 1000.0,
        "not_told_ms": 1000.0,
    }
    if tells:
        full |= {"model_ms": 300.0, "not_told_ms": 700.0, "basis": "rtvi", "why_not": {"voice": HOSTILE}}
    lie = {
        "index": 1,
        "start_s": 9,
        "end_s": 9.5,
        "measured_ms": 500,
        "basis": "rtvi",
        "contradiction": "<b>no",
    }
    scores["told"] = [full, lie] if tells else [full]
    path.write_text(json.dumps(scores))
    # So that the figures are computed again from the calls.
    (run / "summary.json").unlink()
    return run


def test_what_is_told_is_on_the_page_and_is_text(tmp_path: Path) -> None:
    run = _run(tmp_path, tells=True)
    view = run_page(run, drawn=False)
    assert view.told is not None
    assert [one.name for one in view.told.figures if one.value is not None] == [
        "told_model_ms",
        "not_told_ms",
    ]
    page = build_report(run).read_text()
    assert page.count("Where the time went") == 2
    assert 'class="part-model"' in page
    assert 'data-told="told_model_ms"' in page
    assert "model 300\u202fms · not told 700\u202fms" in page
    assert "<script>alert(1)" not in page
    assert "<b>no" not in page
    assert "1 whose claims contradict what was measured: not split" in page


def test_an_agent_that_tells_nothing_has_no_such_part_of_the_page(tmp_path: Path) -> None:
    run = _run(tmp_path, tells=False)
    assert run_page(run, drawn=False).told is None
    page = build_report(run).read_text()
    assert "Where the time went" not in page
    assert "the agent tells nothing of where its time went" in page
