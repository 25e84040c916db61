"""Answers whose time is only known to lie between two others: none vanishes from the percentiles.

By hand: nine turns answered after 500, 510 ... 580 ms, and one more.
"""

from __future__ import annotations

from typing import Any

import pytest

from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.conversation.response_latency import ANSWERED_ONLY, RESPONSE_LATENCY
from harness.analysis.measures.conversation.turns import bar_of, waited_for
from harness.records.scores import CallScores, TurnTiming
from metrics.interaction.outcome import TurnOutcome
from metrics.score import Score, Status
from metrics.survival import Waited


def _turn(index: int, ms: float | None = None, **more: Any) -> TurnTiming:
    content = {
        "index": index,
        "user_start_s": 10.0 * index,
        "user_end_s": 10.0 * index + 1,
        "latency_ms": ms,
        "status": Status.INDETERMINATE if ms is None else Status.MEASURED,
        "reason": "" if ms is not None else "the agent stalled",
        "outcome": TurnOutcome.ANSWERED,
        "resolution_ms": 10.0,
    }
    return TurnTiming.model_validate(content | more)


TIMED = [_turn(n, 500.0 + 10 * n) for n in range(9)]


def _pooled(*turns: TurnTiming) -> Score:
    return RESPONSE_LATENCY.pool([ScoredCall(scores=CallScores(call_id="c", turns=[*turns]))])


def test_an_answer_that_packets_leave_open_is_no_faster_than_they_say() -> None:
    stalled = _turn(9, at_least_ms=4300.0, at_most_ms=6100.0)
    assert waited_for(stalled) == Waited(time=4300.0, came=False)
    found = _pooled(*TIMED, stalled)
    assert (found.n, found.p50) == (10, 540.0)
    assert (found.p90, found.p95) == (580.0, None)
    assert found.not_reached == {"p95": 4300.0}
    assert found.resolution == 10.0
    assert "1 answered nobody can tell when: censored at the least that it took" in found.reason
    assert "left out" not in found.reason


def test_an_answer_that_is_known_closely_counts_as_the_middle_with_its_bar() -> None:
    close = _turn(9, at_least_ms=900.0, at_most_ms=1000.0)
    assert waited_for(close) == Waited(time=950.0)
    assert bar_of(close) == 60.0
    assert bar_of(TIMED[0]) == 10.0
    assert bar_of(_turn(9, at_least_ms=900.0, at_most_ms=1000.0, resolution_ms=None)) is None
    found = _pooled(*TIMED, close)
    assert found.p95 == pytest.approx(783.5)  # 0.55 of the way from 580 to 950
    assert found.resolution == 60.0
    assert "1 known to within 100 ms, in with the middle of that" in found.reason
    wide = _turn(9, at_least_ms=900.0, at_most_ms=1000.1)
    assert waited_for(wide) == Waited(time=900.0, came=False)


def test_an_answer_of_which_nothing_is_known_is_left_out_and_told() -> None:
    untold = _turn(9)
    assert waited_for(untold) is None
    found = _pooled(*TIMED, untold)
    assert (found.n, found.p95) == (9, 576.0)
    assert "1 of 10 turns left out: 1 × the agent stalled" in found.reason


def test_where_no_answer_has_a_time_it_is_not_said_that_none_came() -> None:
    found = _pooled(*(_turn(n, at_least_ms=4000.0, at_most_ms=9000.0) for n in range(3)))
    assert (found.value, found.status) == (None, Status.INDETERMINATE)
    assert found.not_reached == {"p50": 4000.0, "p90": 4000.0, "p95": 4000.0}
    assert "of no answer can be told when it began" in found.reason
    assert "no turn was answered" not in found.reason


def test_the_figure_of_answered_turns_leaves_them_out_and_says_so() -> None:
    turns = [*TIMED, _turn(9, at_least_ms=900.0, at_most_ms=1000.0)]
    found = ANSWERED_ONLY.pool([ScoredCall(scores=CallScores(call_id="c", turns=turns))])
    assert found.n == 9
    assert "1 of 10 turns left out" in found.reason


@pytest.mark.parametrize(
    "bounds",
    [
        {"at_least_ms": 900.0},
        {"at_most_ms": 900.0},
        {"at_least_ms": 901.0, "at_most_ms": 900.0},
        {"at_least_ms": 900.0, "at_most_ms": 950.0, "latency_ms": 920.0, "status": Status.MEASURED},
    ],
)
def test_bounds_are_two_in_order_and_of_what_was_not_measured(bounds: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="at_least_ms"):
        _turn(0, **bounds)
