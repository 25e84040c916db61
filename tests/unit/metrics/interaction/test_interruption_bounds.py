"""Every number in the verdict on an interruption, from both sides.

The user interrupts from 10 to 12 s, unless another end is given, an agent that has been speaking since 8 s.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from metrics.detection.line_echo import EchoPath
from metrics.interaction.interruption import (
    HIDES_ANOTHER,
    AgentNotices,
    BargeIn,
    Interruption,
    interruptions,
)
from metrics.interaction.on_wire import OnWire
from metrics.spans import Span
from metrics.speech import Talk

SILENT = AgentNotices()


def _talk(*clusters: tuple[float, float], doubt: str = "", soft: bool = False) -> Talk:
    parts = tuple(Span(start_s=start, end_s=end) for start, end in clusters)
    return Talk(
        span=Span(start_s=parts[0].start_s, end_s=parts[-1].end_s),
        clusters=parts,
        end_doubt=doubt,
        soft_end=soft,
    )


def _judge(
    *talks: Talk,
    start_s: float = 10.0,
    end_s: float = 12.0,
    notices: AgentNotices = SILENT,
    gaps: tuple[tuple[float, float], ...] = (),
    resolution_s: float = 0.02,
    call_end_s: float = 60.0,
) -> Interruption:
    [found] = interruptions(
        [BargeIn(index=3, start_s=start_s, end_s=end_s)],
        talks,
        notices=notices,
        gaps=[Span(start_s=start, end_s=end) for start, end in gaps],
        resolution_s=resolution_s,
        call_end_s=call_end_s,
    )
    return found


def _reports(*at_s: float) -> AgentNotices:
    return AgentNotices(speaks=True, interrupted_s=at_s)


# --- not stopping: more than 2 s after the user's first sample, and more than 0.5 s after the last


@pytest.mark.parametrize(
    ("stop_s", "outcome"), [(12.0, "stopped"), (12.02, "not_stopped"), (12.3, "not_stopped")]
)
def test_two_seconds_are_given_to_stop(stop_s: float, outcome: str) -> None:
    """After a short interruption, until 10.8 s."""
    assert _judge(_talk((8, stop_s)), end_s=10.8).outcome == outcome


def test_exactly_two_seconds_are_still_a_stop() -> None:
    found = _judge(_talk((8, 12.0)), end_s=10.5)
    assert (found.outcome, found.delay_s, found.within_500ms) == ("stopped", 2.0, False)


@pytest.mark.parametrize(
    ("stop_s", "outcome"), [(12.49, "stopped"), (12.5, "stopped"), (12.51, "not_stopped")]
)
def test_half_a_second_is_given_after_the_user_s_last_word(stop_s: float, outcome: str) -> None:
    found = _judge(_talk((8, stop_s)))
    assert found.outcome == outcome


def test_who_did_not_stop_is_told_how_long_it_spoke_on() -> None:
    found = _judge(_talk((8, 16)))
    assert found == Interruption(
        index=3,
        outcome="not_stopped",
        agent_onset_s=8,
        censored_s=6.0,
        basis="timing",
        reason="the agent spoke on for 6.0 s",
    )


# --- no agent reacts within 60 ms


@pytest.mark.parametrize(
    ("stop_s", "outcome"),
    [
        (10.0, "ended_by_itself"),
        (10.044, "ended_by_itself"),
        (10.046, "indeterminate"),
        (10.074, "indeterminate"),
        (10.076, "stopped"),
        (10.08, "stopped"),
    ],
)
def test_60_ms_are_too_soon_for_a_reaction(stop_s: float, outcome: str) -> None:
    """With a bar of 20 ms, of which 15 count here."""
    assert _judge(_talk((8, stop_s))).outcome == outcome


@pytest.mark.parametrize(
    ("stop_s", "outcome"), [(10.056, "ended_by_itself"), (10.058, "indeterminate"), (10.064, "stopped")]
)
def test_a_narrower_bar_leaves_less_open_there(stop_s: float, outcome: str) -> None:
    found = _judge(_talk((8, stop_s)), resolution_s=0.003)
    assert found.outcome == outcome
    if outcome == "indeterminate":
        assert "nobody can tell" in found.reason


def test_exactly_the_shortest_reaction_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.interaction.interruption.MIN_REACTION_S", 0.0625)
    assert _judge(_talk((8, 10.0625)), resolution_s=0.0).outcome == "stopped"


def test_a_fast_agent_keeps_its_successes() -> None:
    """100 to 300 ms are fast, and possible."""
    for stop_s in (10.1, 10.2, 10.27, 10.3):
        found = _judge(_talk((8, stop_s)))
        assert (found.outcome, found.within_500ms) == ("stopped", True)


def test_who_ended_by_itself_is_told_when() -> None:
    assert _judge(_talk((8, 10.04))) == Interruption(
        index=3,
        outcome="ended_by_itself",
        agent_onset_s=8,
        agent_stop_s=10.04,
        basis="timing",
        reason="it fell silent 40 ms after the interruption began: too soon for a reaction",
    )
    assert _judge(_talk((10.5, 13))) == Interruption(
        index=3,
        outcome="ended_by_itself",
        basis="timing",
        reason="the agent was not speaking when the interruption began",
    )


def test_speech_that_begins_with_the_interruption_is_not_interrupted() -> None:
    assert _judge(_talk((10.0, 11.0))).agent_onset_s is None
    assert _judge(_talk((9.999, 11.0))).agent_onset_s == 9.999


def test_of_several_talks_the_one_under_way_is_judged() -> None:
    found = _judge(_talk((1, 3)), _talk((8, 10.4)), _talk((12.5, 15)))
    assert (found.agent_onset_s, found.agent_stop_s) == (8, 10.4)


# --- success: 500 ms, but for the error bar


def test_what_is_further_from_500_ms_than_the_error_bar_is_decided() -> None:
    assert _judge(_talk((8, 10.47)), resolution_s=0.025).within_500ms is True
    assert _judge(_talk((8, 10.476)), resolution_s=0.025).within_500ms is None
    assert _judge(_talk((8, 10.524)), resolution_s=0.025).within_500ms is None
    assert _judge(_talk((8, 10.526)), resolution_s=0.025).within_500ms is False
    # 500 ms themselves are decided neither way, and what lies exactly on the bar is not either.
    assert _judge(_talk((8, 10.5)), resolution_s=0.0).within_500ms is None
    assert _judge(_talk((8, 10.25)), resolution_s=0.25).within_500ms is None


def test_a_verdict_that_was_not_given_says_why() -> None:
    assert _judge(_talk((8, 10.49))).reason == "within the error bar of 500 ms"
    assert _judge(_talk((8, 10.3), soft=True)) == Interruption(
        index=3,
        outcome="stopped",
        agent_onset_s=8,
        agent_stop_s=10.3,
        delay_s=10.3 - 10.0,
        within_500ms=None,
        stopped_in_pause=True,
        basis="timing alone",
        reason="it fell silent as at the end of a sentence, and by sound alone may have come to its end",
    )


# --- what hides a stop


def test_the_call_has_to_go_on_for_0_6_s_after_the_stop() -> None:
    said = "the call ended before it was clear whether the agent would stop"
    ended = _judge(_talk((8, 10.4)), call_end_s=10.99)
    assert (ended.outcome, ended.basis, ended.reason) == ("indeterminate", "timing", said)
    assert _judge(_talk((8, 10.4)), call_end_s=11.01).outcome == "stopped"


def test_exactly_as_long_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.interaction.interruption.TALK_GAP_S", 0.5)
    assert _judge(_talk((8, 10.25)), call_end_s=10.75).outcome == "stopped"


def test_a_loss_says_how_much_it_hides() -> None:
    found = _judge(_talk((8, 10.3)), gaps=((1.0, 2.0), (10.3, 10.34)))
    assert (found.outcome, found.basis) == ("indeterminate", "timing")
    assert "40 ms of audio" in found.reason


def test_the_bounds_of_a_loss_belong_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last speech heard is at 10.25 s."""
    for name, value in (
        ("GAP_BEFORE_S", 0.0625),
        ("GAP_AFTER_S", 0.03125),
        ("WORD_S", 0.125),
        ("TALK_GAP_S", 0.5),
    ):
        monkeypatch.setattr(f"metrics.interaction.interruption.{name}", value)
    for gap in ((10.3125, 10.375), (10.1875, 10.21875), (10.75, 10.875)):
        assert _judge(_talk((8, 10.25)), gaps=(gap,)).outcome == "indeterminate", gap


