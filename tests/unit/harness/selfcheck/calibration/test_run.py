"""A calibration call that our own sender spoilt is placed again, and no more often than that."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

import pytest

from harness.calls.conversation import Held
from harness.calls.voice.hearing.ears import Ears
from harness.calls.voice.place import PreparedCall
from harness.plans.call import ConditionsPlan
from harness.records.call import CallRecord, CallStatus
from harness.selfcheck.calibration import run
from harness.selfcheck.calibration.design import CalibrationCall, design
from harness.selfcheck.calibration.run import ATTEMPTS, CalibrationResult, PlacedCall, calibrate
from harness.transports.by_scheme import transport_for
from harness.transports.clock import CallClock

AGENT = "http://127.0.0.1:9"


def _calibrated(
    monkeypatch: pytest.MonkeyPatch, spoilt: dict[str, int]
) -> tuple[CalibrationResult, list[list[str]]]:
    """With calls that are spoilt so many times; also which were placed, each time."""
    placed: list[list[str]] = []

    class _Ears:
        async def __aenter__(self) -> _Ears:
            return self

        async def __aexit__(self, *_: object) -> None:
            return

    async def place_all(designed: Sequence[CalibrationCall], **_: Any) -> list[PlacedCall]:
        placed.append([one.plan.call_id for one in designed])
        return [_placed(one, fault=spoilt.get(one.plan.call_id, 0) >= len(placed)) for one in designed]

    monkeypatch.setattr(run, "Ears", _Ears)
    monkeypatch.setattr(run, "place_all", place_all)
    monkeypatch.setattr(run, "compare_call", lambda *_, **__: None)
    result = asyncio.run(
        calibrate(
            _calls(),
            transport=transport_for(AGENT),
            at_once=3,
            resolution_s=0.02,
            on_placed=lambda call, held: None,
        )
    )
    return result, placed


def _calls() -> list[CalibrationCall]:
    return design(
        sound="marker",
        turns=3,
        interruptions=0,
        calls=3,
        seed=1,
        agent=AGENT,
        conditions=ConditionsPlan(),
    )


def _placed(call: CalibrationCall, *, fault: bool) -> PlacedCall:
    record = CallRecord(
        plan=call.plan,
        status=CallStatus.HARNESS_FAULT if fault else CallStatus.COMPLETED,
        status_detail="late" if fault else "",
        started_at="",
        duration_s=1.0,
    )
    return PlacedCall(call=call, held=Held(record=record, events=[], clock=CallClock()), truth={})


@pytest.mark.parametrize("over", [True, False], ids=["as it ended", "in its middle"])
async def test_ctrl_c_in_a_call_places_no_further_one(monkeypatch: pytest.MonkeyPatch, over: bool) -> None:
    dialled: list[str] = []
    both = asyncio.Event()

    async def place_call(prepared: PreparedCall, **_: Any) -> Held:
        """Takes what it is told, as one does that hangs up and keeps what there is."""
        dialled.append(prepared.plan.call_id)
        if len(dialled) == 2:
            both.set()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(60.0)
        status = CallStatus.COMPLETED if over else CallStatus.INTERRUPTED
        record = CallRecord(
            plan=prepared.plan, status=status, status_detail="", started_at="", duration_s=1.0
        )
        return Held(record=record, events=[], clock=CallClock(), broken_off=over)

    monkeypatch.setattr(run, "place_call", place_call)
    placing = asyncio.create_task(
        run.place_all(
            _calls(),
            transport=transport_for(AGENT),
            at_once=2,
            ears=Ears(),
            on_placed=lambda call, held: None,
            stagger_s=0.0,
        )
    )
    await asyncio.wait_for(both.wait(), 20.0)
    placing.cancel()
    await asyncio.wait({placing})
    assert placing.cancelled()
    assert dialled == ["marker-responses-1", "marker-responses-2"]


def test_what_was_not_spoilt_is_placed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    result, placed = _calibrated(monkeypatch, {})
    assert [len(one) for one in placed] == [3]
    assert result.placed_again == 0
    assert result.by_sound["marker"].faults == []


def test_what_was_spoilt_is_placed_again_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    result, placed = _calibrated(monkeypatch, {"marker-responses-2": 1})
    assert [len(one) for one in placed] == [3, 1]
    assert placed[1] == ["marker-responses-2"]
    assert result.placed_again == 1
    assert result.by_sound["marker"].faults == []


def test_what_is_spoilt_every_time_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    result, placed = _calibrated(monkeypatch, {"marker-responses-2": 99})
    assert len(placed) == ATTEMPTS
    assert result.by_sound["marker"].faults == ["marker-responses-2: harness_fault: late"]
