"""Nights as a team has them: a green one, one with an agent that says nothing, one with nobody there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.models.served_process import free_port
from harness.selfcheck.reference_agents import serving
from tests.faults.command_line import start

pytestmark = [pytest.mark.live, pytest.mark.calls(places=2), pytest.mark.long]

GREETING = {"after_ms": 300, "say": {"clip": "goodbye"}}
GOOD: dict[str, Any] = {
    "greeting": GREETING,
    "turns": [{"answer_after_ms": 400, "say": {"clip": "callback"}, "expect_ms": 1000}],
    "quiet_ms": 200,
}
SILENT: dict[str, Any] = {"greeting": GREETING, "turns": [], "quiet_ms": 200}


@pytest.fixture(scope="module")
def agent() -> Iterator[str]:
    with serving("calibration") as address:
        yield address


def plan(behaviour: dict[str, Any], **more: Any) -> dict[str, Any]:
    script = {"lines": [{"say": "Could you tell me what this is about?"}], "hang_up_after_s": 0.3}
    call = {"id": "plain", "script": script, "request_data": {"behaviour": behaviour}}
    limits = {"first_speech_s": 4.0, "silence_s": 4.0, "call_s": 12.0}
    return {"name": "nightly", "defaults": {"limits": limits}, "calls": [call]} | more


def night(
    folder: Path, content: dict[str, Any], agent: str, out: str, *more: str
) -> tuple[int, dict[str, Any]]:
    path = folder / f"{out}.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    command = start(
        "run", str(path), "--agent", agent, "--out", f"runs/{out}", "--json", *more, folder=folder
    )
    code = command.ends()
    assert "Traceback" not in command.stderr
    return code, json.loads(command.stdout)


def test_without_gates_an_agent_that_never_answers_is_red(
    agent: str, joe_folder: Path, tmp_path: Path
) -> None:
    code, document = night(tmp_path, plan(GOOD), agent, "good")
    assert (code, document["verdict"]["word"]) == (0, "passed"), document["verdict"]
    code, document = night(tmp_path, plan(SILENT), agent, "silent", "--rerun-within", "60")
    assert (code, document["verdict"]["word"], document["verdict"]["rerun"]) == (1, "failed", [1, 1])
    code, document = night(tmp_path, plan(GOOD), f"http://127.0.0.1:{free_port()}", "nobody")
    assert (code, document["verdict"]["word"]) == (3, "not_placed")
    assert all(figure["value"] is None for figure in document["metrics"].values())
    command = start("history", "--json", folder=tmp_path)
    assert command.ends() == 0, command.stderr
    words = [one["word"] for one in json.loads(command.stdout)["nights"]]
    assert words == ["passed", "failed", "not_placed"]
