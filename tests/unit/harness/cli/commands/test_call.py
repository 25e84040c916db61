"""``call --plan``: what of the plan holds for its one call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli.commands import call as command
from harness.cli.main import app
from harness.models.served_process import free_port
from harness.records.witness import read_witnessed
from tests.unit.harness.runs.others.test_witness import tell

PLAN = """
agent: http://127.0.0.1:9
witness: {{port: {port}}}
calls:
  - {{id: refund, script: {{lines: [{{say: "Forty euros, please."}}]}}}}
"""


class _Stop(Exception):
    """Enough is known."""


def test_the_plan_s_witness_listens_while_the_call_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    plan = tmp_path / "plan.yaml"
    plan.write_text(PLAN.format(port=port))
    statuses = []

    def place(*_: Any, **__: Any) -> Any:
        statuses.append(tell(port, "/calls/refund", {"tool_call": "refund"})[0])
        raise _Stop

    monkeypatch.setattr(command, "place", place)
    result = CliRunner().invoke(app, ["call", "--plan", str(plan), "--out", str(tmp_path / "run")])
    assert isinstance(result.exception, _Stop), result.output
    assert statuses == [204]
    [told] = read_witnessed(tmp_path / "run")
    assert (told.call, told.tool_call) == ("refund", "refund")
