"""What a script meets: SIGTERM, a second run in the same folder, a disk that fills, a call cut off before it
is dialled. The real command line, and a real agent."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.records.call import CallStatus
from harness.runs.lock import LOCK_FILE
from harness.runs.store import RunStore
from tests.faults.command_line import Command, command_of, good_call, start, write_plan
from tests.small_disk import small_disk

pytestmark = [
    pytest.mark.live,
    pytest.mark.calls(places=4),
    pytest.mark.long,
    pytest.mark.usefixtures("joe_folder"),
]


@pytest.fixture
def command(tmp_path: Path) -> Iterator[list[Command]]:
    """Commands that a test starts; those that it leaves running are ended."""
    started: list[Command] = []
    yield started
    for one in started:
        one.process.kill()
        one.process.wait()


def _plan(folder: Path, calibration: str, *ids: str) -> Path:
    return write_plan(folder / "plan.yaml", [good_call(call_id, calibration) for call_id in ids])


def _error(command: Command) -> dict[str, Any]:
    error = json.loads(command.stdout)["error"]
    assert isinstance(error, dict)
    return error


def test_sigterm_hangs_up_keeps_and_ends_the_workers(
    calibration: str, tmp_path: Path, command: list[Command]
) -> None:
    plan = _plan(tmp_path, calibration, "first", "second")
    running = start("run", str(plan), "--out", "run", "--no-score", "--live", "--json", folder=tmp_path)
    command.append(running)
    running.wait_for(lambda: "connected" in running.stderr, "the first call")
    workers = running.children("harness.calls.voice")
    assert workers
    # As a service manager does: to all that belongs to it, at once.
    for worker in workers:
        os.kill(worker, signal.SIGTERM)
    running.process.send_signal(signal.SIGTERM)
    assert running.ends() == 143
    assert _error(running)["kind"] == "interrupted"
    assert _error(running)["message"] == "interrupted by SIGTERM"
    assert "--out run" in _error(running)["hint"]
    assert "Traceback" not in running.stderr
    record = RunStore(tmp_path / "run").read_record("first")
    assert record is not None
    assert record.status is CallStatus.INTERRUPTED
    assert not any("harness.calls.voice" in command_of(worker) for worker in workers)
    assert not (tmp_path / "run" / LOCK_FILE).exists()


@pytest.mark.parametrize(
    "words", [("run", "plan.yaml"), ("call", "--say", "Nobody has said this line before.")]
)
def test_a_call_cut_off_before_it_is_dialled_says_how_to_go_on(
    words: tuple[str, ...], calibration: str, tmp_path: Path, command: list[Command]
) -> None:
    _plan(tmp_path, calibration, "first", "second")
    where = ["--agent", calibration, "--out", "run"]
    running = start(*words, *where, folder=tmp_path)
    command.append(running)
    running.wait_for(lambda: "call 1/" in running.stdout, "its preparation")
    running.process.send_signal(signal.SIGINT)
    assert running.ends() == 130
    assert "connected" not in running.stdout
    assert "Interrupted. Go on with: " in running.stdout
    assert "--out run" in running.stdout
    assert "Traceback" not in running.stdout + running.stderr
    assert not list((tmp_path / "run").rglob("call.json"))


def test_the_folder_of_a_run_that_is_alive_is_refused_and_that_of_a_killed_one_is_gone_on_with(
    calibration: str, tmp_path: Path, command: list[Command]
) -> None:
    ids = [f"call-{number}" for number in range(60)]
    plan = _plan(tmp_path, calibration, *ids)
    again = ["run", str(plan), "--out", str(tmp_path / "run"), "--no-score", "--live"]
    first = start(*again, folder=tmp_path)
    command.append(first)
    first.wait_for(lambda: first.stdout.count("connected") == 2, "the second call")
    others = (again, ["score", str(tmp_path / "run")])
    seconds = [start(*words, "--json", folder=tmp_path / words[0]) for words in others]
    command.extend(seconds)
    for second in seconds:
        assert second.ends() == 2
        assert _error(second)["kind"] == "busy"
        assert f"process {first.process.pid} on " in _error(second)["message"]
    assert first.process.poll() is None, "nothing of it has troubled the first"
    looking = start("report", str(tmp_path / "run"), folder=tmp_path / "report")
    command.append(looking)
    assert looking.ends() == 0, "a run may be looked at while it goes on"
    first.process.kill()
    first.process.wait()
    assert (tmp_path / "run" / LOCK_FILE).is_file()
    kept = [one for one in ids if RunStore(tmp_path / "run").read_record(one) is not None]
    assert kept
    on = start(*again, folder=tmp_path / "again")
    command.append(on)
    on.wait_for(lambda: "connected" in on.stdout, "its first call")
    assert f"call {len(kept) + 1}/60 call-{len(kept)}" in on.stdout.partition("connected")[0]
    on.process.send_signal(signal.SIGTERM)
    assert on.ends() == 143


def test_a_disk_that_fills_costs_one_call_and_one_line(
    calibration: str, tmp_path: Path, command: list[Command]
) -> None:
    plan = _plan(tmp_path, calibration, "first", "second", "third", "fourth", "fifth")
    try:
        with small_disk(tmp_path / "disk", bytes_=150_000) as disk:
            running = start("run", str(plan), "--out", str(disk / "run"), "--json", folder=tmp_path)
            command.append(running)
            assert running.ends() == 2
            error = _error(running)
            assert error["kind"] == "not_written"
            store = RunStore(disk / "run")
            kept = [record.plan.call_id for record in store.records()]
            assert kept
            lost = ("first", "second", "third", "fourth", "fifth")[len(kept)]
            assert f"No space left on device; call '{lost}' is lost" in error["message"]
            assert f"{len(kept)} of 5 are finished and kept" in error["message"]
            assert f"--out {disk / 'run'}" in error["hint"]
            assert not store.call_folder(lost).exists()
            assert "Traceback" not in running.stderr
            assert running.stderr.count("error: ") == 1
    except PermissionError as error:
        pytest.skip(f"nothing may be mounted here: {error}")
