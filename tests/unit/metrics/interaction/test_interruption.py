"""Interruptions on timelines worked out by hand: did the agent stop, when, and was that within 500 ms."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from metrics.interaction.interruption import (
    ENDED_TOO_EARLY,
    AgentNotices,
    AtWire,
    BargeIn,
    Interruption,
    Outcome,
    interruptions,
)
from metrics.interaction.on_wire import OnWire
from metrics.spans import Span
from metrics.speech import Talk

RESOLUTION_S = 0.02


def _talk(
    *clusters: tuple[float, float], doubt: str = "", soft: bool = False, open_s: tuple[float, ...] = ()
) -> Talk:
    parts = tuple(Span(start_s=start, end_s=end) for start, end in clusters)
    return Talk(
        span=Span(start_s=parts[0].start_s, end_s=parts[-1].end_s),
        clusters=parts,
        end_doubt=doubt,
        soft_end=soft,
        open_s=open_s,
    )


def _judge(
    talks: list[Talk],
    *,
    start_s: float = 10.0,
    end_s: float = 12.0,
    notices: AgentNotices = AgentNotices(),  # noqa: B008 - frozen
    gaps: tuple[tuple[float, float], ...] = (),
    resolution_s: float = RESOLUTION_S,
    call_end_s: float = 60.0,
    on_wire: AtWire | None = None,
) -> Interruption:
    [found] = interruptions(
        [BargeIn(index=3, start_s=start_s, end_s=end_s)],
        talks,
        notices=notices,
        gaps=[Span(start_s=start, end_s=end) for start, end in gaps],
        resolution_s=resolution_s,
        call_end_s=call_end_s,
        on_wire=on_wire,
    )
    assert found.index == 3
    # A delay belongs to a stop, a censored time to none, a verdict to a delay.
    assert (found.delay_s is not None) == (found.outcome == "stopped")
    assert (found.censored_s is not None) == (
        found.outcome == "not_stopped" or found.reason == ENDED_TOO_EARLY
    )
    assert found.within_500ms is None or found.outcome == "stopped"
    assert found.reason or found.outcome == "stopped"
    return found


@dataclass(frozen=True)
class Case:
    """The user interrupts from 10 to 12 s, an agent that has been speaking since 8 s."""

    name: str
    talks: tuple[Talk, ...]
    outcome: Outcome
    delay_ms: float | None = None
    within: bool | None = None


CASES = [
    Case("stops after 300 ms", (_talk((8, 10.3)), _talk((13, 14))), "stopped", 300, True),
    Case("stops after 700 ms", (_talk((8, 10.7)), _talk((13, 14))), "stopped", 700, False),
    Case("stops after 479 ms: clear of the line", (_talk((8, 10.479)),), "stopped", 479, True),
    Case("stops after 521 ms: clear of the line", (_talk((8, 10.521)),), "stopped", 521, False),
    Case("stops after 490 ms: the error bar straddles 500", (_talk((8, 10.49)),), "stopped", 490, None),
    Case("stops after 510 ms: the error bar straddles 500", (_talk((8, 10.51)),), "stopped", 510, None),
    Case("falls silent after 40 ms: had ended by itself", (_talk((8, 10.04)),), "ended_by_itself"),
    Case("had ended before", (_talk((8, 9.9)), _talk((13, 14))), "ended_by_itself"),
    Case("never spoke", (), "ended_by_itself"),
    Case("had not begun yet", (_talk((10.5, 13)),), "ended_by_itself"),
    Case("speaks on for 6 s", (_talk((8, 16)),), "not_stopped"),
    Case("speaks on for 2.6 s", (_talk((8, 12.6)),), "not_stopped"),
    Case("stops slowly, after 2.3 s, 0.3 s after the user", (_talk((8, 12.3)),), "stopped", 2300, False),
    Case("a pause of 0.4 s while the user speaks is no stop", (_talk((8, 10.4), (10.8, 16)),), "not_stopped"),
    Case(
        "quiet for 0.55 s around the user's end: a stop with a quick answer, or a pause",
        (_talk((8, 11.5), (12.05, 14)),),
        "indeterminate",
    ),
    Case(
        "interrupted in a pause, speaks on and stops", (_talk((8, 9.9), (10.1, 10.6)),), "stopped", 600, False
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_interruption_from_10_to_12_s(case: Case) -> None:
    found = _judge(list(case.talks))
    assert found.outcome == case.outcome, found.reason
    if case.delay_ms is not None:
        assert found.delay_s is not None
        assert found.delay_s * 1000 == pytest.approx(case.delay_ms, abs=1e-6)
        assert found.agent_stop_s == pytest.approx(10.0 + case.delay_ms / 1000)
        assert found.agent_onset_s == 8.0
    assert found.within_500ms is case.within


def test_a_quick_answer_is_told_from_a_pause_by_what_the_agent_reports() -> None:
    talks = [_talk((8, 11.5), (12.05, 14))]
    found = _judge(talks, notices=AgentNotices(speaks=True, interrupted_s=(11.45,)))
    assert (found.outcome, found.agent_stop_s) == ("stopped", 11.5)
    of_another = AgentNotices(speaks=True, interrupted_s=(30.0,))
    assert _judge(talks, notices=of_another).outcome == "ended_by_itself"
    # One that has reported no interruption in the whole call may be one that reports none.
    assert _judge(talks, notices=AgentNotices(speaks=True)).outcome == "indeterminate"


def test_who_did_not_stop_is_censored_at_what_was_heard() -> None:
    assert _judge([_talk((8, 16))]).censored_s == pytest.approx(6.0)
    # Also where the call was hung up while it still spoke.
    assert _judge([_talk((8, 13))], call_end_s=13.0).censored_s == pytest.approx(3.0)


@pytest.mark.parametrize("call_end_s", [10.3, 10.5, 10.89])
def test_a_call_that_ended_too_early_does_not_show_whether_the_agent_would_have_stopped(
    call_end_s: float,
) -> None:
    found = _judge([_talk((8, 10.3))], call_end_s=call_end_s)
    assert found.outcome == "indeterminate"
    assert "call ended" in found.reason
    # It had not stopped before: that much is known of its delay.
    assert found.censored_s == pytest.approx(0.3)


def test_0_6_s_of_quiet_before_the_end_of_the_call_are_enough() -> None:
    assert _judge([_talk((8, 10.3))], call_end_s=10.91).outcome == "stopped"


@pytest.mark.parametrize(
    ("gap", "outcome"),
    [
        ((10.3, 10.5), "indeterminate"),
        ((10.31, 10.5), "indeterminate"),
        ((10.2, 10.31), "indeterminate"),
        # One frame, 20 ms after the last speech heard at the furthest.
        ((10.319, 10.339), "indeterminate"),
        ((10.321, 10.341), "stopped"),
        # What was heard last may be the decoder's, which rings on after a loss.
        ((10.196, 10.216), "indeterminate"),
        ((10.194, 10.214), "stopped"),
        # A word's length, within the pause that a talk may have.
        ((10.4, 10.501), "indeterminate"),
        ((10.4, 10.499), "stopped"),
        ((10.89, 11.2), "indeterminate"),
        ((10.91, 11.2), "stopped"),
        ((9.0, 9.5), "stopped"),
    ],
)
def test_lost_audio_around_the_last_speech_may_hide_more_of_it(
    gap: tuple[float, float], outcome: Outcome
) -> None:
    assert _judge([_talk((8, 10.3))], gaps=(gap,)).outcome == outcome


def test_a_doubtful_end_is_no_figure_unless_the_stop_lies_elsewhere() -> None:
    found = _judge([_talk((8, 10.3), doubt="the detectors disagree")])
    assert (found.outcome, found.reason) == ("indeterminate", "the detectors disagree")
    elsewhere = _judge(
        [_talk((8, 11.5), (12.05, 14), doubt="the detectors disagree")],
        notices=AgentNotices(speaks=True, interrupted_s=(11.45,)),
    )
    assert elsewhere.outcome == "stopped"


def test_a_stop_in_a_soft_ending_is_flagged() -> None:
    assert _judge([_talk((8, 10.3), soft=True)]).stopped_in_pause
    assert not _judge([_talk((8, 10.3))]).stopped_in_pause


@pytest.mark.parametrize(
    ("reported_s", "outcome"),
    [
        # The stop is at 10.3 s.
        ((10.25,), "stopped"),
        ((9.96,), "stopped"),
        ((10.44,), "stopped"),
        # Reported 0.3 s after it had fallen silent: it may have ended by itself.
        ((10.6,), "indeterminate"),
        ((11.7,), "indeterminate"),
        # Far too late, or about another interruption.
        ((12.0,), "ended_by_itself"),
        ((5.0,), "ended_by_itself"),
        ((5.0, 10.28), "stopped"),
    ],
)
def test_an_agent_that_reports_its_interruptions_is_believed(
    reported_s: tuple[float, ...], outcome: Outcome
) -> None:
    found = _judge([_talk((8, 10.3))], notices=AgentNotices(speaks=True, interrupted_s=reported_s))
    assert found.outcome == outcome, found.reason
    if outcome == "stopped":
        assert found.within_500ms is True
        assert "messages" in found.basis


@pytest.mark.parametrize(
    "notices",
    [
        AgentNotices(speaks=True),
        AgentNotices(speaks=True, interrupted_s=(40.0,), dropped=True),
        AgentNotices(speaks=True, dropped=True),
    ],
)
def test_the_silence_of_an_agent_that_may_report_no_interruption_proves_nothing(
    notices: AgentNotices,
) -> None:
    """It tells when it speaks, and has told of no interruption in the call; or messages were dropped, and
    that of this interruption may be among them. Speech cut at full level was stopped; a sentence's end may
    be either."""
    cut = _judge([_talk((8, 10.3))], notices=notices)
    assert (cut.outcome, cut.basis, cut.within_500ms) == ("stopped", "timing alone", True)
    ended = _judge([_talk((8, 10.3), soft=True)], notices=notices)
    assert (ended.outcome, ended.basis) == ("indeterminate", "timing alone")
    assert "dropped" in ended.reason if notices.dropped else "none in the call" in ended.reason


def test_a_report_that_did_come_counts_whatever_was_dropped() -> None:
    notices = AgentNotices(speaks=True, interrupted_s=(10.28,), dropped=True)
    found = _judge([_talk((8, 10.3), soft=True)], notices=notices)
    assert (found.outcome, found.basis) == ("stopped", "timing and the agent's own messages")


def test_an_agent_that_reports_nothing_at_all_is_judged_by_its_timing() -> None:
    found = _judge([_talk((8, 10.3))], notices=AgentNotices(speaks=False))
    assert (found.outcome, found.basis) == ("stopped", "timing alone")


def test_an_agent_that_says_it_was_interrupted_and_speaks_on_did_not_stop() -> None:
    found = _judge([_talk((8, 16))], notices=AgentNotices(speaks=True, interrupted_s=(10.2,)))
    assert found.outcome == "not_stopped"


def test_a_wider_error_bar_gives_fewer_verdicts() -> None:
    assert _judge([_talk((8, 10.44))], resolution_s=0.02).within_500ms is True
    assert _judge([_talk((8, 10.44))], resolution_s=0.07).within_500ms is None
    # On the bar itself no verdict can be given either.
    assert _judge([_talk((8, 10.5))], resolution_s=0.0).within_500ms is None


def test_several_interruptions_are_judged_each_by_its_own_speech() -> None:
    talks = [_talk((1, 3.3)), _talk((5, 7.9)), _talk((9, 20))]
    found = interruptions(
        [BargeIn(index=n, start_s=s, end_s=s + 1.0) for n, s in ((0, 3.0), (1, 7.0), (2, 11.0))],
        talks,
        resolution_s=RESOLUTION_S,
        call_end_s=60.0,
    )
    assert [one.outcome for one in found] == ["stopped", "stopped", "not_stopped"]
    assert [one.delay_s for one in found[:2]] == pytest.approx([0.3, 0.9])
    assert [one.within_500ms for one in found] == [True, False, None]


def _on_wire(*, moved_s: float = 0.0, jitter_s: float = 0.0) -> AtWire:
    """Packets that say of every delay that it was longer, with a bar of their own."""

    def read(barge_in_s: float, onset_s: float, stop_s: float) -> OnWire:
        assert (barge_in_s, onset_s) == (10.0, 8.0)
        delay_s = stop_s - barge_in_s + moved_s
        return OnWire(
            from_to_s=delay_s, jitter_s=jitter_s, passed_s=delay_s, heard_s=delay_s, strays=moved_s != 0
        )

    return read


def test_a_clock_that_packets_contradict_is_not_believed() -> None:
    """The clock says 342 ms and success; the packets came until 800 ms."""
    lied = _judge([_talk((8.0, 10.342))])
    assert (lied.delay_s, lied.within_500ms) == (pytest.approx(0.342), True)
    told = _judge([_talk((8.0, 10.342))], on_wire=_on_wire(moved_s=0.458))
    assert (told.delay_s, told.within_500ms) == (pytest.approx(0.8), False)
    assert told.agent_stop_s == pytest.approx(10.8)


@pytest.mark.parametrize(("jitter_s", "verdict"), [(0.0, True), (0.009, True), (0.011, None), (0.05, None)])
def test_what_packets_leave_open_widens_the_bar_of_a_verdict(jitter_s: float, verdict: bool | None) -> None:
    """470 ms, the instrument's own 20 ms, and theirs."""
    found = _judge([_talk((8.0, 10.47))], on_wire=_on_wire(jitter_s=jitter_s))
    assert (found.outcome, found.within_500ms) == ("stopped", verdict)


