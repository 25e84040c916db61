"""What was measured against what an agent logged: on a call whose both sides are made up and known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from harness.calls.conversation import Held
from harness.calls.voice.packet_times import PacketTimes
from harness.calls.voice.recorder import Recording
from harness.plans.call import CallPlan, ConditionsPlan
from harness.records.call import CallRecord, CallStatus, Media, SpokenUtterance
from harness.selfcheck.calibration.compare import (
    Comparison,
    Comparisons,
    ErrorSummary,
    compare_call,
    injected_ms,
)
from harness.selfcheck.calibration.design import CalibrationCall
from harness.transports.clock import CallClock
from harness.transports.impairment import outbound_delays_s
from voice_sim.policies.script import Script, ScriptLine
from voice_sim.voice.utterance import tone

RATE = 48_000
ZERO_NS = 500_000_000_000
"""Call time 0 lies at 500 s of the machine's clock."""


def _tone_in(audio: np.ndarray[Any, Any], start_s: float, end_s: float) -> None:
    first, last = round(start_s * RATE), round(end_s * RATE)
    audio[first : last + 1, 1] = 0.1 * np.cos(2 * np.pi * 1000 * np.arange(last + 1 - first) / RATE)


def _designed(kind: Any = "response", **conditions: float) -> CalibrationCall:
    plan = CallPlan(
        call_id="c",
        agent="http://x:1",
        script=Script(lines=(ScriptLine(say="x"),)),
        conditions=ConditionsPlan(**conditions),
    )
    return CalibrationCall(plan=plan, sound="marker", kind=kind, utterances=(tone(0.5),))


def _placed(
    agent_tones: list[tuple[float, float]], said: list[tuple[str, float, float]], *, recorded: bool = True
) -> Held:
    audio = np.zeros((30 * RATE, 2), np.float32)
    for start_s, end_s in agent_tones:
        _tone_in(audio, start_s, end_s)
    utterances = [
        SpokenUtterance(
            index=n,
            text="x",
            kind=kind,  # type: ignore[arg-type]
            start_s=start_s,
            end_s=end_s,
            audio_sha256="",
        )
        for n, (kind, start_s, end_s) in enumerate(said)
    ]
    record = CallRecord(
        plan=_designed().plan,
        status=CallStatus.COMPLETED if recorded else CallStatus.SETUP_FAILED,
        status_detail="why",
        started_at="",
        duration_s=30.0,
        utterances=utterances,
    )
    media = Media(
        codec="opus",
        packets_received=1,
        packets_lost=0,
        packets_duplicate=0,
        packets_reordered=0,
        jitter_ms=None,
        kernel_timestamps=True,
    )
    times = PacketTimes()
    recording = Recording(audio=audio, gaps=[], media=media, sent=times, received=times)
    return Held(
        clock=CallClock(zero_ns=ZERO_NS),
        record=record,
        events=[],
        recording=recording if recorded else None,
    )


def _spoke(first_s: float, last_s: float, **more: Any) -> dict[str, Any]:
    """An entry of the agent's log; times are those of its machine. Its socket is 20 ms behind its schedule,
    and the packets at the edges are 1 ms late."""
    at = {"first_s": 500.0 + first_s - 0.02, "last_s": 500.0 + last_s - 0.02}
    at |= {"first_clock_s": 500 + first_s, "last_clock_s": 500 + last_s}
    at |= {"first_wire_s": 500 + first_s + 0.001, "last_wire_s": 500 + last_s + 0.001}
    # The caller's packets come when they are due, unless the log is given otherwise.
    due = {
        f"{edge}_wire_s": more[f"{edge}_s"]
        for edge in ("heard_last", "interrupted_at")
        if f"{edge}_s" in more
    }
    return at | {"cut": False} | due | more


def _compare(placed: Held, spoke: list[dict[str, Any]], designed: CalibrationCall) -> Comparisons:
    into = Comparisons()
    compare_call(
        designed, placed, {"spoke": spoke}, zero_ns=ZERO_NS, interruption_resolution_s=0.02, into=into
    )
    return into


