"""The timing of a call from talks at known times and packets at known places: no sound is looked at.

Packets go each 20 ms from call time 1 on, in both directions; some are late.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from harness.analysis import timing
from harness.analysis.timing import CallTiming, agent_notices, call_timing, never_arrived, sent_at_all
from harness.calls.voice.packet_times import PacketTimes
from harness.records.call import Event, Gap, SpokenUtterance
from harness.records.timeline import MESSAGES_DROPPED
from metrics.detection.line_echo import EchoPath, LineEcho
from metrics.interaction.interruption import AgentNotices
from metrics.interaction.on_wire import OnWire
from metrics.score import Status
from metrics.spans import Span
from metrics.speech import SpeechActivity, Talk

COUNT = 1400


def _activity(*talks: tuple[float, float], energy: tuple[Span, ...] = (), doubt: str = "") -> SpeechActivity:
    spans = [Span(start_s=start, end_s=end) for start, end in talks]
    return SpeechActivity(
        talks=tuple(Talk(span=span, clusters=(span,), onset_doubt=doubt) for span in spans),
        energy=energy,
        silero=(),
        webrtcvad=(),
        noise_floor_dbfs=None,
        threshold_dbfs=-48.0,
    )


def _said(index: int, start_s: float, end_s: float, kind: str = "turn", **more: Any) -> SpokenUtterance:
    made = {"index": index, "text": "x", "kind": kind, "start_s": start_s, "end_s": end_s, "audio_sha256": ""}
    return SpokenUtterance.model_validate(made | more)


def _packets(late_ms: dict[int, float] | None = None, *, noise_s: float = 0.0) -> PacketTimes:
    media_s = np.arange(COUNT) * 0.02
    late_s = np.array([(late_ms or {}).get(index, 0.0) for index in range(COUNT)]) / 1000
    return PacketTimes(
        media_s=media_s, passed_s=1.0 + media_s + late_s, placed_s=1.0 + media_s, noise_s=noise_s
    )


def _timing(activity: SpeechActivity, *said: SpokenUtterance, **more: Any) -> CallTiming:
    options: dict[str, Any] = {
        "gaps": (),
        "sent": PacketTimes(),
        "received": PacketTimes(),
        "events": (),
        "interruption_resolution_s": 0.02,
        "end_s": 25.0,
    }
    return call_timing(activity, utterances=said, **(options | more))


TURN = _said(0, 5.0, 7.2)
OUT, IN = round(6.2 / 0.02), round(7.0 / 0.02)
"""The packets with the turn's last sample and with the onset of an answer at 8 s."""
ANSWER = _activity((8.005, 9.0))


def _event(t: float, kind: str, source: str = "rtvi") -> Event:
    return Event(t=t, side="agent", kind=kind, source=source)


def test_both_edges_of_an_answer_widen_its_bar_and_move_it_where_they_stray() -> None:
    """The packet with the onset came 12 ms late and 1 ms is open around it; ours left 7 ms late, and 2 ms."""
    late = _timing(
        ANSWER, TURN, sent=_packets({OUT: 7.0}, noise_s=0.002), received=_packets({IN: 12.0}, noise_s=0.001)
    )
    [wire], [latency] = late.on_wire, late.latencies
    assert wire is not None
    assert (wire.from_to_s, wire.passed_s) == pytest.approx((0.81, 0.81))
    assert wire.jitter_s == pytest.approx(0.007 + 0.006 + 0.012 + 0.003)
    assert wire.heard_s == pytest.approx(0.81)
    assert wire.strays
    assert latency.latency_s == pytest.approx(0.81)
    assert late.per_packet_s == [wire.passed_s]


@pytest.mark.parametrize(
    ("out_ms", "in_ms", "latency_s"),
    [(7.0, 0.0, 0.798), (0.0, 12.0, 0.817), (1.9, 1.5, 0.805), (0.0, 0.0, 0.805)],
)
def test_either_edge_that_strays_is_by_arrival(out_ms: float, in_ms: float, latency_s: float) -> None:
    found = _timing(ANSWER, TURN, sent=_packets({OUT: out_ms}), received=_packets({IN: in_ms}))
    [latency], [wire], [passed_s] = found.latencies, found.on_wire, found.per_packet_s
    assert latency.latency_s == pytest.approx(latency_s)
    assert wire is not None
    assert wire.strays is (out_ms > 2 or in_ms > 2)
    assert passed_s == pytest.approx(0.805 + (in_ms - out_ms) / 1000)
    # The answer was heard when it came, from when ours left by what is believed of that.
    assert wire.heard_s == pytest.approx(0.805 + (in_ms - (out_ms if out_ms > 2 else 0.0)) / 1000)