def test_packets_that_leave_more_than_50_ms_open_give_no_figure() -> None:
    found = _judge([_talk((8.0, 10.3))], on_wire=_on_wire(jitter_s=0.051))
    assert (found.outcome, found.basis) == ("indeterminate", "single packets")
    assert "300 ms, ±51 ms" in found.reason


def test_who_had_ended_by_the_wire_was_not_interrupted() -> None:
    found = _judge([_talk((8.0, 10.1))], on_wire=_on_wire(moved_s=-0.06))
    assert found.outcome == "ended_by_itself"


def test_who_spoke_on_by_the_wire_did_not_stop() -> None:
    found = _judge([_talk((8.0, 12.4))], end_s=11.0, on_wire=_on_wire(moved_s=0.3))
    assert (found.outcome, found.censored_s) == ("not_stopped", pytest.approx(2.7))


def test_sound_that_came_in_a_heap_says_of_nobody_that_he_spoke_on() -> None:
    """By its clock it stopped after 1.2 s, and the last packets came 1.5 s late: the agent or something on
    the way stalled. Nobody can tell which, so nobody is blamed; 2.9 s by the clock is another matter."""
    heap = {"moved_s": 1.5, "jitter_s": 1.5}
    found = _judge([_talk((8.0, 11.2))], end_s=10.3, on_wire=_on_wire(**heap))
    assert (found.outcome, found.basis, found.censored_s) == ("indeterminate", "single packets", None)
    assert "2700 ms, ±1500 ms" in found.reason
    found = _judge([_talk((8.0, 12.9))], end_s=10.3, on_wire=_on_wire(**heap))
    assert found.outcome == "not_stopped"