def test_the_error_of_a_response_is_measured_less_true() -> None:
    """Said 2.0-3.0 s. The agent heard its last sample 3 ms later and spoke at 3.750 s; we found that at
    3.751 s: measured 751 ms, true 747 ms."""
    placed = _placed([(3.751, 5.0)], [("turn", 2.0, 3.0)])
    spoke = [_spoke(3.750, 5.0, answer_after_ms=745.0, heard_last_s=503.003)]
    into = _compare(placed, spoke, _designed())
    [found] = into.responses
    assert found.measured_ms == pytest.approx(751.0, abs=0.05)
    assert found.truth_ms == pytest.approx(747.0, abs=0.05)
    assert found.programmed_ms == 745.0
    assert found.error_ms == pytest.approx(4.0, abs=0.05)
    assert found.packet_error_ms == pytest.approx(3.0, abs=0.05)
    assert into.lost == into.faults == []


def _one(**given: float) -> Comparison:
    figures = {"truth_ms": 400.0, "packet_truth_ms": 400.0, "programmed_ms": 400.0} | given
    return Comparison(call_id="c", index=0, **figures)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("measured_ms", "agent_late_ms", "caller_late_ms", "error_ms"),
    [
        (401.0, 0.0, 0.0, 1.0),
        # The agent's packet left 10 ms late: by its clock 400, on the wire 410, and nothing in between.
        (409.0, 10.0, 0.0, -1.0),
        (401.0, 10.0, 0.0, 1.0),
        (405.5, 10.0, 0.0, -4.5),
        # The caller's left 30 ms late: 370 on the wire.
        (371.0, 0.0, 30.0, 1.0),
        (399.0, 0.0, 30.0, -1.0),
        (382.0, 10.0, 30.0, 2.0),
        # What is late by no more than jitter excuses nothing.
        (402.0, 1.9, 0.0, 2.0),
        (398.1, 0.0, 1.9, -1.9),
    ],
)
def test_where_a_sender_was_late_clock_and_wire_are_both_true(
    measured_ms: float, agent_late_ms: float, caller_late_ms: float, error_ms: float
) -> None:
    found = _one(
        measured_ms=measured_ms, packet_truth_ms=400.0 + agent_late_ms, caller_late_ms=caller_late_ms
    )
    assert found.error_ms == pytest.approx(error_ms)


def test_how_late_the_caller_s_packet_came_is_read_from_the_log() -> None:
    placed = _placed([(3.751, 5.0)], [("turn", 2.0, 3.0)])
    spoke = [_spoke(3.750, 5.0, answer_after_ms=745.0, heard_last_s=503.003, heard_last_wire_s=503.010)]
    [found] = _compare(placed, spoke, _designed()).responses
    assert found.caller_late_ms == pytest.approx(7.0)
    [jittered] = _compare(placed, spoke, _designed(delay_ms=40, jitter_ms=20)).responses
    assert jittered.caller_late_ms == 0.0


@pytest.mark.parametrize(
    ("frame", "late_ms", "error_ms"), [(150, 7.0, 0.0), (151, 7.0, -7.0), (150, 0.0, -7.0)]
)
def test_where_packets_are_lost_it_is_read_from_the_log_less_what_the_network_drew(
    frame: int, late_ms: float, error_ms: float
) -> None:
    """Said 2.0-3.0 s, frame 150 from 3.0 s on; the agent spoke at 3.75 s. By the clock 750 ms, by the wire
    743 if the caller's packet left 7 ms late."""
    designed = _designed(loss=0.03)
    frames = np.arange(1000)
    drawn = outbound_delays_s(designed.plan.conditions, seed=designed.plan.seed, packets=len(frames))
    arrived = [
        (int(one), int(one) * 960, ZERO_NS + int(one) * 20_000_000 + (one == frame) * round(late_ms * 1e6))
        for one in frames
        if drawn[one]
    ]
    assert all(drawn[150:152])
    placed = _placed([(3.743, 5.0)], [("turn", 2.0, 3.0)])
    assert placed.recording is not None
    sent = PacketTimes(media_s=frames * 0.02, passed_s=frames * 0.02, placed_s=frames * 0.02)
    placed = replace(placed, recording=replace(placed.recording, sent=sent))
    spoke = [_spoke(3.750, 5.0, answer_after_ms=750.0, heard_last_s=503.0)]
    into = Comparisons()
    compare_call(
        designed,
        placed,
        {"spoke": spoke, "arrived": arrived},
        zero_ns=ZERO_NS,
        interruption_resolution_s=0.02,
        into=into,
    )
    [found] = into.responses
    assert found.error_ms == pytest.approx(error_ms, abs=0.1)