def test_a_doubtful_end_says_what_its_doubt_rests_on() -> None:
    found = _judge(_talk((8, 10.3), doubt="they disagree"))
    assert (found.outcome, found.basis, found.reason) == ("indeterminate", "two detectors", "they disagree")


# --- a quick answer around the user's end: at least 0.2 s of quiet


def test_a_quick_answer_follows_at_least_0_2_s_of_quiet() -> None:
    quick = _judge(_talk((8, 11.85), (12.06, 14)), notices=_reports(11.8))
    assert (quick.outcome, quick.agent_stop_s) == ("stopped", 11.85)
    pause = _judge(_talk((8, 11.87), (12.06, 14)), notices=_reports(11.8))
    assert pause.outcome == "not_stopped"
    barely = _judge(_talk((8, 11.855), (12.06, 14)), notices=_reports(11.8))
    assert (barely.outcome, barely.agent_stop_s) == ("stopped", 11.855)
    exact = _judge(_talk((8, 11.875), (12.125, 14)), notices=_reports(11.8))
    assert exact.outcome == "stopped"


def test_exactly_0_2_s_of_quiet_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.interaction.interruption.ANSWER_GAP_S", 0.25)
    assert _judge(_talk((8, 11.875), (12.125, 14)), notices=_reports(11.8)).outcome == "stopped"


