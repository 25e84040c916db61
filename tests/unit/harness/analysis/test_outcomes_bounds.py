"""Which of a call's times and events an outcome is made of, one by one; bounds to the last sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from harness.analysis.analysed_call import CallMaterial, Ending
from harness.analysis.outcomes import line_of, turn_of, with_outcomes
from harness.analysis.timing import CallTiming
from harness.calls.voice.packet_times import PacketTimes
from harness.records.call import CallStatus, Event, Gap, SpokenUtterance
from harness.records.scores import TurnTiming
from metrics.detection.line_echo import EchoPath, LineEcho
from metrics.interaction.interruption import Interruption
from metrics.interaction.outcome import TurnOutcome
from metrics.interaction.turns import Turn, WaitEnd
from metrics.score import Status
from metrics.spans import Span
from metrics.speech import SpeechActivity, Talk
from tests.unit.harness.analysis.test_outcomes import (
    COMPLETED,
    GAVE_UP,
    HUNG_UP,
    TRANSFERRED,
    heard,
    judged,
    outcomes,
    said,
)

ECHO = LineEcho(path=EchoPath(delay_s=0.2, gain_db=-20.0, talks=3, seconds=4.0))


def timed(
    *talks: tuple[float, float],
    interruptions: Sequence[Interruption] = (),
    echo: LineEcho | None = None,
    tones: bool = False,
) -> CallTiming:
    spans = [Span(start_s=start, end_s=end) for start, end in talks]
    activity = SpeechActivity(
        talks=tuple(Talk(span=one, clusters=(one,), soft_end=True) for one in spans),
        energy=tuple(spans),
        silero=(),
        webrtcvad=(),
        noise_floor_dbfs=None,
        threshold_dbfs=-48.0,
        marker_tones=tones,
        echo=echo,
    )
    return CallTiming(agent=activity, latencies=[], on_wire=[], interruptions=list(interruptions))


def call_of(*utterances: SpokenUtterance, ending: Ending = COMPLETED, **more: Any) -> CallMaterial:
    return CallMaterial(call_id="c", utterances=utterances, end_s=30.0, ending=ending, **more)


def row(latency_ms: float | None, resolution_ms: float | None) -> TurnTiming:
    return TurnTiming(
        index=0,
        user_start_s=10.0,
        user_end_s=12.0,
        latency_ms=latency_ms,
        status=Status.NOT_APPLICABLE if latency_ms is None else Status.MEASURED,
        reason="no answer" if latency_ms is None else "",
        outcome=TurnOutcome.NOT_ANSWERED if latency_ms is None else TurnOutcome.ANSWERED,
        resolution_ms=resolution_ms,
    )


# --- the turn and the wait for its answer


def test_a_turn_waits_until_the_next_of_the_caller_s_turns() -> None:
    utterances = [
        said(0, 10, 12),
        said(1, 13, 13.4, kind="backchannel"),
        said(2, 16, 17),
        said(3, 20, 21),
    ]
    assert turn_of(utterances[0], None, call_of(*utterances), timed()) == Turn(
        span=Span(start_s=10.0, end_s=12.0), until_s=16.0, ended=WaitEnd.CALLER_SPOKE
    )
    assert turn_of(utterances[2], None, call_of(*utterances), timed()).until_s == 20.0
    assert [turn.waited_ms for turn in judged([said(0, 10, 12), said(1, 16, 17), said(2, 20, 21)])] == [
        4000.0,
        3000.0,
        None,
    ]


def test_a_turn_into_which_the_caller_speaks_again_waits_for_no_time() -> None:
    utterances = [said(0, 10, 12), said(1, 11, 13)]
    assert turn_of(utterances[0], None, call_of(*utterances), timed()) == Turn(
        span=Span(start_s=10.0, end_s=12.0), until_s=12.0, ended=WaitEnd.CALLER_SPOKE
    )


@pytest.mark.parametrize(
    ("latency_ms", "resolution_ms", "latency_s", "resolution_s"),
    [(-250.0, 31.25, -0.25, 0.03125), (None, 31.25, None, 0.03125), (500.0, None, 0.5, 0.0)],
)
def test_the_last_turn_waits_to_the_end_of_the_call_with_its_figures_in_seconds(
    latency_ms: float | None, resolution_ms: float | None, latency_s: float | None, resolution_s: float
) -> None:
    turn = said(0, 10, 12)
    material = call_of(turn, ending=GAVE_UP)
    assert turn_of(turn, row(latency_ms, resolution_ms), material, timed(), stopped=True) == Turn(
        span=Span(start_s=10.0, end_s=12.0),
        until_s=30.0,
        ended=WaitEnd.CALLER_GAVE_UP,
        stopped_for=True,
        latency_s=latency_s,
        resolution_s=resolution_s,
    )


@pytest.mark.parametrize(
    ("ending", "sounds", "ended"),
    [
        (HUNG_UP, (), WaitEnd.AGENT_HUNG_UP),
        (Ending(status=CallStatus.CONNECTION_LOST, reason="gave_up"), (), WaitEnd.CONNECTION_LOST),
        (TRANSFERRED, (), WaitEnd.TRANSFERRED),
        (Ending(status=CallStatus.CALLER_HANGUP, reason="no_greeting"), (), WaitEnd.CALLER_GAVE_UP),
        # It waited for 10 s.
        (Ending(status=CallStatus.TIMEOUT, patience_s=10.0), (), WaitEnd.CALLER_GAVE_UP),
        (Ending(status=CallStatus.TIMEOUT, patience_s=10.001), (), WaitEnd.OURS),
        (COMPLETED, ((15.0, 16.0), (21.0, 21.5)), WaitEnd.CALLER_TOOK_A_SOUND),
        # What ends as the caller does came before.
        (COMPLETED, ((15.0, 20.0),), WaitEnd.OURS),
        (Ending(status=CallStatus.TIMEOUT), ((21.0, 21.5),), WaitEnd.OURS),
        (COMPLETED, (), WaitEnd.OURS),
    ],
)
def test_what_ended_the_wait_of_the_last_turn(
    ending: Ending, sounds: Sequence[tuple[float, float]], ended: WaitEnd
) -> None:
    turn = said(0, 18, 20)
    assert turn_of(turn, None, call_of(turn, ending=ending), timed(*sounds)).ended is ended


def test_keys_ask_for_no_answer() -> None:
    (pressed,) = judged([said(0, 10, 12, "1 2", pressed="12")], ending=GAVE_UP)
    assert (pressed.outcome, pressed.outcome_reason) == (
        "not_due",
        "keys were pressed: how long an agent waits for more of them is its own matter",
    )


@pytest.mark.parametrize(
    ("status", "named"),
    [(CallStatus.HARNESS_FAULT, "harness fault"), (CallStatus.INTERRUPTED, "interrupted")],
)
def test_a_call_that_says_nothing_of_the_agent_says_so_in_every_row(status: CallStatus, named: str) -> None:
    found = judged([said(0, 10, 12), said(1, 18, 20)], [(12.5, 14)], ending=Ending(status=status))
    assert [turn.outcome_reason for turn in found] == [
        f"the call is {named}: it says nothing about the agent"
    ] * 2


# --- what is known of the call beside the turn


def test_a_line_has_all_that_is_known_of_the_call() -> None:
    material = call_of(
        said(0, 10, 12),
        said(1, 18, 20, kind="backchannel"),
        ending=HUNG_UP,
        gaps=[Gap(side="agent", start_s=14.0, end_s=15.0, packets=50)],
        events=[
            Event(t=13.5, side="agent", kind="bot-interrupted", source="rtvi"),
            Event(t=16.0, side="agent", kind="bot-started-speaking", source="rtvi"),
        ],
        received=PacketTimes(placed_s=np.array([1.0, 2.0])),
    )
    timing = timed((13.0, 13.4), echo=ECHO)
    line = line_of(timing, material, [heard("Mm.", 13, 13.4), heard("and", 17, 17.4)], recognised=True)
    assert line.talks == timing.agent.talks
    assert line.caller == [Span(start_s=10.0, end_s=12.0), Span(start_s=18.0, end_s=20.0)]
    assert line.lost == [Span(start_s=14.0, end_s=15.0)]
    assert line.echo is ECHO
    assert (line.end_s, line.last_packet_s, line.hung_up) == (30.0, 2.02, True)
    assert line.interrupted_s == (13.5,)
    assert line.tones is False
    assert line.says_something([Span(start_s=13.0, end_s=13.4)]) is False
    assert line.breaks_off(Span(start_s=17.0, end_s=17.4))
    assert not line.breaks_off(Span(start_s=13.0, end_s=13.4))


def test_a_line_of_tones_has_no_words_and_one_without_packets_no_last_one() -> None:
    line = line_of(timed(tones=True), call_of(), [heard("Mm.", 13, 13.4)], recognised=True)
    assert line.tones
    assert line.says_something([Span(start_s=13.0, end_s=13.4)]) is None
    assert (line.last_packet_s, line.hung_up, line.interrupted_s) == (None, False, ())


def test_our_recogniser_s_words_count_only_where_it_listened() -> None:
    line = line_of(timed(), call_of(), [heard("Mm.", 13, 13.4)], recognised=False)
    assert line.says_something([Span(start_s=13.0, end_s=13.4)]) is None


def test_who_hangs_up_or_is_interrupted_in_its_own_reply_breaks_off() -> None:
    (hung_up,) = judged([said(0, 10, 12)], [(29, 30)], ending=HUNG_UP, soft=False)
    assert (hung_up.outcome, hung_up.outcome_reason) == (
        "answered_in_part",
        "the agent hung up in the middle of its reply",
    )
    reported = [Event(t=15.0, side="agent", kind="bot-interrupted", source="rtvi")]
    assert outcomes([said(0, 10, 12)], [(13, 15)], events=reported) == ["answered_in_part"]
    assert outcomes([said(0, 10, 12)], [(13, 15)]) == ["answered"]


def test_only_an_interruption_that_stopped_the_agent_excuses_it() -> None:
    turn = said(0, 10, 12, kind="barge_in")
    for outcome, became in (("stopped", "answered"), ("not_stopped", "talked_over")):
        one = Interruption(index=0, outcome=outcome)  # type: ignore[arg-type]
        timing = timed((8, 12.5), (13.5, 16), interruptions=[one])
        [found] = with_outcomes([], timing=timing, material=call_of(turn), lines=[], recognised=True)
        assert found.outcome == became
        assert found.reason == (found.outcome_reason or "its latency was not looked for")


def test_an_onset_is_early_where_it_is_so_by_more_than_the_error_bar() -> None:
    """Of 20 ms: a hundredth of a millisecond decides."""
    for early_ms, became in ((19.99, "answered"), (20.01, "talked_over")):
        onset_s = 12.0 - early_ms / 1000
        assert outcomes([said(0, 10, 12)], [(onset_s, 15)], measured={0: -early_ms}) == [became]
