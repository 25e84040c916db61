"""The agents that these tests dial: faulty ones, and the calibration agent where a good one is wanted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.serving import serving_module


@pytest.fixture(scope="package")
def faulty() -> Iterator[str]:
    """Address of the faulty agents; each is at a path of its own below it."""
    with serving_module("tests.faults.faulty_agents") as (address, _):
        yield address


@pytest.fixture(scope="package")
def calibration() -> Iterator[str]:
    """Address of the calibration agent."""
    with serving_module("fixtures.agents.calibration") as (address, _):
        yield address