def test_a_quick_answer_begins_when_the_user_has_finished() -> None:
    talk = _talk((8, 11.6), (12.0, 14))
    assert _judge(talk, notices=_reports(11.5)).agent_stop_s == 11.6
    # Before the user has finished it is speech that goes on.
    assert _judge(_talk((8, 11.6), (11.99, 14)), notices=_reports(11.5)).outcome == "not_stopped"
    # And silence that begins when the user has finished is no reaction to the words.
    assert _judge(_talk((8, 12.0), (12.4, 14)), notices=_reports(11.5)).outcome == "not_stopped"


def test_quiet_before_the_interruption_is_no_stop() -> None:
    found = _judge(_talk((8, 9.5), (9.9, 10.4)))
    assert found.agent_stop_s == 10.4
    # It ended just as the interruption began, and went on after it.
    paused = _judge(_talk((8, 10.0), (12.1, 12.4)), notices=_reports(10.0))
    assert paused.agent_stop_s == 12.4


def test_of_two_pauses_the_first_is_the_stop() -> None:
    found = _judge(_talk((8, 11.0), (11.3, 11.6), (12.1, 14)), notices=_reports(11.5))
    assert found.agent_stop_s == 11.6


def test_quiet_that_could_be_both_is_told_with_its_length() -> None:
    found = _judge(_talk((8, 11.5), (12.05, 14), soft=True))
    assert (found.outcome, found.basis) == ("indeterminate", "timing alone")
    assert found.reason == (
        "it was quiet for only 550 ms, around the end of the interruption: it may have stopped and answered "
        "at once, or paused and spoken on"
    )
    told = _judge(_talk((8, 11.5), (12.05, 14), soft=True), notices=_reports(11.5))
    assert (told.outcome, told.stopped_in_pause) == ("stopped", False)


# --- what the agent reports: from 50 ms before the interruption to 1.5 s after the stop


@pytest.mark.parametrize(
    ("reported_s", "outcome"),
    [
        (9.949, "ended_by_itself"),
        (9.951, "stopped"),
        (10.448, "stopped"),
        (10.452, "indeterminate"),
        (11.799, "indeterminate"),
        (11.801, "ended_by_itself"),
    ],
)
def test_a_report_is_about_an_interruption_that_it_is_close_to(reported_s: float, outcome: str) -> None:
    """The stop is at 10.3 s."""
    assert _judge(_talk((8, 10.3)), notices=_reports(reported_s)).outcome == outcome


