"""Several calls at once: a process that places them is killed, the run is broken off, the run is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.records.call import CallRecord, CallStatus
from harness.records.placed.placings import read_placings
from harness.runs.store import RunStore
from tests.faults.command_line import Command, command_of, good_call, start, write_plan

pytestmark = [pytest.mark.live, pytest.mark.calls(places=4), pytest.mark.long]

PROCESS = "harness.runs.workers.unit_process"
IDS = [f"call-{number:02}" for number in range(12)]


@pytest.fixture
def command(tmp_path: Path) -> Iterator[list[Command]]:
    """Commands that a test starts; those that it leaves running are ended."""
    started: list[Command] = []
    yield started
    for one in started:
        one.process.kill()
        one.process.wait()


@pytest.fixture
def plan(calibration: str, joe_folder: Path, tmp_path: Path) -> list[str]:
    """Arguments of a run of twelve calls, four at once."""
    written = write_plan(tmp_path / "twelve.yaml", [good_call(call_id, calibration) for call_id in IDS])
    return ["run", str(written), "--out", "run", "--no-score", "--parallel", "4", "--processes", "2"]


def _placings(folder: Path, what: str) -> list[str]:
    return [placing.call for placing in read_placings(folder) if placing.what == what]


def _records(store: RunStore) -> dict[str, CallRecord]:
    return {call_id: record for call_id in IDS if (record := store.read_record(call_id)) is not None}


def test_a_process_that_is_killed_loses_only_its_calls_under_way_and_they_are_told(
    plan: list[str], tmp_path: Path, command: list[Command]
) -> None:
    command.append(start(*plan, folder=tmp_path))
    running, folder = command[0], tmp_path / "run"
    running.wait_for(lambda: len(_placings(folder, "dialled")) >= 4, "four calls")
    hosts = {placing.call: placing.host for placing in read_placings(folder) if placing.what == "dialled"}
    ended = set(_placings(folder, "ended"))
    victim = next(host for call, host in hosts.items() if call not in ended)
    os.kill(int(victim.partition("/")[2]), signal.SIGKILL)
    assert running.ends() in (0, 1), running.stderr

    records = _records(RunStore(folder))
    assert sorted(records) == IDS
    lost = _placings(folder, "lost")
    assert lost
    for call_id, record in records.items():
        assert record.status is not CallStatus.INTERRUPTED
        assert len(record.earlier_attempts) == (call_id in lost)
        assert _placings(folder, "dialled").count(call_id) == 1 + (call_id in lost)
    told = records[lost[0]].earlier_attempts[0]
    assert told.status is CallStatus.HARNESS_FAULT
    assert "cut off while it stood" in told.status_detail
    assert lost[0] in running.stdout


def test_ctrl_c_keeps_what_stands_and_the_run_goes_on(
    plan: list[str], tmp_path: Path, command: list[Command]
) -> None:
    command.append(start(*plan, folder=tmp_path))
    running, store = command[0], RunStore(tmp_path / "run")
    running.wait_for(lambda: len(_placings(store.folder, "ended")) >= 1, "the first call that ended")
    processes = running.children(PROCESS)
    assert len(processes) == 2
    running.process.send_signal(signal.SIGINT)
    assert running.ends() == 130
    assert "Traceback" not in running.stdout + running.stderr
    assert "Go on with:" in running.stdout
    assert not any(PROCESS in command_of(process) for process in processes)
    first = _records(store)
    assert 0 < len(first) < len(IDS)
    # Whoever was dialled is kept: cut off, or whole where it was over and being kept just then.
    assert set(_placings(store.folder, "dialled")) == set(first)
    assert set(_placings(store.folder, "over")) <= set(first)
    finished = {call: one for call, one in first.items() if one.status is not CallStatus.INTERRUPTED}

    command.append(start(*plan, folder=tmp_path))
    assert command[1].ends() in (0, 1), command[1].stderr
    second = _records(store)
    assert sorted(second) == IDS
    assert {call: second[call].started_at for call in finished} == {
        call: one.started_at for call, one in finished.items()
    }


def test_a_run_that_was_killed_goes_on_and_tells_what_it_places_twice(
    plan: list[str], tmp_path: Path, command: list[Command]
) -> None:
    command.append(start(*plan, folder=tmp_path))
    running, store = command[0], RunStore(tmp_path / "run")
    running.wait_for(lambda: len(_placings(store.folder, "dialled")) >= 4, "four calls")
    processes = running.children(PROCESS)
    running.process.send_signal(signal.SIGKILL)
    running.process.wait()
    for process in processes:
        os.kill(process, signal.SIGKILL)
    before = _records(store)
    cut = set(_placings(store.folder, "dialled")) - set(before)
    assert cut

    command.append(start(*plan, folder=tmp_path))
    assert command[1].ends() in (0, 1), command[1].stderr
    records = _records(store)
    assert sorted(records) == IDS
    for call_id in cut:
        assert "what placed it was killed" in records[call_id].earlier_attempts[0].status_detail
    assert not any(records[call_id].earlier_attempts for call_id in set(IDS) - cut)
