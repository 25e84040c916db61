"""The agents that these tests dial: faulty ones, and the calibration agent where a good one is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.runs import RUNS, SCORED, Run, start_runs
from tests.serving import serving_agent, serving_module


@pytest.fixture(scope="package")
def faulty() -> Iterator[str]:
    """Address of the faulty agents; each is at a path of its own below it."""
    with serving_module("tests.faults.faulty_agents") as (address, _):
        yield address


@pytest.fixture(scope="package")
def calibration() -> Iterator[str]:
    """Address of the calibration agent."""
    with serving_agent("calibration") as (address, _):
        yield address


@pytest.fixture(scope="package")
def started_runs(
    request: pytest.FixtureRequest,
    faulty: str,
    calibration: str,
    joe_folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[dict[str, Run]]:
    """Runs of faulty calls, which go on beside other tests until one waits for their end: those that the
    tests chosen ask for, and always :data:`SCORED`."""
    chosen = [getattr(item, "callspec", None) for item in request.session.items]
    names = {SCORED} | {spec.params["run"] for spec in chosen if spec is not None and "run" in spec.params}
    runs = start_runs(
        tmp_path_factory.mktemp("runs"), names=names & set(RUNS), faulty=faulty, calibration=calibration
    )
    yield runs
    for run in runs.values():
        run.command.process.kill()
        run.command.process.wait()