def test_without_packets_of_both_sides_nothing_is_said_of_the_wire() -> None:
    for packets in ({}, {"sent": _packets()}, {"received": _packets()}):
        found = _timing(ANSWER, TURN, **packets)
        assert (found.on_wire, found.per_packet_s) == ([None], [None])
        assert found.latencies[0].latency_s == pytest.approx(0.805)
    unanswered = _timing(_activity(), TURN, sent=_packets(), received=_packets())
    assert unanswered.on_wire == [None]


def test_more_than_50_ms_open_is_no_figure() -> None:
    """What both clocks leave open alone: three times 8 ms and a little over 8 ms."""
    for noise_s, status in ((0.0083, Status.MEASURED), (0.0084, Status.INDETERMINATE)):
        packets = _packets(noise_s=noise_s)
        [latency] = _timing(ANSWER, TURN, sent=packets, received=packets).latencies
        assert latency.status is status
    assert latency.latency_s is None
    assert latency.reason.startswith("single packets say 805 ms, ±50 ms")
    # A reason that stood before stays.
    [doubtful] = _timing(
        _activity((8.005, 9.0), doubt="apart"), TURN, sent=packets, received=packets
    ).latencies
    assert (doubtful.status, doubtful.reason) == (Status.INDETERMINATE, "apart")


def test_exactly_the_bound_is_a_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "MAX_JITTER_S", 6 / 128)
    packets = _packets(noise_s=1 / 128)
    [latency] = _timing(ANSWER, TURN, sent=packets, received=packets).latencies
    assert latency.status is Status.MEASURED


def test_backchannels_and_lines_cut_short_want_no_answer_and_barge_ins_want_one() -> None:
    said = [
        TURN,
        _said(1, 8.1, 8.3, "backchannel"),
        _said(2, 10.0, 11.0, cut_short=True),
        _said(3, 12.0, 13.0, "barge_in"),
    ]
    found = _timing(_activity((8.005, 9.0), (11.5, 12.4), (13.7, 15.0)), *said)
    assert [(one.index, one.latency_s) for one in found.latencies] == [
        (0, pytest.approx(0.805)),
        (3, pytest.approx(0.7)),
    ]
    [interruption] = found.interruptions
    assert (interruption.index, interruption.outcome) == (3, "stopped")
    assert interruption.delay_s == pytest.approx(0.4)


def test_what_begins_inside_a_line_that_was_cut_short_is_no_answer_to_the_one_before() -> None:
    cut = _said(1, 10.0, 11.0, cut_short=True)
    [latency] = _timing(_activity((10.5, 14.0)), TURN, cut).latencies
    assert (latency.index, latency.answer, latency.latency_s) == (0, None, None)


def test_gaps_of_the_agents_side_and_sounds_that_are_no_speech_reach_the_latency() -> None:
    lost = [
        Gap(side="agent", start_s=7.9, end_s=8.0, packets=5),
        Gap(side="caller", start_s=2, end_s=3, packets=50),
    ]
    assert never_arrived(lost) == [Span(start_s=7.9, end_s=8.0)]
    [hidden] = _timing(ANSWER, TURN, gaps=lost).latencies
    assert hidden.status is Status.INDETERMINATE
    sound = (Span(start_s=9.0, end_s=9.5),)
    [nothing] = _timing(_activity(energy=sound), TURN, end_s=17.2).latencies
    assert nothing.reason == (
        "no answer within 10.0 s, until the caller spoke again or the call ended; "
        "there is sound from 9.0 s on, but it is no speech"
    )


BARGE_IN = _said(0, 10.0, 12.0, "barge_in")


def test_an_interruption_is_judged_by_the_error_bar_the_call_s_end_and_what_was_lost() -> None:
    stops = _activity((8.0, 10.45))
    for resolution_s, within in ((0.04, True), (0.06, None)):
        [found] = _timing(stops, BARGE_IN, interruption_resolution_s=resolution_s).interruptions
        assert (found.outcome, found.within_500ms) == ("stopped", within)
    [cut] = _timing(stops, BARGE_IN, end_s=10.9).interruptions
    assert cut.outcome == "indeterminate"
    lost = [Gap(side="agent", start_s=10.45, end_s=10.5, packets=2)]
    [hidden] = _timing(stops, BARGE_IN, gaps=lost).interruptions
    assert hidden.outcome == "indeterminate"