@pytest.mark.parametrize(("open_s", "within"), [(0.029, True), (0.031, None)])
def test_what_is_open_after_the_last_sound_is_a_part_of_the_bar(open_s: float, within: bool | None) -> None:
    """Stops after 450 ms, ±20 ms: 480 and what is open after it."""
    found = _judge([_talk((8, 10.45), open_s=(open_s,))])
    assert found.delay_s == pytest.approx(0.45)
    assert found.open_s == open_s
    assert found.within_500ms is within


def test_what_is_open_is_of_the_cluster_at_which_it_stopped() -> None:
    """It stops at 10.45 and answers after 12 s: what is open after its answer is of no account."""
    notices = AgentNotices(speaks=True, interrupted_s=(10.4,))
    found = _judge([_talk((8, 11.9), (12.15, 14), open_s=(0.01, 0.09))], notices=notices)
    assert found.open_s == 0.01


def test_a_deaf_agent_whose_pauses_fall_there_gets_no_success() -> None:
    """The user interrupts from 12 to 15 s. The agent says a sentence from 10 to 12.3 s and the next one from
    12.95 to 20 s, over the user: that was a pause of 0.65 s."""
    talks = [_talk((10, 12.3), soft=True), _talk((12.95, 20))]
    found = _judge(talks, start_s=12.0, end_s=15.0)
    assert (found.outcome, found.basis, found.within_500ms) == ("indeterminate", "timing alone", None)
    assert found.reason.startswith("it spoke again 0.6 s later, over the interruption")
    # Cut at full level, too: it may be the voice that ends so.
    assert _judge([_talk((10, 12.3)), talks[1]], start_s=12.0, end_s=15.0).outcome == "indeterminate"
    # One that reports this interruption stopped, whatever it said then.
    told = AgentNotices(speaks=True, interrupted_s=(12.28,))
    assert _judge(talks, start_s=12.0, end_s=15.0, notices=told).within_500ms is True