def test_the_bounds_of_a_report_belong_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("NOTICE_BEFORE_S", 0.25), ("NOTICE_AFTER_S", 1.5), ("NOTICE_LATE_S", 0.125)):
        monkeypatch.setattr(f"metrics.interaction.interruption.{name}", value)
    talk = _talk((8, 10.25))
    assert _judge(talk, notices=_reports(9.75)).outcome == "stopped"
    assert _judge(talk, notices=_reports(10.375)).outcome == "stopped"
    assert _judge(talk, notices=_reports(11.75)).outcome == "indeterminate"


def test_the_first_of_several_reports_counts() -> None:
    talk = _talk((8, 10.3))
    assert _judge(talk, notices=_reports(10.31, 10.9)).outcome == "stopped"
    late = _judge(talk, notices=_reports(5.0, 10.9, 11.0))
    assert (late.basis, late.reason) == (
        "the agent's own messages",
        "the agent reported the interruption 600 ms after it had fallen silent: it may have ended by itself "
        "or been in a pause",
    )


def test_a_verdict_says_that_the_agent_s_own_messages_bear_it_out() -> None:
    talk = _talk((8, 10.3))
    assert _judge(talk, notices=_reports(10.3)).basis == "timing and the agent's own messages"
    silent = _judge(talk, notices=_reports(30.0))
    assert (silent.basis, silent.reason) == ("the agent's own messages", "the agent reported no interruption")
    # An agent that reports nothing of the kind at all proves nothing by its silence.
    assert AgentNotices().speaks is False
    assert _judge(talk, notices=AgentNotices(speaks=False, interrupted_s=(10.9,))).outcome == "stopped"


def test_an_agent_that_ends_as_the_interruption_begins_was_speaking() -> None:
    found = _judge(_talk((8, 10.0)))
    assert (found.agent_onset_s, found.agent_stop_s) == (8, 10.0)


def test_a_loss_that_begins_with_the_end_is_at_it() -> None:
    assert "at the" in _judge(_talk((8, 10.25)), gaps=((10.25, 10.29),)).reason
    assert "10 ms after" in _judge(_talk((8, 10.25)), gaps=((10.26, 10.3),)).reason


# --- an echo of the user hides the stop: the agent is surely heard to one time, and the echo ends at another

NO_END = (
    "the caller's own voice comes back on the agent's channel (line echo, 180 ms later, -20 dB): the agent's "
    "end cannot be told from it"
)


def _beside_echo(own_end_s: float, echo_end_s: float, *, soft: bool = False) -> Talk:
    """Heard to the middle between the two."""
    return replace(
        _talk((8, (own_end_s + echo_end_s) / 2), soft=soft),
        echo=EchoPath(delay_s=0.18, gain_db=-20.0, talks=5, seconds=11.0),
        hidden=(Span(start_s=10.18, end_s=echo_end_s),),
        own=(Span(start_s=8, end_s=own_end_s),),
    )


def test_a_stop_under_an_echo_is_told_whole() -> None:
    assert _judge(_beside_echo(10.3, 10.4)) == Interruption(
        index=3,
        outcome="stopped",
        agent_onset_s=8,
        censored_s=10.3 - 10.0,
        within_500ms=True,
        basis="timing alone",
        reason=f"{NO_END}; it stopped 300 to 400 ms after the interruption began",
    )


@pytest.mark.parametrize(
    ("own_end_s", "echo_end_s", "within"),
    [
        (10.3, 10.479, True),
        (10.3, 10.481, None),
        (10.519, 10.7, None),
        (10.521, 10.7, False),
        (10.4, 10.7, None),
    ],
)
def test_a_stop_under_an_echo_is_a_success_at_the_latest_and_none_at_the_earliest(
    own_end_s: float, echo_end_s: float, within: bool | None
) -> None:
    """By more than the error bar of 20 ms: with the echo's end before 480 ms, with its own after 520 ms."""
    found = _judge(_beside_echo(own_end_s, echo_end_s))
    assert (found.outcome, found.within_500ms) == ("stopped", within)


def test_on_the_bar_an_echo_leaves_no_verdict() -> None:
    assert _judge(_beside_echo(10.1875, 10.25), resolution_s=0.25).within_500ms is None
    assert _judge(_beside_echo(10.75, 11.0), resolution_s=0.25).within_500ms is None


