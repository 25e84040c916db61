"""Calls to an agent whose media clock lies: no wrong figure is given, and ordinary agents are measured.

Three rows of ``outboundeval calibrate --hostile``; the whole table is the command's.
"""

from __future__ import annotations

import numpy as np
import pytest

from harness.selfcheck.calibration.hostile.rows import chosen_rows
from harness.selfcheck.calibration.hostile.run import try_rows
from harness.selfcheck.calibration.hostile.verdict import RowResult, Verdict
from harness.selfcheck.reference_agents import serving
from harness.transports.by_scheme import transport_for

pytestmark = [pytest.mark.live, pytest.mark.alone, pytest.mark.long]

ROWS = ("exact", "slip20", "double")


@pytest.fixture(scope="module")
def results() -> dict[str, RowResult]:
    """Where a machine is too slow for six calls at once, of two at once."""
    for at_once in (6, 2):
        with serving("calibration") as address:
            tried = try_rows(
                chosen_rows(",".join(ROWS)),
                agent=address,
                transport=transport_for(address),
                at_once=at_once,
                seed=1,
                on_placed=lambda call, held: None,
            )
            found = {result.row.name: result for result in tried}
        spoilt = [fault for result in found.values() for fault in result.faults]
        if not spoilt:
            return found
    pytest.fail(f"the machine is too busy for this test: {spoilt}")


@pytest.mark.parametrize("name", ROWS)
def test_no_wrong_figure_is_given_as_measured(results: dict[str, RowResult], name: str) -> None:
    assert [f"{one.where}: {one.wrong}" for one in results[name].wrong] == []


@pytest.mark.parametrize("name", ["exact", "slip20"])
def test_an_ordinary_agent_is_measured(results: dict[str, RowResult], name: str) -> None:
    result = results[name]
    assert result.verdict is Verdict.RIGHT, [one.reason for one in result.due if one.reported_ms is None]


def test_the_agent_did_lie(results: dict[str, RowResult]) -> None:
    """By its own log: onsets came one frame later than they were planned, for want of 20 ms of timestamps."""
    true_ms = {
        name: {
            # A call that we spoilt is placed again and comes last: order says nothing.
            one.where.removeprefix(name): one.true_ms or 0.0
            for one in results[name].due
            if one.kind == "answer"
        }
        for name in ("exact", "slip20")
    }
    both = true_ms["exact"].keys() & true_ms["slip20"].keys()
    assert len(both) >= 0.9 * max(map(len, true_ms.values()))
    slipped_ms = [true_ms["slip20"][where] - true_ms["exact"][where] for where in both]
    assert float(np.median(slipped_ms)) == pytest.approx(20.0, abs=2.0)
