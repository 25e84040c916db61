"""Which calls are placed again: those that this machine spoilt, whatever was measured in them."""

from __future__ import annotations

from typing import Any

import pytest

from harness.calls.conversation import Held
from harness.records.call import CallRecord, CallStatus
from harness.selfcheck.calibration.hostile.design import calls_of
from harness.selfcheck.calibration.hostile.rows import ROWS
from harness.selfcheck.calibration.hostile.run import spoilt_by_us
from harness.selfcheck.calibration.run import PlacedCall


@pytest.mark.parametrize(
    ("status", "late_ms", "why"),
    [
        (CallStatus.COMPLETED, {"p95": 0.4}, ""),
        (CallStatus.TIMEOUT, {"p95": 0.4}, ""),
        (CallStatus.SETUP_FAILED, {}, ""),
        (CallStatus.HARNESS_FAULT, {"p95": 0.4}, "harness_fault: our sender was late"),
        (CallStatus.COMPLETED, {"p95": 7.0}, "the agent's packets left late by 7.0 ms (p95)"),
    ],
)
def test_what_this_machine_spoilt_is_placed_again(status: CallStatus, late_ms: Any, why: str) -> None:
    call = calls_of(ROWS[0], agent="http://127.0.0.1:1", seed=1)[0]
    record = CallRecord(
        plan=call.plan, status=status, status_detail="our sender was late", started_at="", duration_s=1.0
    )
    placed = PlacedCall(call=call, held=Held(record=record, events=[]), truth={"late_ms": late_ms})
    assert spoilt_by_us(placed).startswith(why)
    assert bool(spoilt_by_us(placed)) is bool(why)
