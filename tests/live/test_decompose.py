"""``scenarios decompose`` against a scripted server: stages on disk, the flow to review, a failing server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli.main import app
from tests.llm_server import Answer, say, serving_llm
from tests.unit.metrics.dialogue.test_decomposition import ORDER, TEXT, criteria, structure

pytestmark = pytest.mark.live


def test_stages_and_flow_are_kept(tmp_path: Path) -> None:
    source, out = tmp_path / "flow.txt", tmp_path / "out"
    source.write_text(TEXT, encoding="utf-8")
    script: list[Any] = [structure(), criteria(), ORDER]
    with serving_llm(*(say(json.dumps(answer)) for answer in script)) as server:
        arguments = ["scenarios", "decompose", str(source), "--model", server.url, "--out", str(out)]
        told = CliRunner().invoke(app, [*arguments, "--price", "1,2"])
        assert told.exit_code == 0, told.output
        assert "7 of 7 parts of the text are covered (100 %), 0 repairs" in told.output
        # The answers were kept: nothing is asked again.
        again = CliRunner().invoke(app, [*arguments, "--json"])
        assert json.loads(again.stdout)["coverage"]["share"] == 1.0
        assert len(server.requests) == 3
    assert sorted(path.name for path in out.iterdir()) == [
        "0-task-flow.txt",
        "1-structure.json",
        "2-criteria.json",
        "3-prerequisites.json",
        "4-flow.check.json",
        "4-flow.json",
        "flow.yaml",
    ]


def test_a_server_that_fails_is_said_without_a_traceback(tmp_path: Path) -> None:
    source = tmp_path / "flow.txt"
    source.write_text(TEXT, encoding="utf-8")
    with serving_llm(Answer(status=401)) as server:
        arguments = [
            "scenarios",
            "decompose",
            str(source),
            "--model",
            server.url,
            "--out",
            str(tmp_path / "o"),
        ]
        told = CliRunner().invoke(app, arguments)
    assert told.exit_code == 1
    assert "1-structure: no answer" in told.output
    assert "Traceback" not in told.output
