"""Figures by how many calls stood: against calls that are laid out by hand."""

from __future__ import annotations

from collections.abc import Sequence

from harness.plans.call import CallPlan
from harness.records.call import CallRecord, CallStatus
from harness.records.placed.placings import Placing
from harness.records.scores import CallScores, TurnTiming
from harness.runs.reader import CallFiles
from harness.scoring.load_curve import load_curve
from metrics.interaction.outcome import TurnOutcome
from metrics.score import Status
from voice_sim.policies.script import Script, ScriptLine

SCRIPT = Script(lines=(ScriptLine(say="Hello?"),))


def _call(
    call_id: str, latencies: Sequence[tuple[float, float]], status: CallStatus = CallStatus.COMPLETED
) -> CallFiles:
    """``latencies``: when the caller stopped, on the call's clock, and what followed in ms."""
    turns = [
        TurnTiming(
            index=index,
            user_start_s=max(0.0, end_s - 0.5),
            user_end_s=end_s,
            agent_start_s=end_s + ms / 1000,
            latency_ms=ms,
            status=Status.MEASURED,
            outcome=TurnOutcome.ANSWERED,
        )
        for index, (end_s, ms) in enumerate(latencies)
    ]
    record = CallRecord(
        plan=CallPlan(call_id=call_id, agent="http://x:1", script=SCRIPT),
        status=status,
        status_detail="",
        started_at="2026-11-03T10:00:00+00:00",
        duration_s=60.0,
    )
    return CallFiles(
        call_id=call_id,
        record=record,
        scores=CallScores(call_id=call_id, turns=turns),
        transcript=None,
        events=(),
        audio=None,
        problems=(),
    )


def _placed(spans: dict[str, tuple[float, float]]) -> list[Placing]:
    marks = [(begin, "dialled", call) for call, (begin, _) in spans.items()]
    marks += [(end, "ended", call) for call, (_, end) in spans.items()]
    began = Placing(t_s=0.0, what="began")
    return [began, *(Placing(t_s=at, what=what, call=call) for at, what, call in sorted(marks))]  # type: ignore[arg-type]


def test_a_turn_belongs_to_the_calls_that_stood_when_it_ended() -> None:
    placings = _placed({"a": (0.0, 100.0), "b": (50.0, 100.0)})
    alone = [(float(10 + 5 * one), 400.0 + one) for one in range(6)]
    together = [(float(60 + 5 * one), 900.0 + one) for one in range(6)]
    one, two = load_curve([_call("a", [*alone, *together]), _call("b", [])], placings)
    assert (one.low, one.high, two.low, two.high) == (1, 1, 2, 2)
    assert one.latency is not None
    assert two.latency is not None
    assert (one.due, one.answered, one.latency.p50.value) == (6, 6, 402.0)
    assert (two.due, two.latency.p50.value) == (6, 902.0)
    assert (one.calls.total(), two.calls.total()) == (0, 2), "a call counts where most stood"


def test_where_our_sender_was_late_there_is_no_figure() -> None:
    placings = _placed({"a": (0.0, 100.0), "b": (50.0, 100.0)})
    placings.append(Placing(t_s=70.0, what="pacing", standing=2, late_p95_ms=14.0))
    placings.sort(key=lambda one: one.t_s)
    late = _call("a", [(float(60 + one), 900.0) for one in range(9)], CallStatus.HARNESS_FAULT)
    also = _call("b", [(float(one), 900.0) for one in range(9)], CallStatus.HARNESS_FAULT)
    one, two = load_curve([late, also], placings)
    assert (two.latency, two.due, two.faults, two.late_p95_ms) == (None, 0, 2, 14.0)
    assert (one.latency, one.late_p95_ms) == (None, None)


def test_of_a_run_that_went_on_each_start_counts_by_itself() -> None:
    first = _placed({"a": (0.0, 40.0)})
    second = _placed({"b": (0.0, 40.0), "c": (0.5, 40.0)})
    turns = [(float(5 + one), 500.0) for one in range(6)]
    one, two = load_curve([_call(name, turns) for name in "abc"], [*first, *second])
    assert (one.due, two.due) == (6, 12)


def test_calls_one_after_the_other_have_no_curve() -> None:
    assert load_curve([_call("a", [(1.0, 500.0)])], _placed({"a": (0.0, 9.0), "b": (10.0, 19.0)})) == []
    assert load_curve([], []) == []


def test_many_calls_are_drawn_in_few_steps_and_a_call_that_was_lost_stands_no_more() -> None:
    spans = {f"c{number:02d}": (float(number), 200.0) for number in range(40)}
    placings = _placed(spans)
    lost = [Placing(t_s=100.0, what="lost", call=f"c{number:02d}") for number in range(35)]
    placings = sorted([*placings, *lost], key=lambda one: one.t_s)
    turns = [(float(110 + one), 500.0) for one in range(5)]
    steps = load_curve([_call("c00", turns)], placings)
    assert [(step.low, step.high) for step in steps][:2] == [(1, 5), (6, 10)]
    assert len(steps) == 8
    assert steps[0].due == 5, "five stand when c00 was lost with the others"