def test_the_end_of_a_sentence_under_an_echo_gets_a_verdict_by_the_agent_s_report_alone() -> None:
    for own_end_s, echo_end_s, within in ((10.3, 10.4, True), (10.6, 10.7, False)):
        ended = _beside_echo(own_end_s, echo_end_s, soft=True)
        assert _judge(ended).within_500ms is None
        told = _judge(ended, notices=_reports(own_end_s))
        assert (told.basis, told.within_500ms) == ("timing and the agent's own messages", within)


UNCLEAR = Interruption(index=3, outcome="indeterminate", agent_onset_s=8, basis="timing", reason=NO_END)


def test_what_nobody_could_tell_without_the_echo_is_not_the_echo_s() -> None:
    """The agent's own voice is heard to 10.3 s, the echo to 10.4 s."""
    one = _beside_echo(10.3, 10.4)
    assert _judge(one, call_end_s=10.99) == UNCLEAR
    assert _judge(one, call_end_s=11.01).outcome == "stopped"
    for gap in ((10.319, 10.32), (10.2, 10.216), (10.419, 10.439)):
        assert _judge(one, gaps=(gap,)) == UNCLEAR, gap
    for gap in ((10.421, 10.441), (10.19, 10.214)):
        assert _judge(one, gaps=(gap,)).outcome == "stopped", gap
    # It speaks again over the user: that may have been a pause, unless it reports this interruption.
    assert _judge(one, _talk((11, 14))) == UNCLEAR
    for dropped in (False, True):
        told = AgentNotices(speaks=True, interrupted_s=(10.3,), dropped=dropped)
        assert _judge(one, _talk((11, 14)), notices=told).outcome == "stopped"


def test_a_report_that_fits_one_end_of_an_echo_alone_leaves_open_what_became_of_it() -> None:
    """Told of 0.2 s after the agent's own voice, and 0.1 s before the echo's end."""
    hidden = replace(UNCLEAR, under_echo=True)
    assert _judge(_beside_echo(10.3, 10.6), notices=_reports(10.5)) == hidden
    # At both ends it was no more than 0.15 s late, or at both it was.
    assert _judge(_beside_echo(10.3, 10.6), notices=_reports(10.44)).outcome == "stopped"
    late = _judge(_beside_echo(10.3, 10.6), notices=_reports(10.8))
    assert (late.outcome, late.basis, late.under_echo) == ("indeterminate", "the agent's own messages", False)
    none = _judge(_beside_echo(10.3, 10.6), notices=_reports(30.0))
    assert (none.outcome, none.reason) == ("ended_by_itself", "the agent reported no interruption")


def test_beside_what_an_echo_hides_the_others_of_the_call_keep_their_packets() -> None:
    """The first may have come to its end before any reaction; the second stops after 300 ms, in sight; the
    third finds the agent silent."""
    wire = OnWire(from_to_s=0.3, jitter_s=0.001, passed_s=0.3, heard_s=0.3)
    found = interruptions(
        [BargeIn(index=n, start_s=s, end_s=s + 2) for n, s in ((0, 10.0), (1, 40.0), (2, 50.0))],
        [_beside_echo(10.05, 10.4), _talk((38, 40.3))],
        resolution_s=0.02,
        call_end_s=60.0,
        on_wire=lambda *at_s: wire,
    )
    assert found == [
        replace(UNCLEAR, index=0, on_wire=wire, under_echo=True),
        Interruption(
            index=1,
            outcome="indeterminate",
            agent_onset_s=38,
            basis="timing",
            reason=HIDES_ANOTHER,
            on_wire=wire,
        ),
        Interruption(
            index=2,
            outcome="ended_by_itself",
            basis="timing",
            reason="the agent was not speaking when the interruption began",
        ),
    ]


def test_a_report_that_did_come_tells_a_quick_answer_from_a_pause_whatever_was_dropped() -> None:
    told = AgentNotices(speaks=True, interrupted_s=(11.45,), dropped=True)
    found = _judge(_talk((8, 11.5), (12.05, 14)), notices=told)
    assert (found.outcome, found.delay_s, found.within_500ms) == ("stopped", 1.5, False)
    # It speaks again over the user.
    again = _judge(_talk((8, 10.3)), _talk((11, 14)), notices=replace(told, interrupted_s=(10.28,)))
    assert (again.outcome, again.within_500ms) == ("stopped", True)