def test_injected_delay_is_the_network_s_and_no_error_of_ours() -> None:
    assert injected_ms(_designed(delay_ms=40, jitter_ms=20)) == 40
    assert injected_ms(_designed(delay_ms=10, jitter_ms=20)) == 0
    placed = _placed([(3.79, 5.0)], [("turn", 2.0, 3.0)])
    spoke = [_spoke(3.770, 5.0, answer_after_ms=750.0, heard_last_s=503.02)]
    [found] = _compare(placed, spoke, _designed(delay_ms=40, jitter_ms=20)).responses
    # 790 measured; 750 true at the agent; 2 x 20 ms on the way.
    assert found.error_ms == pytest.approx(0.0, abs=0.05)


THREE_TURNS = [("turn", 2.0, 3.0), ("turn", 6.0, 7.0), ("turn", 10.0, 11.0)]


def test_a_turn_that_is_not_measured_is_lost_with_its_reason() -> None:
    placed = _placed([(3.5, 4.0)], THREE_TURNS[:2])
    into = _compare(placed, [_spoke(3.5, 4.0, answer_after_ms=500.0, heard_last_s=503.0)], _designed())
    assert [one.index for one in into.responses] == [0]
    assert into.lost == ["c turn 2: the agent logged no answer"]
    assert into.wrong == []


def test_an_answer_that_was_denied_and_one_that_never_was_are_wrong() -> None:
    placed = _placed([(3.5, 4.0), (11.5, 12.0)], THREE_TURNS)
    spoke = [
        _spoke(3.5, 4.0, answer_after_ms=500.0, heard_last_s=503.0),
        _spoke(7.5, 8.0, answer_after_ms=500.0, heard_last_s=507.0),
    ]
    into = _compare(placed, spoke, _designed())
    assert [one.index for one in into.responses] == [0]
    assert into.lost == []
    denied, invented = into.wrong
    assert denied.startswith("c turn 2: not_applicable")
    assert denied.endswith("though an answer after 501 ms is logged")
    assert invented == "c turn 3: 500 ms reported, no answer logged"


def test_a_turn_is_compared_with_the_reply_to_it_though_an_earlier_one_is_missing() -> None:
    placed = _placed([(7.75, 8.5)], THREE_TURNS[:2])
    into = _compare(placed, [_spoke(7.75, 8.5, answer_after_ms=750.0, heard_last_s=507.0)], _designed())
    [found] = into.responses
    assert found.index == 1
    assert found.error_ms == pytest.approx(0.0, abs=0.05)


def test_of_two_replies_to_one_turn_the_one_after_its_end_counts() -> None:
    placed = _placed([(4.5, 5.0)], [("turn", 2.0, 4.0)])
    spoke = [
        _spoke(2.9, 3.2, answer_after_ms=200.0, heard_last_s=502.7),
        _spoke(4.5, 5.0, answer_after_ms=500.0, heard_last_s=504.0),
    ]
    [found] = _compare(placed, spoke, _designed()).responses
    assert found.truth_ms == pytest.approx(500.0)


@pytest.mark.parametrize("off_s", [0.72, -0.1, 0.021])
def test_an_onset_far_from_the_logged_one_is_a_wrong_figure(off_s: float) -> None:
    """However far: no figure is left out for being wrong."""
    placed = _placed([(3.5 + off_s, 6.5)], [("turn", 2.0, 3.0)])
    into = _compare(placed, [_spoke(3.5, 6.5, answer_after_ms=500.0, heard_last_s=503.0)], _designed())
    [found] = into.responses
    assert found.error_ms == pytest.approx(off_s * 1000, abs=0.1)
    [told] = into.wrong
    assert told.startswith(f"c turn 1: {500 + off_s * 1000:.1f} ms reported, 500.0 ms true: off by ")
    assert into.lost == []


def _interruption(stop_s: float, logged_stop_s: float, **conditions: float) -> Comparisons:
    """A barge-in at 6.0 s into speech since 4.0 s, and an answer to it, where there is time for one."""
    placed = _placed(
        [(4.0, stop_s), *([(9.0, 9.5)] if stop_s < 8.5 else [])], [("turn", 2.0, 3.5), ("barge_in", 6.0, 8.0)]
    )
    spoke = [
        _spoke(
            4.0,
            logged_stop_s,
            cut=True,
            interrupted_at_s=506.0,
            stop_after_ms=1.0,
            answer_after_ms=500.0,
            heard_last_s=503.5,
        ),
        _spoke(9.0, 9.5, answer_after_ms=1000.0, heard_last_s=508.0),
    ]
    return _compare(placed, spoke, _designed("interruption", **conditions))