def test_a_stop_is_by_the_packets_at_both_of_its_edges_and_heard_after_the_heap_before_it() -> None:
    """Ours left 5 ms late; the packet with the stop at 10.45 s came 12 ms late, one 0.5 s before it 30 ms."""
    stop, begin = round(9.44 / 0.02), round(9.0 / 0.02)
    received = _packets({stop: 12.0, stop - 25: 30.0, 340: 90.0})
    [found] = _timing(
        _activity((8.0, 10.45)), BARGE_IN, sent=_packets({begin: 5.0}), received=received
    ).interruptions
    assert found.on_wire == OnWire(
        from_to_s=pytest.approx(0.45 + 0.012 - 0.005),  # type: ignore[arg-type]
        jitter_s=pytest.approx(0.017),  # type: ignore[arg-type]
        passed_s=pytest.approx(0.457),  # type: ignore[arg-type]
        heard_s=pytest.approx(0.45 + 0.03 - 0.005),  # type: ignore[arg-type]
        strays=True,
    )
    assert found.delay_s == pytest.approx(0.457)


def test_what_an_agent_tells_of_itself() -> None:
    """That it speaks is known of agents that tell whether they do; any report of an interruption is one."""
    events = [
        _event(1.0, "bot-started-speaking", "livekit"),
        _event(2.5, "bot-interrupted", "rtvi"),
        _event(3.0, "user-started-speaking"),
        _event(4.0, "bot-interrupted", "oai-events"),
    ]
    assert agent_notices(events) == AgentNotices(speaks=True, interrupted_s=(2.5, 4.0))
    assert agent_notices(events[1:]) == AgentNotices(speaks=False, interrupted_s=(2.5, 4.0))
    for source, speaks in (("rtvi", True), ("livekit", True), ("oai-events", True), ("vad", False)):
        assert agent_notices([_event(1.0, "bot-started-speaking", source)]).speaks is speaks
    started = [_event(8.0, "bot-started-speaking")]
    [silent] = _timing(_activity((8.0, 10.4)), BARGE_IN, events=started).interruptions
    assert (silent.outcome, silent.basis) == ("stopped", "timing alone")
    dropped = [
        *events,
        Event(t=5.0, side="agent", kind=MESSAGES_DROPPED, source="wire", data={"too many": 1}),
    ]
    assert agent_notices(dropped) == AgentNotices(speaks=True, interrupted_s=(2.5, 4.0), dropped=True)


def test_a_stream_goes_from_its_first_packet_to_the_end_of_its_last() -> None:
    def placed(*at_s: float) -> PacketTimes:
        return PacketTimes(placed_s=np.array(at_s))

    assert sent_at_all(placed()) is None
    assert sent_at_all(placed(1.0, 2.0)) == Span(start_s=1.0, end_s=2.02)
    assert sent_at_all(placed(-1.0, 2.0)) == Span(start_s=0.0, end_s=2.02)
    assert sent_at_all(placed(-2.0, -1.0)) == Span(start_s=0.0, end_s=0.0)
    assert sent_at_all(placed(3.0)) == Span(start_s=3.0, end_s=3.02)
    # A packet that sounds for 400 ms, and one of 10 ms.
    long = replace(placed(1.0, 2.0), sound_s=np.array([0.4, 0.4]))
    assert sent_at_all(long) == Span(start_s=1.0, end_s=2.4)
    short = replace(placed(1.0, 2.0), sound_s=np.array([0.01, 0.01]))
    assert sent_at_all(short) == Span(start_s=1.0, end_s=2.02)


def test_sound_lost_beside_a_pause_lies_at_one_of_its_ends() -> None:
    def gap(sound_s: float | None) -> Gap:
        return Gap(side="agent", start_s=2.0, end_s=8.0, packets=1, sound_s=sound_s)

    assert never_arrived([gap(0.25)]) == [Span(start_s=2.0, end_s=2.25), Span(start_s=7.75, end_s=8.0)]
    # Enough for an answer may lie anywhere.
    assert never_arrived([gap(0.3)]) == never_arrived([gap(None)]) == [Span(start_s=2.0, end_s=8.0)]


