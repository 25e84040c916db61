"""The real command line in a process of its own: started, watched, interrupted."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.faults.placing import WELL_BEHAVED

LIMITS: dict[str, float] = {"connect_s": 10.0, "first_speech_s": 2.5, "silence_s": 2.5, "call_s": 20.0}
"""Handshakes, and whole calls, take their time on a busy machine."""
IMPATIENT = LIMITS | {"connect_s": 1.5}
"""Where no handshake will ever come to its end."""
ENDS_S = 240.0
"""No command of these tests takes longer, on a machine however busy."""


@dataclass(frozen=True, kw_only=True)
class Command:
    """``outboundeval`` at work; its output goes to two files."""

    process: subprocess.Popen[bytes]
    stdout_file: Path
    stderr_file: Path

    @property
    def stdout(self) -> str:
        return self.stdout_file.read_text(encoding="utf-8")

    @property
    def stderr(self) -> str:
        return self.stderr_file.read_text(encoding="utf-8")

    def ends(self) -> int:
        """Waits for its end; the exit code."""
        try:
            return self.process.wait(ENDS_S)
        finally:
            self.process.kill()

    def wait_for(self, condition: Callable[[], bool], what: str) -> None:
        """Waits for something that it is to do while it runs."""
        deadline = time.monotonic() + ENDS_S
        while not condition():
            assert self.process.poll() is None, f"it ended before {what}:\n{self.stdout}\n{self.stderr}"
            assert time.monotonic() < deadline, f"waited in vain for {what}:\n{self.stdout}\n{self.stderr}"
            time.sleep(0.02)

    def children(self, module: str) -> list[int]:
        """Process ids of its child processes that run a module."""
        pid = self.process.pid
        try:
            listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        except OSError:
            return []
        return [int(child) for child in listed if module in command_of(int(child))]


def command_of(pid: int) -> str:
    """Command line of a process; empty where there is none."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace").replace("\0", " ")
    return ""


def start(*arguments: str, folder: Path) -> Command:
    """Starts ``outboundeval`` with these arguments."""
    folder.mkdir(parents=True, exist_ok=True)
    stdout_file, stderr_file = folder / "stdout", folder / "stderr"
    # What a test added to the path stays on it.
    paths = [str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
    with stdout_file.open("wb") as stdout, stderr_file.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "harness.cli.main", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "COLUMNS": "300"},
        )
    return Command(process=process, stdout_file=stdout_file, stderr_file=stderr_file)


def call(call_id: str, agent: str, **fields: Any) -> dict[str, Any]:
    """A call of a plan that says one line."""
    lines = [{"say": "Hello there.", "pause_s": 0.2}]
    return {
        "id": call_id,
        "agent": agent,
        "script": {"lines": lines, "hang_up_after_s": 0.2},
        "limits": LIMITS,
    } | fields


def good_call(call_id: str, calibration: str) -> dict[str, Any]:
    """A call to the calibration agent, which answers as it should."""
    request_data = {"session": f"{call_id}-{time.monotonic_ns()}", "behaviour": WELL_BEHAVED}
    return call(call_id, calibration, request_data=request_data)


def write_plan(path: Path, calls: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    # What calls share would become an alias, which no plan may have.
    written = json.loads(json.dumps({"name": path.stem, "calls": calls}))
    path.write_text(yaml.safe_dump(written), encoding="utf-8")
    return path
