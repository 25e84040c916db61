"""What a plan asks for that cannot be had is said before anything is started for it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from harness.cli import main as cli

SCRIPT = {"lines": [{"say": "hello there"}]}


def _refused(words: Sequence[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> str:
    monkeypatch.setattr(sys, "argv", ["outboundeval", *words, "--json"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    return str(json.loads(capfd.readouterr().out)["error"]["message"])


@pytest.mark.parametrize("command", [["run"], ["answer", "--from-anywhere"]], ids=lambda one: one[0])
@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"gates": ["response_latensy_ms.p90 <= 1500"]}, "response_latensy_ms"),
        ({"notify": {"url": "{env:NO_SUCH_WEBHOOK}"}}, "NO_SUCH_WEBHOOK"),
    ],
    ids=["a figure that nobody has", "a webhook in a variable that is not set"],
)
def test_no_agent_is_started_for_a_plan_that_is_refused(
    asked: dict[str, object],
    told: str,
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = {"calls": [{"id": "one", "script": SCRIPT}], **asked}
    Path("plan.yaml").write_text(json.dumps(plan))
    started = [sys.executable, "-c", f"open('{tmp_path}/started', 'w')"]
    message = _refused(
        [*command, "plan.yaml", "--spawn", " ".join(started), "--out", "out"], monkeypatch, capfd
    )
    assert told in message
    assert not Path("started").exists()
    assert not Path("out").exists()


def test_a_dry_run_refuses_what_a_run_would_refuse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = {"agent": "http://x", "calls": [{"id": "one", "script": SCRIPT}]}
    Path("plan.yaml").write_text(json.dumps(plan | {"notify": {"url": "{env:NO_SUCH_WEBHOOK}"}}))
    assert "NO_SUCH_WEBHOOK" in _refused(["run", "plan.yaml", "--dry-run"], monkeypatch, capfd)
