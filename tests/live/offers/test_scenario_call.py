"""A whole call about a scenario in OpenAI's dialect: speech-to-speech's own server between our caller and an
agent that hears by a detector and Whisper, follows its card by rules, and speaks by Piper. Its words are its
own events."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.plans.plan import expand_plan
from tests.faults.command_line import start
from tests.peers.serving import SPEECH_TO_SPEECH, serving_judge
from tests.serving import serving

pytestmark = [pytest.mark.live, pytest.mark.alone, pytest.mark.long]

SCENARIO = "cs-bank-complaint/cooperative"
SPEAKS_FIRST = '{"type": "response.create"}'


def test_a_scenario_is_called_and_scored(whisper_folder: Path, joe_folder: Path, tmp_path: Path) -> None:
    plan: dict[str, Any] = {
        "seed": 1,
        "scenarios": [SCENARIO],
        "defaults": {"reach": {"offer": {"messages": [SPEAKS_FIRST]}}},
    }
    (call,) = expand_plan(plan | {"agent": "http://127.0.0.1:1"}).calls
    task = tmp_path / "task.json"
    task.write_text(json.dumps(call.request_data))
    folders = ["--whisper", str(whisper_folder), "--piper", str(joe_folder), "--task", str(task)]
    with (
        serving([sys.executable, "-P", "-m", "tests.peers.brains", *folders]) as (brains, _),
        serving_judge(SPEECH_TO_SPEECH, "--brains", brains) as server,
    ):
        path = tmp_path / "plan.json"
        path.write_text(json.dumps(plan | {"agent": f"openai+{server}/v1?model=any"}))
        out = tmp_path / "run"
        command = start("run", str(path), "--out", str(out), folder=tmp_path / "output")
        assert command.process.wait(900) in (0, 1), command.stderr
    (record,) = [json.loads(one.read_text()) for one in out.glob("calls/*/call.json")]
    assert record["status"] in ("completed", "agent_hangup", "caller_hangup"), record["status_detail"]
    (transcript,) = [json.loads(one.read_text()) for one in out.glob("calls/*/transcript.json")]
    sources = {(line["side"], line["source"]) for line in transcript["lines"]}
    # Its own account of both sides stands beside what we said and heard.
    assert {("agent", "agent_text"), ("caller", "agent_asr"), ("caller", "said")} <= sources
    metrics = json.loads((out / "summary.json").read_text())["metrics"]
    for name in ("tfc", "gic", "final", "response_latency_ms", "wer"):
        assert metrics[name]["status"] == "measured", (name, metrics[name])
    assert metrics["coverage"]["value"] > 0.5