@pytest.mark.parametrize(
    ("again_s", "end_s", "outcome"),
    [
        (12.0, 12.0, "stopped"),  # its answer, right after the user
        (11.99, 12.0, "stopped"),  # by less than the error bar
        (11.97, 12.0, "indeterminate"),
        (12.2, 15.0, "indeterminate"),
        (12.4, 15.0, "stopped"),  # no pause between sentences lasts for 2.1 s
    ],
)
def test_who_speaks_again_over_the_user_may_not_have_stopped(
    again_s: float, end_s: float, outcome: Outcome
) -> None:
    assert _judge([_talk((8, 10.3)), _talk((again_s, 20))], end_s=end_s).outcome == outcome


def test_the_end_of_a_sentence_is_no_success_by_sound_alone() -> None:
    """It may have come to its end there, and no word of it says otherwise."""
    for stop_s in (10.3, 10.7):
        found = _judge([_talk((8, stop_s), soft=True)])
        assert (found.outcome, found.stopped_in_pause, found.within_500ms) == ("stopped", True, None)
        assert "end of a sentence" in found.reason
    assert _judge([_talk((8, 10.3))]).within_500ms is True
    told = AgentNotices(speaks=True, interrupted_s=(10.28,))
    assert _judge([_talk((8, 10.3), soft=True)], notices=told).within_500ms is True


def test_how_much_was_lost_and_where_is_said_in_ms() -> None:
    found = _judge([_talk((8, 10.3))], gaps=((10.875, 11.875),))
    assert (
        found.reason == "1000 ms of audio were lost 575 ms after the last speech heard: it may hide the stop"
    )
    found = _judge([_talk((8, 10.3))], gaps=((10.3, 13.0),))
    assert found.reason.startswith("2700 ms of audio were lost at the last speech heard")


def test_what_is_unclear_first_is_what_is_told() -> None:
    """The detectors disagree, and packets leave much open, too."""
    found = _judge([_talk((8, 10.3), doubt="far apart")], on_wire=_on_wire(jitter_s=0.051))
    assert (found.basis, found.reason) == ("two detectors", "far apart")
