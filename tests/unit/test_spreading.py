"""Tests beside each other: what measures time has the machine to itself, and a file stays together."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.spreading import ALONE as ALONE_MARK
from tests.spreading import (
    BEFORE,
    BY_THEMSELVES,
    CALLS_FOR_MINUTES,
    DESKS,
    ONE_THREAD,
    PLACES,
    TAKE_MINUTES,
    Controller,
    Worker,
    scope_of,
    turn_of,
)
from tests.spreading import CALLS as CALLS_MARK

CONFTEST = """
import json, time
import pytest
from tests.spreading import spread

def pytest_configure(config):
    config.addinivalue_line("markers", "alone: alone")
    config.addinivalue_line("markers", "calls: calls")
    spread(config)

@pytest.fixture
def takes(request, worker_id):
    def take(seconds):
        began = time.monotonic()
        time.sleep(seconds)
        told = {"name": request.node.name, "worker": worker_id, "began": began, "ended": time.monotonic()}
        with (request.config.rootpath / "told").open("a") as file:
            file.write(json.dumps(told) + "\\n")
    return take
"""
ALONE = """
import pytest
pytestmark = pytest.mark.alone
def test_alone_1(takes): takes(0.3)
def test_alone_2(takes): takes(0.3)
"""
CALLS = """
import pytest
pytestmark = pytest.mark.calls(places={places})
def test_calls_{name}_1(takes): takes(0.4)
def test_calls_{name}_2(takes): takes(0.4)
"""
BESIDE = "\n".join(f"def test_{{name}}_{number}(takes): takes(0.1)" for number in range(8))


OTHER_CALLS = 3 + len(CALLS_FOR_MINUTES)


@dataclass(frozen=True)
class Told:
    """When a test ran, and where."""

    name: str
    worker: str
    began: float
    ended: float

    def overlaps(self, other: Told) -> bool:
        return self.began < other.ended and other.began < self.ended


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[Told]:
    """A session of six workers: files whose tests wait side by side, and one that measures time."""
    folder = tmp_path_factory.mktemp("session")
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (folder / "test_alone.py").write_text(ALONE, encoding="utf-8")
    for name, places in {"e": 2, "f": 5, "g": 2, "h": 5, "i": 2}.items():
        text = CALLS.format(name=name, places=places)
        (folder / f"test_calls_{name}.py").write_text(text, encoding="utf-8")
    for name in ("a", "b", "c", "d", "j", "k"):
        (folder / f"test_{name}.py").write_text(BESIDE.format(name=name), encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "6", "-p", "no:cacheprovider", str(folder)],
        cwd=folder,
        env=kept | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "60 passed" in ended.stdout
    return [Told(**json.loads(line)) for line in (folder / "told").read_text(encoding="utf-8").splitlines()]


def test_nothing_runs_beside_a_test_that_is_to_be_alone(told: list[Told]) -> None:
    alone = [one for one in told if "alone" in one.name]
    assert len(alone) == 2
    assert [
        (one.name, other.name) for one in alone for other in told if one is not other and one.overlaps(other)
    ] == []


def test_the_others_run_side_by_side(told: list[Told]) -> None:
    others = [one for one in told if not {"alone", "calls"} & set(one.name.split("_"))]
    assert any(one.overlaps(other) for one, other in combinations(others, 2))
    at_once = [sum(one.began <= at < one.ended for one in others) for at in [one.began for one in others]]
    assert max(at_once) == DESKS


def test_libraries_are_loaded_for_one_thread_and_what_tests_start_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ONE_THREAD:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    before = dict(os.environ)
    controller, node = Controller(), SimpleNamespace(workerinput={})
    controller.pytest_configure_node(node)
    assert ONE_THREAD.items() <= os.environ.items()
    worker = Worker(tmp_path, node.workerinput[BEFORE])
    worker.pytest_collection_finish()
    worker.pytest_unconfigure()
    assert {name: os.environ.get(name) for name in ONE_THREAD} == {
        name: before.get(name) for name in ONE_THREAD
    }
    controller.pytest_unconfigure()


def test_those_that_hold_calls_run_side_by_side_as_far_as_places_go_and_nothing_else_does(
    told: list[Told],
) -> None:
    calls = [one for one in told if "calls" in one.name]
    assert len(calls) == 10
    assert any(one.overlaps(other) for one, other in combinations(calls, 2))
    taken = [
        [5 if one.name.split("_")[2] in "fh" else 2 for one in calls if one.began <= at < one.ended]
        for at in [one.began for one in calls]
    ]
    assert max(map(sum, taken)) <= PLACES
    assert any(len(places) > 1 and 5 in places for places in taken)
    others = [one for one in told if one not in calls]
    assert [(one.name, other.name) for one in calls for other in others if one.overlaps(other)] == []


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("def test_a(): ...", 1),
        ("pytestmark = [pytest.mark.live, pytest.mark.alone]", 2),
        ("    # pytest.mark.calls would do, too", 1),
        ("@pytest.mark.calls(places=2)\ndef test_a(): ...\ndef test_b(): ...", OTHER_CALLS),
        ("pytestmark = [pytest.mark.calls(places=9)]", OTHER_CALLS),
        # Nothing runs beside it.
        (f"pytestmark = [pytest.mark.calls(places={PLACES})]", 2),
        # Behind files of calls, what is alone would wait for the whole of each.
        ("@pytest.mark.calls(places=2)\ndef test_a(): ...\n@pytest.mark.alone\ndef test_b(): ...", 2),
    ],
)
def test_which_files_are_handed_out_first(text: str, turn: int, tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(text, encoding="utf-8")
    assert turn_of("test_a.py", tmp_path) == turn


def test_those_that_take_minutes_are_there_and_come_first() -> None:
    root = Path(__file__).parents[2]
    turns = [(file, 0) for file in TAKE_MINUTES]
    turns += [(file, 3 + number) for number, file in enumerate(CALLS_FOR_MINUTES)]
    for file, turn in turns:
        assert (root / file).is_file()
        assert turn_of(file, root) == turn


def test_calls_begin_when_nobody_else_waits(tmp_path: Path) -> None:
    """Whoever comes to the door first."""
    begun: list[str] = []

    def begins(mark: str) -> None:
        worker = Worker(tmp_path, {})
        worker._waits(mark, 2)
        begun.append(mark)
        worker.pytest_unconfigure()

    with (tmp_path / "door").open("a") as door, ThreadPoolExecutor() as threads:
        fcntl.flock(door, fcntl.LOCK_EX)
        held = threads.submit(begins, CALLS_MARK)
        time.sleep(0.2)
        alone = threads.submit(begins, ALONE_MARK)
        time.sleep(0.2)
        fcntl.flock(door, fcntl.LOCK_UN)
        for one in (held, alone):
            one.result()
    assert begun == [ALONE_MARK, CALLS_MARK]


def test_no_other_comes_between_two_of_a_file_that_are_alone(told: list[Told]) -> None:
    names = [one.name for one in sorted(told, key=lambda one: one.began)]
    assert ("test_alone_1", "test_alone_2") in list(pairwise(names))


def test_a_file_stays_with_one_worker(told: list[Told]) -> None:
    workers: dict[str, set[str]] = {}
    for one in told:
        workers.setdefault(one.name.rsplit("_", 1)[0], set()).add(one.worker)
    assert {name: len(own) for name, own in workers.items()} == dict.fromkeys(
        (
            "test_a",
            "test_b",
            "test_c",
            "test_d",
            "test_j",
            "test_k",
            "test_alone",
            "test_calls_e",
            "test_calls_f",
            "test_calls_g",
            "test_calls_h",
            "test_calls_i",
        ),
        1,
    )


@pytest.mark.parametrize(
    ("nodeid", "scope"),
    [
        ("tests/unit/test_a.py::test_b[x::y]", "tests/unit/test_a.py"),
        ("tests/unit/test_a.py::Kind::test_b", "tests/unit/test_a.py"),
        ("tests/faults/test_exit_codes.py::test_b", "tests/faults/"),
        ("tests/faults/test_broken_off.py::test_b", "tests/faults/"),
        ("tests/faults/test_telephone.py::test_b", "tests/faults/test_telephone.py"),
    ],
)
def test_what_a_test_stays_together_with(nodeid: str, scope: str) -> None:
    assert scope_of(nodeid) == scope


def test_files_that_run_by_themselves_ask_for_no_run_that_is_shared() -> None:
    for file in BY_THEMSELVES:
        assert "started_runs" not in (Path(__file__).parents[2] / file).read_text(encoding="utf-8")
