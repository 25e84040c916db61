"""``answer``: what of a plan of ``run`` holds where the agent calls, and what is told not to."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli.commands import answer as command
from harness.cli.main import app
from harness.models.served_process import free_port
from harness.records.scores import Summary
from harness.records.verdict import Verdict
from harness.records.witness import read_witnessed
from harness.runs.batch import Outcome
from tests.unit.harness.runs.others.test_witness import tell

PLAN = """
agent: sip:127.0.0.1
otel: true
rerun_within_s: 600
witness: {{port: {port}}}
calls:
  - {{id: refund, script: {{lines: [{{say: "Forty euros, please."}}]}}}}
"""


def test_the_witness_listens_and_the_collector_is_told_as_in_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    plan, run = tmp_path / "plan.yaml", tmp_path / "run"
    plan.write_text(PLAN.format(port=port))
    statuses, others = [], []

    def place(*_: Any, **__: Any) -> Outcome:
        statuses.append(tell(port, "/", {"event": "refund-paid"})[0])
        return Outcome()

    verdict = Verdict(word="passed", checks=())
    scored = SimpleNamespace(summary=Summary(run="run"), records=[], report=run, verdict=verdict)
    monkeypatch.setattr(command, "check_plan", lambda *_, **__: None)
    monkeypatch.setattr(command, "place", place)
    monkeypatch.setattr(command, "score_and_report", lambda *_, **__: scored)
    monkeypatch.setattr(command, "print_summary", lambda *_: None)
    monkeypatch.setattr(command, "index_run", lambda *_: None)
    monkeypatch.setattr(command, "tell_others", lambda *_, **told: others.append(told["otel"]))
    result = CliRunner().invoke(app, ["answer", str(plan), "--out", str(run)])
    assert statuses == [204], result.output
    assert [told.event for told in read_witnessed(run)] == ["refund-paid"]
    assert others == [True]
    assert "rerun_within_s: it is the agent who calls" in result.output
