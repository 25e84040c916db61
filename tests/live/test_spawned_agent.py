"""Programs that are started as an agent: those that serve, die, cling, chatter, and have children."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.errors import UserError
from harness.models.served_process import free_port
from harness.plans.reach.spawn import SpawnPlan
from harness.redaction import KNOWN
from harness.runs.lock import AGENT_LOG
from harness.runs.others.spawned_agent import MAX_LOG_BYTES, spawned, takes_connections

SERVES = (
    "import http.server as h; h.HTTPServer(('127.0.0.1', {port}), h.BaseHTTPRequestHandler).serve_forever()"
)


def _program(code: str, **fields: object) -> SpawnPlan:
    command = shlex.join([sys.executable, "-c", code])
    return SpawnPlan.model_validate({"command": command, "port": free_port(), "within_s": 20.0, **fields})


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def _is_gone(pid: int) -> bool:
    deadline = time.monotonic() + 30.0
    while _runs(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not _runs(pid)


def test_it_can_be_called_inside_the_block_and_is_gone_after_it(tmp_path: Path) -> None:
    plan = _program(SERVES)
    with spawned(plan, tmp_path):
        assert takes_connections(plan.port)
    assert not takes_connections(plan.port)


def test_no_program_starts_nothing(tmp_path: Path) -> None:
    with spawned(None, tmp_path) as agent:
        assert agent is None
    assert list(tmp_path.iterdir()) == []


def test_its_children_end_with_it_even_those_that_do_not_listen(tmp_path: Path) -> None:
    child = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    code = (
        f"import subprocess, sys, time; p = subprocess.Popen([sys.executable, '-c', {child!r}]); "
        "time.sleep(0.3); print('child', p.pid, flush=True); time.sleep(60)"
    )
    with spawned(_program(code, ready="child"), tmp_path):
        pid = int((tmp_path / AGENT_LOG).read_text().split()[1])
        assert _runs(pid)
    assert _is_gone(pid)


def test_one_that_ends_at_once_says_how_and_its_last_words(tmp_path: Path) -> None:
    KNOWN.learn("sk-canary-spawned-1234")
    code = "import sys; print('key sk-canary-spawned-1234 is not valid'); sys.exit(3)"
    with (
        pytest.raises(UserError, match=r"ended at once: exit code 3; .*\nkey \*\*\* is not valid") as found,
        spawned(_program(code), tmp_path),
    ):
        pass
    KNOWN.forget()
    assert found.value.exit_code == 3
    assert "canary" not in (tmp_path / AGENT_LOG).read_text()


def test_one_that_is_never_ready_says_what_was_waited_for(tmp_path: Path) -> None:
    # A shell says it at once, however busy the machine is.
    loading = shlex.join(["sh", "-c", "echo loading; exec sleep 60"])
    plan = SpawnPlan(command=loading, port=free_port(), within_s=1.0)
    with (
        pytest.raises(UserError, match=rf"had not served port {plan.port}; .*\nloading"),
        spawned(plan, tmp_path),
    ):
        pass


def test_a_port_of_somebody_else_is_not_called(tmp_path: Path) -> None:
    theirs = _program(SERVES)
    with (
        spawned(theirs, tmp_path / "theirs"),
        pytest.raises(UserError, match=f"port {theirs.port} is taken already"),
        spawned(_program(SERVES, port=theirs.port), tmp_path / "ours"),
    ):
        pass


def test_what_there_is_not_cannot_be_started(tmp_path: Path) -> None:
    with (
        pytest.raises(UserError, match="no-such-bot cannot be started: No such file"),
        spawned(SpawnPlan(command="no-such-bot", port=free_port()), tmp_path),
    ):
        pass


def test_one_that_dies_in_the_middle_is_known_to_have(tmp_path: Path) -> None:
    dies = tmp_path / "dies"
    code = (
        "import os, time; print('ready', flush=True)\n"
        f"while not os.path.exists({str(dies)!r}): time.sleep(0.02)\n"
        "os.abort()"
    )
    with spawned(_program(code, ready="ready"), tmp_path / "run") as agent:
        assert agent is not None
        dies.touch()
        deadline = time.monotonic() + 30.0
        while not agent.ended and time.monotonic() < deadline:
            time.sleep(0.05)
        assert agent.ended.startswith("killed by signal 6; the last that it said:\nready")


def test_one_that_chatters_is_neither_stalled_nor_kept_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.runs.others.spawned_agent.MAX_LOG_BYTES", 10_000)
    code = "import time; [print('x' * 99) for _ in range(5000)]; print('done', flush=True); time.sleep(60)"
    with spawned(_program(code, ready="done"), tmp_path):
        assert (tmp_path / AGENT_LOG).stat().st_size == 10_000
    assert MAX_LOG_BYTES > 10_000


@pytest.mark.long
@pytest.mark.live
def test_a_command_starts_it_calls_it_and_ends_it(tmp_path: Path) -> None:
    """From the shell, on an agent that answers; afterwards nobody serves the port."""
    port = free_port()
    command = f"{sys.executable} -m fixtures.agents.calibration --port {{port}}"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "harness.cli", "run", str(_one_line(tmp_path)), "--no-score"),
            *("--spawn", command, "--spawn-port", str(port), "--out", str(tmp_path / "run"), "--json"),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["calls"] == {"one": "completed"}
    assert not takes_connections(port)


def _one_line(folder: Path) -> Path:
    path = folder / "plan.yaml"
    path.write_text("calls:\n- id: one\n  script:\n    lines:\n    - say: Hello, who is this?\n")
    return path
