"""What is told before anything is placed on a cluster. Calls on one: tests/faults/test_cluster.py."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from harness.errors import UserError
from harness.plans.plan import expand_plan
from harness.runs.store import RunStore
from harness.runs.workers import ray as cluster
from harness.runs.workers.messages import Hold, read_order
from harness.runs.workers.ray import Machine, RemoteProcess, hold_on_cluster


class _Medium:
    def check(self, unit: object) -> None: ...

    def versions(self) -> dict[str, str]:
        return {}


def _plan(agent: str, **headers: str):  # type: ignore[no-untyped-def]
    call = {"id": "a", "script": {"lines": [{"say": "Hello?"}]}}
    return expand_plan({"agent": agent, "calls": [call]}, headers=headers)


def _held(plan, folder: Path) -> None:  # type: ignore[no-untyped-def]
    asyncio.run(
        hold_on_cluster(plan, RunStore(folder), medium=_Medium(), address="127.0.0.1:1")  # type: ignore[arg-type]
    )


def test_without_the_extra_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UserError, match="--ray needs the extra 'ray'") as told:
        _held(_plan("http://127.0.0.1:1"), tmp_path)
    assert "outboundeval[ray]" in (told.value.hint or "")


def test_a_secret_that_is_written_out_does_not_leave_this_machine(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="call a: has a secret written out"):
        _held(_plan("http://user:hunter2@127.0.0.1:1"), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_secret_that_is_named_goes_by_its_name() -> None:
    unit = _plan("http://127.0.0.1:1", Authorization="Bearer {env:TOKEN}").units[0]
    line = Hold(unit=unit).open_line()
    assert b"{env:TOKEN}" in line
    assert read_order(line) == Hold(unit=unit)


def test_files_of_a_call_come_home_under_plain_names_alone(tmp_path: Path) -> None:
    process = RemoteProcess(RunStore(tmp_path), lambda one, told: None, machine="m", node="n")
    files = {"call.json": b"{}", "audio.flac": b"x", "../../out": b"no", ".hidden": b"no", "a/b": b"no"}
    process._bring_home("a", files)
    found = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert found == ["calls/a/audio.flac", "calls/a/call.json"]
    with pytest.raises(UserError, match="is no id of a call"):
        process._bring_home("../a", files)


def test_processes_of_a_machine_are_spread_over_its_nodes_that_live(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    living = ["n1", "n2"]
    monkeypatch.setattr(cluster, "_living", lambda: living)
    machine = Machine(name="m", cores=2, nodes=["n1", "n2"])
    nodes = {
        process._node
        for _ in range(2)
        if isinstance(process := machine.opens(RunStore(tmp_path), lambda one, told: None), RemoteProcess)
    }
    assert nodes == {"n1", "n2"}
    living.remove("n1")
    process = machine.opens(RunStore(tmp_path), lambda one, told: None)
    assert isinstance(process, RemoteProcess)
    assert process._node == "n2"
    living.clear()
    with pytest.raises(Exception, match="m is no longer there"):
        machine.opens(RunStore(tmp_path), lambda one, told: None)
