"""Runs that are killed: what was planted is found, in a command that keeps or breaks its word as told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bench import _killed_run
from bench._killed_run import CALLS, KilledRun
from bench.kills import faults, table

COMMAND = """
import json, pathlib, sys, time
import yaml
fault, log, arguments = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
folder = pathlib.Path("run")
if arguments[0] == "score":
    time.sleep(0.3)
    for call in (folder / "calls").iterdir():
        (call / "scores.json").write_text("{}")
    sys.exit(0)
folder.mkdir(exist_ok=True)
begun = (folder / "begun").exists()
(folder / "begun").touch()
if fault == "traceback" and begun:
    raise ValueError("planted")
if fault == "busy" and begun:
    sys.exit(2)
for number, call in enumerate(yaml.safe_load(open("plan.yaml"))["calls"]):
    own = folder / "calls" / call["id"]
    if (own / "call.json").exists():
        if fault == "lost" and number == 0:
            (own / "call.json").unlink()
        elif fault == "changed" and number == 0:
            (own / "call.json").write_text(json.dumps({"status": "completed", "at": time.time()}))
            continue
        elif fault != "again":
            continue
    own.mkdir(parents=True, exist_ok=True)
    for what in ("placed", "over"):
        with log.open("a") as file:
            file.write(json.dumps({"name": call["request_data"]["name"], "what": what}) + "\\n")
        time.sleep(0.1)
    if not (own / "call.json").exists():
        (own / "audio.flac").write_bytes(b"sound")
        part = own / ".part"
        part.write_text(json.dumps({"status": "completed"}))
        part.replace(own / "call.json")
"""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in begins, calls and writes sooner than the real one."""
    for name, seconds in {"BEGINS_S": 0.3, "CALL_S": 0.3, "WRITES_S": 0.1, "SCORES_S": 0.3}.items():
        monkeypatch.setattr(_killed_run, name, seconds)


def _lived(tmp_path: Path, fault: str, kinds: list[str], seed: int = 3) -> KilledRun:
    (tmp_path / "command.py").write_text(COMMAND, encoding="utf-8")
    log = tmp_path / "agent.jsonl"
    log.touch()
    run = KilledRun(
        folder=tmp_path / "run-0",
        agent="http://127.0.0.1:1",
        log=log,
        kinds=kinds,
        seed=seed,
        command=(sys.executable, str(tmp_path / "command.py"), fault, str(log)),
    )
    run.live()
    return run


def test_a_command_that_keeps_its_word_has_no_fault(tmp_path: Path) -> None:
    run = _lived(tmp_path, "none", ["run"] * 4 + ["score"])
    assert run.faults == []
    assert run.killed["run"] >= 2
    assert run.counts["complete"] == run.counts["calls"] == CALLS
    told = table([run])
    assert "finished calls lost: 0" in told
    assert "calls placed twice: 0" in told


@pytest.mark.parametrize(
    ("planted", "kind"),
    [
        ("changed", "lost"),
        ("again", "placed twice"),
        pytest.param("lost", "placed twice", marks=pytest.mark.long),
        pytest.param("traceback", "traceback", marks=pytest.mark.long),
        pytest.param("busy", "exit code", marks=pytest.mark.long),
    ],
)
def test_what_was_planted_is_found(tmp_path: Path, planted: str, kind: str) -> None:
    run = _lived(tmp_path, planted, ["run", "run", "score"])
    assert kind in run.fault_kinds
    assert any(fault.startswith(f"run-0: {kind}") for fault in faults([run]))
    assert f"  run-0: {kind}" in table([run])
