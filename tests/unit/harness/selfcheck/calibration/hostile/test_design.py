"""The calls of a row: what is planted in them is what the agent is told, and clear of 500 ms."""

from __future__ import annotations

from fixtures.agents.calibration.behaviour import parse_behaviour
from harness.selfcheck.calibration.hostile.design import PLANTED, STOPS, TURNS, calls_of, row_of
from harness.selfcheck.calibration.hostile.rows import ROWS


def test_both_sounds_are_planted_and_the_agent_is_told_of_all() -> None:
    row = next(row for row in ROWS if row.name == "double")
    calls = calls_of(row, agent="http://127.0.0.1:1", seed=1)
    assert [call.sound for call in calls] == ["marker", "natural"]
    told = [parse_behaviour(call.plan.request_data["behaviour"]) for call in calls]
    assert sum(len(one.turns) for one in told) == TURNS
    assert sum(turn.stop_after_ms is not None for one in told for turn in one.turns) == STOPS
    assert all(one.clock.run is not None and one.clock.run.speed == 2 for one in told)
    for call, one in zip(calls, told, strict=True):
        assert len(call.utterances) == len(one.turns) == len(call.plan.script.lines)
        assert row_of(call.plan.call_id) == row.name


def test_enough_is_planted_and_no_stop_is_near_500_ms() -> None:
    assert TURNS >= 10
    assert STOPS >= 6
    stops = [stop for planted in PLANTED for _, stop, _ in planted.stops]
    assert all(abs(stop - 500) >= 60 for stop in stops)
    assert min(stops) < 300
    assert max(stops) >= 1000