def test_the_error_of_an_interruption_is_measured_less_true() -> None:
    into = _interruption(6.304, 6.301)
    [found] = into.interruptions
    assert found.measured_ms == pytest.approx(304.0, abs=0.6)
    assert found.truth_ms == pytest.approx(301.0, abs=0.05)
    assert (into.verdicts, into.verdicts_wrong) == (1, [])


def test_a_verdict_that_differs_from_the_truth_s_is_wrong() -> None:
    into = _interruption(6.45, 6.55)
    assert into.verdicts == 1
    assert len(into.verdicts_wrong) == 1
    assert _interruption(6.45, 6.49).verdicts_wrong == []


def test_where_the_error_bar_straddles_500_ms_no_verdict_is_given() -> None:
    into = _interruption(6.51, 6.49)
    assert (into.verdicts, into.verdicts_wrong) == (0, [])
    assert len(into.interruptions) == 1


def test_the_network_s_delay_counts_for_the_verdict() -> None:
    """490 ms at the agent are 530 ms at the caller, with 2 x 20 ms between them."""
    assert _interruption(6.53, 6.49, delay_ms=20).verdicts_wrong == []
    assert len(_interruption(6.53, 6.49).verdicts_wrong) == 1


def test_a_stop_that_the_agent_did_not_log_is_a_wrong_figure() -> None:
    placed = _placed([(4.0, 6.3)], [("turn", 2.0, 3.5), ("barge_in", 6.0, 8.0)])
    into = _compare(placed, [_spoke(4.0, 6.3, answer_after_ms=500.0, heard_last_s=503.5)], _designed())
    assert into.interruptions == []
    assert into.wrong == ["c interruption 2: 300 ms reported, no interruption logged"]


def test_a_stop_that_was_denied_is_a_wrong_figure() -> None:
    """It speaks on, says the recording; the log says that it stopped after 300 ms."""
    into = _interruption(29.9, 6.3)
    assert into.interruptions == []
    [told] = into.wrong
    assert told.startswith("c interruption 2: not_stopped")
    assert told.endswith("though a stop is logged")


def test_a_stop_as_late_as_the_log_says_was_rightly_denied() -> None:
    """An agent that had too little of the processor: told to stop after 300 ms it spoke on for 3.6 s, and its
    packets say so too."""
    into = _interruption(9.6, 9.598)
    assert (into.interruptions, into.wrong) == ([], [])
    [told] = [one for one in into.lost if "interruption" in one]
    assert told.startswith("c interruption 2: not_stopped: the agent spoke on for 3.6 s")
    assert told.endswith("its log says 3598 ms, too")
    assert "though a stop is logged" in _interruption(9.6, 9.57).wrong[0], "it had stopped 30 ms before"
    assert _interruption(9.6, 9.9).wrong == [], "it was still speaking then"


def test_a_stop_far_from_the_logged_one_is_a_wrong_figure() -> None:
    into = _interruption(6.9, 6.4)
    [told] = into.wrong
    assert told.startswith("c interruption 2: 900")
    assert "off by +50" in told
    assert _interruption(6.41, 6.4).wrong == []


def test_a_call_that_never_stood_is_a_fault() -> None:
    into = _compare(_placed([], [], recorded=False), [], _designed())
    assert into.faults == ["c: setup_failed: why"]


def test_errors_are_summed_up_as_statistics_define_them() -> None:
    summary = ErrorSummary.of([1.0, -3.0, 2.0, 4.0])
    assert summary is not None
    assert summary.n == 4
    assert summary.bias == pytest.approx(1.0)
    # Squares of 0, -4, 1, 3 are 26; over n - 1.
    assert summary.sd == pytest.approx((26 / 3) ** 0.5)
    # 1, 2, 3, 4: the 95th percentile lies 0.85 of the way from the third to the fourth.
    assert summary.p95_abs == pytest.approx(3.85)
    assert summary.max_abs == 4.0
    assert ErrorSummary.of([]) is None
    single = ErrorSummary.of([-2.5])
    assert single is not None
    assert (single.n, single.bias, single.sd, single.p95_abs) == (1, -2.5, 0.0, 2.5)


def test_the_programmed_delay_is_no_truth() -> None:
    """An agent that missed its own programme by 30 ms is compared with what it did."""
    found = Comparison(
        call_id="c", index=0, measured_ms=530.0, truth_ms=529.0, packet_truth_ms=529.0, programmed_ms=500.0
    )
    assert found.error_ms == pytest.approx(1.0)