def test_an_onset_behind_a_pause_is_open_by_the_packet_that_was_lost() -> None:
    """The answer begins with the packet after the pause: it may have begun in the lost one, 20 ms before, and
    not in the 6 s of the pause."""
    lost = Gap(side="agent", start_s=6.0, end_s=12.0, packets=1, sound_s=0.02)
    [latency] = _timing(_activity((12.0, 14.0)), _said(0, 5.0, 6.5), gaps=[lost]).latencies
    assert (latency.status, latency.hidden_s) == (Status.INDETERMINATE, pytest.approx(0.02))
    [clear] = _timing(_activity((12.03, 14.0)), _said(0, 5.0, 6.5), gaps=[lost]).latencies
    assert clear.latency_s == pytest.approx(5.53)


@pytest.mark.parametrize(
    ("end_s", "whole"),
    [(2.375, True), (2.5, True), (2.625, False)],
)
def test_sound_that_fills_half_of_a_gap_leaves_none_of_it_out(end_s: float, whole: bool) -> None:
    """0.25 s at either end: up to a gap of 0.5 s they meet."""
    gap = Gap(side="agent", start_s=2.0, end_s=end_s, packets=1, sound_s=0.25)
    all_of_it = [Span(start_s=2.0, end_s=end_s)]
    both_ends = [Span(start_s=2.0, end_s=2.25), Span(start_s=end_s - 0.25, end_s=end_s)]
    assert never_arrived([gap]) == (all_of_it if whole else both_ends)


def test_a_short_gap_that_is_all_sound_is_lost_as_a_whole() -> None:
    gap = Gap(side="agent", start_s=2.0, end_s=2.125, packets=6)
    assert never_arrived([gap]) == [Span(start_s=2.0, end_s=2.125)]


def test_what_the_caller_s_own_voice_may_hide_is_no_missing_answer() -> None:
    echo = LineEcho(
        path=EchoPath(delay_s=0.2, gain_db=-20.0, talks=3, seconds=4.0), heard=(Span(start_s=8.0, end_s=9.0),)
    )
    [latency] = _timing(replace(_activity(), echo=echo), TURN).latencies
    assert latency.status is Status.INDETERMINATE
    assert latency.reason.startswith("nothing else followed, and the caller's own voice comes back")


def test_only_the_wire_tells_of_messages_that_were_dropped_and_only_in_words_of_its_own() -> None:
    of_another = _event(1.0, MESSAGES_DROPPED)
    of_the_wire = _event(2.0, "gap", source="wire")
    assert agent_notices([of_another, of_the_wire]) == AgentNotices()


def test_packets_that_leave_an_answer_open_bound_its_latency() -> None:
    """The packet with the onset at 8.005 s came 900 ms late, with all behind it that were due by then: the
    agent's clock says 0.805 s, the wire 1.705."""
    heap = {IN + behind: 900.0 - 20.0 * behind for behind in range(45)}
    found = _timing(ANSWER, TURN, sent=_packets(), received=_packets(heap))
    [latency], [wire] = found.latencies, found.on_wire
    assert wire is not None
    assert (latency.status, latency.latency_s) == (Status.INDETERMINATE, None)
    assert latency.between_s == pytest.approx(
        (wire.from_to_s - wire.jitter_s, wire.from_to_s + wire.jitter_s)
    )
    low_s, high_s = latency.between_s or (0.0, 0.0)
    assert low_s <= 0.805 + 1e-9
    assert high_s >= 1.705 - 1e-9


def test_bounds_of_a_doubtful_onset_move_and_widen_with_its_packets() -> None:
    """20 ms between two onsets; the packet with the first came 12 ms late, and is by arrival."""
    span = Span(start_s=8.005, end_s=9.0)
    talk = Talk(span=span, clusters=(span,), onset_doubt="two", onset_in=Span(start_s=8.005, end_s=8.025))
    activity = replace(_activity(), talks=(talk,))
    [plain] = _timing(activity, TURN).latencies
    assert plain.between_s == pytest.approx((0.805, 0.825))
    found = _timing(activity, TURN, sent=_packets(), received=_packets({IN: 12.0}))
    [late], [wire] = found.latencies, found.on_wire
    assert wire is not None
    assert wire.strays
    assert (late.status, late.latency_s) == (Status.INDETERMINATE, None)
    assert late.between_s == pytest.approx((0.817 - wire.jitter_s, 0.837 + wire.jitter_s))
    unknown = replace(activity, talks=(replace(talk, onset_in=None),))
    [nothing] = _timing(unknown, TURN, sent=_packets(), received=_packets({IN: 12.0})).latencies
    assert nothing.between_s is None
