"""Installed from the wheel beside PyPI's ``fixtures``, and used in a folder that has every name of ours.

There is a ``metrics.py``, a ``harness/`` and a ``fixtures/`` where the user stands. The user's own process
imports those, and ``outboundeval``; calls are placed, scored and reported all the same, which takes all of
our workers (the ears, the understanding, the voice) and our agent.
"""

from __future__ import annotations

import json
import os
import subprocess
import sysconfig
import time
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness.models.served_process import free_port
from harness.records.call import CallStatus
from tests.wheel import build_wheel, pip

pytestmark = [pytest.mark.live, pytest.mark.calls(places=4), pytest.mark.long]
"""That the wheel holds what it should is told by ``tests/unit/test_wheel.py`` every time."""

ENTRY = "cs-bank-complaint/efficient"
NAMES = ("agents", "fixtures", "harness", "metrics", "spoken_language", "voice_sim")
BEHAVIOUR = {
    "greeting": {"after_ms": 200, "say": {"clip": "greeting"}},
    "turns": [{"answer_after_ms": 600, "say": {"clip": "answer_short"}}],
    "quiet_ms": 400,
    "hang_up_after_turn": 0,
}
PROGRAM = """
import json, sys
import fixtures, harness, metrics
import outboundeval

agent, whose = sys.argv[1], {fixtures.WHOSE, harness.WHOSE, metrics.WHOSE}
ran = outboundeval.run("plan.yaml", agent=agent, out="run")
scored = outboundeval.score("run")
reported = outboundeval.report("run")
run = outboundeval.load_run("run")
told = {"whose": sorted(whose), "ran": ran, "scored": scored, "reported": reported}
print(json.dumps({**told, "said": list(run.turns["said"]), "lengths": list(run.calls["duration_s"])}))
"""
PLAN = {
    "name": "short",
    "defaults": {"voice": {"engine": "piper", "name": "joe"}, "limits": {"call_s": 30}},
    "calls": [{"id": "one", "script": {"lines": [{"say": "Hello. Where is my money?"}]}}],
}


