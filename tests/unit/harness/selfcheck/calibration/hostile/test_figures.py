"""What is reported beside what was on the wire, on made-up calls of which both are known."""

from __future__ import annotations

from typing import Any

import pytest

from harness.records.scores import CalibrationNote, CallScores, InterruptionTiming, TurnTiming
from harness.selfcheck.calibration.hostile.figures import Figure, figures_of
from metrics.score import Status

ZERO_S = 500.0
"""Call time 0 on the machine's clock."""


def _turn(index: int, user_end_s: float, latency_ms: float | None, **more: Any) -> TurnTiming:
    status = Status.MEASURED if latency_ms is not None else Status.INDETERMINATE
    fields: dict[str, Any] = {
        "index": index,
        "user_start_s": user_end_s - 1.0,
        "user_end_s": user_end_s,
        "latency_ms": latency_ms,
        "status": status,
        "reason": "" if latency_ms is not None else "the clock jumped",
        "resolution_ms": 1.0,
    }
    return TurnTiming(**(fields | more))


def _interruption(index: int, user_start_s: float, delay_ms: float | None, **more: Any) -> InterruptionTiming:
    fields: dict[str, Any] = {
        "index": index,
        "user_start_s": user_start_s,
        "agent_onset_s": user_start_s - 1.0,
        "planned_offset_s": 1.0,
        "delay_ms": delay_ms,
        "outcome": "stopped" if delay_ms is not None else "indeterminate",
        "within_500ms": None if delay_ms is None else delay_ms < 500,
        "resolution_ms": 3.0,
    }
    return InterruptionTiming(**(fields | more))


def _reply(heard_last_s: float, first_wire_s: float | None, *, late_s: float = 0.0) -> dict[str, Any]:
    """An answer in the agent's log, given in call time; what it answers to came that late."""
    return {
        "cut": False,
        "heard_last_s": ZERO_S + heard_last_s,
        "heard_last_wire_s": ZERO_S + heard_last_s + late_s,
        "first_s": ZERO_S + heard_last_s,
        "first_wire_s": None if first_wire_s is None else ZERO_S + first_wire_s,
    }


def _cut(interrupted_at_s: float, last_wire_s: float) -> dict[str, Any]:
    return {
        "cut": True,
        "interrupted_at_s": ZERO_S + interrupted_at_s,
        "interrupted_at_wire_s": ZERO_S + interrupted_at_s,
        "first_wire_s": ZERO_S + interrupted_at_s - 1,
        "last_wire_s": ZERO_S + last_wire_s,
    }


def _figures(
    spoke: list[dict[str, Any]],
    turns: list[TurnTiming] | None = None,
    interruptions: list[InterruptionTiming] | None = None,
) -> list[Figure]:
    scores = CallScores(
        call_id="c",
        turns=turns or [],
        interruptions=interruptions or [],
        calibration=CalibrationNote(transport="smallwebrtc", response_p95_ms=1.0),
    )
    return figures_of(scores, {"spoke": spoke}, zero_s=ZERO_S)


def test_an_answer_is_true_by_its_packet_and_not_by_the_schedule() -> None:
    [figure] = _figures([_reply(3.001, 3.721)], [_turn(0, 3.0, 700.0)])
    assert figure.true_ms == pytest.approx(720.0)
    assert figure.error_ms == pytest.approx(-20.0)
    assert "off by -20.0 ms" in figure.wrong


@pytest.mark.parametrize(
    ("reported_ms", "error_ms"), [(700.0, 0.0), (684.5, 0.0), (690.0, 0.0), (705.0, 5.0), (680.0, -4.0)]
)
def test_where_a_late_packet_of_the_caller_was_held_up_nobody_can_tell(
    reported_ms: float, error_ms: float
) -> None:
    """It reached the agent 16 ms late: 700 ms if on its way, 684 ms if it left late, or something between."""
    [figure] = _figures([_reply(3.0, 3.7, late_s=0.016)], [_turn(0, 3.0, reported_ms)])
    assert figure.error_ms == pytest.approx(error_ms, abs=0.001)


