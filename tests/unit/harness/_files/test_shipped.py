"""What ships beside the code is found: here, installed, and beside somebody else's ``fixtures``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness._files.shipped import agent_command, shipped_folder
from harness.errors import UserError


def test_in_the_repository_it_is_the_folder_fixtures() -> None:
    assert shipped_folder("scenarios") == Path(__file__).parents[4] / "fixtures" / "scenarios"


def test_installed_it_is_ours_and_not_the_library_fixtures(tmp_path: Path) -> None:
    (tmp_path / "fixtures" / "agents").mkdir(parents=True)
    (tmp_path / "outboundeval_fixtures" / "agents").mkdir(parents=True)
    assert shipped_folder("agents", beside=tmp_path) == tmp_path / "outboundeval_fixtures" / "agents"


def test_an_installation_without_its_data_says_so(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"outboundeval_fixtures.*is not there; install it once more"):
        shipped_folder("scenarios", beside=tmp_path)


def test_an_agent_starts_where_every_name_of_ours_is_taken(tmp_path: Path) -> None:
    for name in ("fixtures", "agents", "harness", "metrics", "calibration", "behaviour"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the module of somebody else')\n")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = agent_command("calibration", "--help")
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert "--behaviour" in done.stdout


def test_an_unknown_agent_is_told_with_the_known_ones() -> None:
    done = subprocess.run(agent_command("nobody"), capture_output=True, text=True, timeout=240)
    assert done.returncode == 1
    assert done.stderr.strip() == (
        "no agent named 'nobody'; known: calibration, livekit_agent, livekit_stand_in, llama_server, "
        "pipecat_agent, telephone_gateway"
    )


def test_an_agent_runs_by_the_interpreter_that_runs_us() -> None:
    assert agent_command("calibration")[:2] == [sys.executable, "-P"]