@dataclass(frozen=True, kw_only=True)
class Installed:
    """Our wheel in a venv of its own, and a folder of somebody else."""

    programs: Path
    folder: Path

    def run(self, program: str, *arguments: str, cwd: Path | None = None, fails: bool = False) -> str:
        """What it says; ``fails``: it may, with exit code 1."""
        done = subprocess.run(
            [str(self.programs / program), *arguments],
            cwd=cwd or self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        assert done.returncode in ((0, 1) if fails else (0,)), done.stdout + done.stderr
        return done.stdout

    @property
    def environment(self) -> dict[str, str]:
        """Ours, without anything that leads to the repository."""
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return {**kept, "PATH": f"{self.programs}{os.pathsep}{kept.get('PATH', '')}"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    root = tmp_path_factory.mktemp("installed")
    venv.create(root / "venv", with_pip=False)
    programs = root / "venv" / "bin"
    pip("--python", str(programs / "python"), "install", "--no-deps", str(build_wheel(root)), "fixtures")
    # What we depend on is where it was: a folder named in a .pth file, whose own .pth files (that of our
    # editable installation) are not read.
    [packages] = (root / "venv").glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    folder = root / "theirs"
    folder.mkdir()
    for name in NAMES:
        if name in ("harness", "fixtures"):
            (folder / name).mkdir()
        path = folder / name / "__init__.py" if (folder / name).is_dir() else folder / f"{name}.py"
        path.write_text("WHOSE = 'somebody else'\n")
    (folder / "plan.yaml").write_text(json.dumps(PLAN))
    (folder / "program.py").write_text(PROGRAM)
    (folder / "behaviour.yaml").write_text(json.dumps(BEHAVIOUR))
    return Installed(programs=programs, folder=folder)


@pytest.fixture(scope="module")
def agent(installed: Installed) -> Iterator[str]:
    """The calibration agent of the wheel, started as a user would."""
    port = free_port()
    process = subprocess.Popen(
        [
            str(installed.programs / "outboundeval"),
            *("agents", "serve", "calibration", "--port", str(port), "--behaviour", "behaviour.yaml"),
        ],
        cwd=installed.folder,
        env=installed.environment,
        stdin=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address, process)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=30)


def test_the_library_fixtures_is_the_one_of_pypi(installed: Installed, tmp_path: Path) -> None:
    code = "import fixtures, harness; print(fixtures.Fixture.__module__, harness.__file__)"
    told = installed.run("python", "-c", code, cwd=tmp_path).split()
    assert told[0] == "fixtures.fixture"
    assert Path(told[1]).is_relative_to(installed.programs.parent)


def test_a_scenario_is_called(
    installed: Installed, agent: str, whisper_folder: Path, joe_folder: Path
) -> None:
    told = installed.run(
        "outboundeval",
        *("call", "--agent", agent, "--scenario", ENTRY, "--voice", "piper/joe", "--out", "call", "--json"),
        fails=True,
    )
    folder = installed.folder / "call" / "calls" / ENTRY.replace("/", ".")
    status, voided = _how_it_ended(folder)
    assert status is CallStatus.AGENT_HANGUP
    latency = json.loads(told)["metrics"]["response_latency_ms"]["value"]
    assert (latency is None) == voided
    assert (installed.folder / "call" / "report" / "index.html").is_file()
    sources = {json.loads(line)["source"] for line in (folder / "timeline.jsonl").read_text().splitlines()}
    assert {"vad", "asr", "policy"} <= sources, "a worker did nothing"


def test_a_program_of_somebody_else_runs_scores_and_reports(
    installed: Installed, agent: str, whisper_folder: Path, joe_folder: Path
) -> None:
    told: dict[str, Any] = json.loads(installed.run("python", "program.py", agent))
    assert told["whose"] == ["somebody else"]
    assert len(told["lengths"]) == 1
    assert told["lengths"][0] > 1
    status, voided = _how_it_ended(installed.folder / "run" / "calls" / "one")
    assert status in (CallStatus.COMPLETED, CallStatus.AGENT_HANGUP)
    latency = told["ran"]["metrics"]["response_latency_ms"]["value"]
    assert (latency is None) == voided
    assert told["scored"]["metrics"]["response_latency_ms"]["value"] == latency
    assert voided or told["said"] == ["Hello. Where is my money?"]
    assert (installed.folder / told["reported"]["report"]).is_file()


SAMPLE = """
import pytest

@pytest.mark.voice_call(voice="piper/joe")
@pytest.mark.parametrize("wanted_ms", [5000, 1])
def test_it_answers_fast(voice_agent, wanted_ms):
    call = voice_agent.call(say="Hello. Where is my money?")
    assert call.status in ("completed", "agent_hangup")
    assert call.latency.p95 < wanted_ms
"""


def test_a_project_tests_its_agent_with_pytest(
    installed: Installed, whisper_folder: Path, joe_folder: Path, tmp_path: Path
) -> None:
    """Two workers of pytest-xdist, each with an agent of its own; one asks for what no agent does."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "test_agent.py").write_text(SAMPLE)
    (project / "behaviour.yaml").write_text(json.dumps(BEHAVIOUR))
    serve = "outboundeval agents serve calibration --port {port} --behaviour behaviour.yaml"
    (project / "pytest.ini").write_text(f"[pytest]\nvoice_agent_spawn = {serve}\n")
    told = installed.run("python", "-m", "pytest", "-n", "2", "-rA", cwd=project, fails=True)
    assert "1 failed, 1 passed" in told, told
    assert "PASSED test_agent.py::test_it_answers_fast[5000]" in told
    [failed] = (project / "voice-calls").glob("*-1")
    assert f"{failed.name}/call-1/report/index.html" in told
    for folder in (project / "voice-calls").iterdir():
        assert (folder / "call-1" / "agent.log").is_file()
        assert (folder / "call-1" / "report" / "index.html").is_file()


def _how_it_ended(folder: Path) -> tuple[CallStatus, bool]:
    """How a call ended, and whether a busy machine voided its figures."""
    record = json.loads((folder / "call.json").read_text())
    voided = record["voided"]
    return CallStatus(voided or record["status"]), voided is not None


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert process.poll() is None, f"the agent ended at once ({process.returncode})"
        try:
            if httpx.get(f"{address}/status", timeout=2).status_code == 200:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.2)
    raise AssertionError(f"{address} was not ready after 60 s")