@pytest.mark.parametrize(
    ("reported_ms", "bar_ms", "wrong"),
    [(502.9, 1.0, False), (497.1, 1.0, False), (503.1, 1.0, True), (514.0, 15.0, False), (516.0, 15.0, True)],
)
def test_a_figure_is_right_within_three_milliseconds_or_its_own_bar(
    reported_ms: float, bar_ms: float, wrong: bool
) -> None:
    [figure] = _figures([_reply(3.0, 3.5)], [_turn(0, 3.0, reported_ms, resolution_ms=bar_ms)])
    assert bool(figure.wrong) is wrong


def test_a_missing_figure_is_not_wrong_and_a_denied_answer_is() -> None:
    gone = {"status": Status.NOT_APPLICABLE, "reason": "no answer within 8.0 s"}
    missing, denied = _figures(
        [_reply(3.0, 3.5), _reply(8.0, 8.5)], [_turn(0, 3.0, None), _turn(1, 8.0, None, **gone)]
    )
    assert (missing.wrong, missing.reason) == ("", "the clock jumped")
    assert denied.wrong == "said not to have happened, 500 ms true: no answer within 8.0 s"


def test_an_answer_that_never_was_is_wrong_as_measured_and_right_as_missing() -> None:
    gone = {"status": Status.NOT_APPLICABLE, "reason": "no answer"}
    assert _figures([], [_turn(0, 3.0, None, **gone)]) == []
    [figure] = _figures([], [_turn(0, 3.0, 700.0)])
    assert figure.wrong == "700 ms reported of what never happened"


def test_an_answer_is_that_to_what_the_agent_heard_last() -> None:
    """Also one whose onset is reported half a second off: it stays the same answer, and is wrong."""
    figures = _figures([_reply(8.003, 8.8), _reply(3.003, 3.8)], [_turn(0, 3.0, 300.0), _turn(1, 8.0, 797.0)])
    assert [round(one.error_ms or 0) for one in figures] == [-497, 0]


def test_an_answer_that_came_after_the_next_line_or_never_left_is_not_due() -> None:
    turns = [_turn(0, 3.0, None), _turn(1, 8.0, None)]
    assert _figures([_reply(3.0, 7.2), _reply(8.0, None)], turns) == []


def test_a_stop_and_its_verdict() -> None:
    [right] = _figures([_cut(4.0, 4.8)], interruptions=[_interruption(1, 4.0, 801.0)])
    assert (right.true_ms, right.wrong) == (pytest.approx(800.0), "")
    [fast] = _figures([_cut(4.0, 4.8)], interruptions=[_interruption(1, 4.0, 342.0)])
    assert fast.verdict_wrong
    assert "off by -458.0 ms" in fast.wrong


def test_a_verdict_within_the_bar_may_still_be_wrong() -> None:
    wide = {"resolution_ms": 40.0, "within_500ms": True}
    [figure] = _figures([_cut(4.0, 4.51)], interruptions=[_interruption(1, 4.0, 480.0, **wide)])
    assert figure.wrong == "the 500 ms verdict is wrong: 480.0 ms reported, 510.0 ms true"
    withheld = wide | {"within_500ms": None}
    [figure] = _figures([_cut(4.0, 4.51)], interruptions=[_interruption(1, 4.0, 480.0, **withheld)])
    assert figure.wrong == ""


@pytest.mark.parametrize(
    ("outcome", "denied"), [("ended_by_itself", True), ("not_stopped", True), ("indeterminate", False)]
)
def test_a_stop_that_is_denied_is_wrong(outcome: Any, denied: bool) -> None:
    found = _interruption(1, 4.0, None, outcome=outcome, reason="why")
    [figure] = _figures([_cut(4.0, 4.8)], interruptions=[found])
    assert bool(figure.wrong) is denied


def test_an_interruption_that_the_agent_never_felt_is_not_due() -> None:
    assert _figures([], interruptions=[_interruption(1, 4.0, None)]) == []
    [figure] = _figures([_cut(9.0, 9.5)], interruptions=[_interruption(1, 4.0, 300.0)])
    assert figure.wrong == "300 ms reported of what never happened"
