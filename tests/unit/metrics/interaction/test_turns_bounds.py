"""Every boundary of what became of a turn, from both sides. The caller speaks from 10 to 12 s, and is then
waited for until 20 s unless a test says otherwise; bounds that are no binary fractions are set to such."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metrics.interaction import turns
from metrics.interaction.outcome import TurnOutcome
from metrics.interaction.turns import Judged, Line, Turn, WaitEnd, broke_off, outcome_of, reply_to
from metrics.spans import Span
from metrics.speech import Talk

ANSWERED, IN_PART, TALKED_OVER = TurnOutcome.ANSWERED, TurnOutcome.IN_PART, TurnOutcome.TALKED_OVER
NOT_ANSWERED, NOT_DUE = TurnOutcome.NOT_ANSWERED, TurnOutcome.NOT_DUE

TURN = Turn(span=Span(start_s=10.0, end_s=12.0), until_s=20.0, ended=WaitEnd.CALLER_SPOKE)
LINE = Line(talks=(), end_s=30.0, caller=(TURN.span, Span(start_s=20.0, end_s=21.0)))
EMPTY = replace(LINE, says_something=lambda spans: False)
QUARTER = 0.25


@pytest.fixture
def quarters(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANSWER_GAP_S", "STILL_TALKING_S", "HIDES_AN_ANSWER_S", "NOTICE_LATE_S"):
        monkeypatch.setattr(turns, name, QUARTER)
    monkeypatch.setattr(turns, "LOST_AT_THE_END_S", 0.03125)


def span(start_s: float, end_s: float) -> Span:
    return Span(start_s=start_s, end_s=end_s)


def talk(*clusters: tuple[float, float], soft: bool = True, doubt: str = "") -> Talk:
    spans = tuple(span(start, end) for start, end in clusters)
    whole = span(spans[0].start_s, spans[-1].end_s)
    return Talk(span=whole, clusters=spans, soft_end=soft, end_doubt=doubt)


def judged(*talks: Talk, turn: Turn = TURN, line: Line = LINE) -> Judged:
    return outcome_of(turn, replace(line, talks=talks))


def outcome(*talks: Talk, turn: Turn = TURN, line: Line = LINE) -> TurnOutcome:
    return judged(*talks, turn=turn, line=line).outcome


# --- what follows on a turn


def test_speech_that_ends_with_the_turn_does_not_follow_on_it() -> None:
    assert reply_to(TURN, replace(LINE, talks=(talk((11.5, 12.0)),))) == []
    later = talk((11.5, 12.01))
    assert reply_to(TURN, replace(LINE, talks=(later,))) == [later]


def test_speech_that_begins_with_the_turn_began_before_it() -> None:
    assert reply_to(TURN, replace(LINE, talks=(talk((10.0, 15.0)),))) == []
    assert judged(talk((10.0, 15.0))) == Judged(
        outcome=TALKED_OVER, reason="the agent spoke on without a break, to 3.0 s after the caller's end"
    )


@pytest.mark.usefixtures("quarters")
def test_what_follows_on_a_quiet_end_is_a_talk_of_its_own() -> None:
    """Speech from 8 s on, a quiet of exactly as much as it takes, and two clusters behind it."""
    whole = talk((8.0, 10.0), (10.5, 11.75), (12.0, 13.0), (13.5, 15.0), soft=False, doubt="apart")
    assert reply_to(TURN, replace(LINE, talks=(whole,))) == [
        talk((12.0, 13.0), (13.5, 15.0), soft=False, doubt="apart")
    ]
    assert outcome(whole, turn=replace(TURN, stopped_for=True)) is ANSWERED
    assert judged(whole).reason.endswith("it may have answered at once, or paused and spoken on")
    # A little less quiet: it spoke on.
    assert outcome(talk((8.0, 11.76), (12.0, 15.0))) is TALKED_OVER


@pytest.mark.usefixtures("quarters")
def test_a_quiet_end_comes_within_a_quarter_of_a_second_of_the_callers() -> None:
    assert outcome(talk((8.0, 12.25), (12.75, 15.0))) is NOT_DUE
    assert outcome(talk((8.0, 12.26), (12.75, 15.0))) is TALKED_OVER
    # And what follows it not before the caller has finished.
    assert outcome(talk((8.0, 10.5), (11.99, 15.0))) is TALKED_OVER


# --- talked over


def test_a_second_inside_counts_where_it_began_inside() -> None:
    assert outcome(talk((10.0, 11.5))) is NOT_ANSWERED
    assert outcome(talk((10.01, 11.5))) is TALKED_OVER
    assert outcome(talk((10.5, 11.5))) is TALKED_OVER
    assert outcome(talk((10.5, 11.49))) is NOT_ANSWERED


def test_what_begins_within_the_error_bar_of_the_end_did_not_begin_inside() -> None:
    wide = replace(TURN, resolution_s=1.0)
    assert outcome(talk((11.0, 12.0)), turn=wide) is NOT_ANSWERED
    assert outcome(talk((10.99, 12.0)), turn=wide) is TALKED_OVER
    half = replace(TURN, resolution_s=0.5)
    assert outcome(talk((11.5, 15.0)), turn=half) is ANSWERED
    assert outcome(talk((11.49, 15.0)), turn=half) is TALKED_OVER


def test_what_begins_when_the_wait_is_over_is_held_against_no_latency() -> None:
    early = replace(TURN, latency_s=-0.5)
    assert outcome(talk((20.0, 22.0)), turn=early) is NOT_ANSWERED
    assert outcome(talk((19.9, 22.0)), turn=early) is TALKED_OVER


@pytest.mark.usefixtures("quarters")
def test_speech_from_before_may_trail_off_for_a_quarter_of_a_second() -> None:
    assert outcome(talk((8.0, 12.25))) is NOT_ANSWERED
    assert outcome(talk((8.0, 12.26))) is TALKED_OVER


# --- nothing followed


def test_a_wait_is_never_less_than_nothing() -> None:
    """The caller's next turn began before this one had ended; a loss in it hides nothing."""
    over = replace(TURN, until_s=11.0)
    lost = replace(LINE, lost=(span(10.5, 11.9),))
    for line in (LINE, lost):
        found = judged(turn=over, line=line)
        assert found.reason == "no answer within 0.0 s, until the caller spoke again"
    assert judged(turn=replace(TURN, until_s=12.5)).reason.startswith("no answer within 0.5 s")
    ours = replace(over, ended=WaitEnd.OURS)
    assert judged(turn=ours).reason.startswith("the call was ended from our side 0.0 s after the turn")


@pytest.mark.usefixtures("quarters")
def test_a_loss_counts_by_what_of_it_lies_in_the_wait() -> None:
    for lost, expected in (
        ((14.0, 14.25), NOT_DUE),
        ((14.0, 14.24), NOT_ANSWERED),
        ((11.0, 12.25), NOT_DUE),
        ((11.0, 12.24), NOT_ANSWERED),
        ((19.75, 21.0), NOT_DUE),
        ((19.76, 21.0), NOT_ANSWERED),
    ):
        assert outcome(line=replace(LINE, lost=(span(*lost),))) is expected


@pytest.mark.parametrize(("apart_s", "expected"), [(0.059, NOT_DUE), (0.0625, NOT_ANSWERED)])
def test_losses_within_60_ms_are_one(apart_s: float, expected: TurnOutcome) -> None:
    lost = (span(14.0, 14.15), span(14.15 + apart_s, 14.3 + apart_s))
    assert outcome(line=replace(LINE, lost=lost)) is expected


# --- answered in part


def test_lost_audio_within_20_ms_hides_how_a_reply_ended() -> None:
    cut = talk((12.75, 15.0), soft=False)
    for lost, expected in (
        ((15.0195, 15.5), ANSWERED),
        ((15.0205, 15.5), IN_PART),
        ((14.5, 15.0), ANSWERED),
        ((14.5, 14.99), IN_PART),
    ):
        assert outcome(cut, line=replace(LINE, lost=(span(*lost),))) is expected


@pytest.mark.usefixtures("quarters")
def test_the_bound_of_a_loss_at_the_end_belongs_to_it() -> None:
    cut = talk((12.75, 15.0), soft=False)
    assert outcome(cut, line=replace(LINE, lost=(span(15.03125, 15.5),))) is ANSWERED


@pytest.mark.usefixtures("quarters")
def test_an_interruption_is_reported_from_after_the_replys_onset_to_soon_after_its_end() -> None:
    for reported_s, expected in (
        (12.75, ANSWERED),
        (12.76, IN_PART),
        (15.25, IN_PART),
        (15.26, ANSWERED),
    ):
        line = replace(LINE, interrupted_s=(reported_s,))
        assert outcome(talk((12.75, 15.0)), line=line) is expected


@pytest.mark.usefixtures("quarters")
def test_the_caller_ends_a_reply_by_speaking_into_it_or_just_behind_it() -> None:
    cut = talk((12.75, 15.0), soft=False)
    for spoke_s, expected in ((12.75, IN_PART), (12.76, ANSWERED), (15.25, ANSWERED), (15.26, IN_PART)):
        line = replace(LINE, caller=(TURN.span, span(spoke_s, spoke_s + 0.5)))
        assert outcome(cut, line=line) is expected


@pytest.mark.usefixtures("quarters")
def test_our_side_ended_the_call_in_what_was_heard_up_to_its_end() -> None:
    """Half a second that says nothing: an answer in part, unless more might have come."""
    last = replace(TURN, until_s=30.0, ended=WaitEnd.OURS)
    alone = replace(EMPTY, caller=(TURN.span,))
    assert outcome(talk((29.25, 29.75)), turn=last, line=alone) is IN_PART
    assert outcome(talk((29.25, 29.76)), turn=last, line=alone) is ANSWERED


def test_less_than_a_second_that_says_nothing_is_no_answer() -> None:
    assert outcome(talk((12.75, 13.75)), line=EMPTY) is ANSWERED
    assert outcome(talk((12.75, 13.74)), line=EMPTY) is IN_PART


def test_an_answer_of_which_nothing_is_unsure_has_no_reason() -> None:
    yes = talk((12.75, 13.25))
    assert judged(yes, line=replace(LINE, says_something=lambda spans: True)) == Judged(outcome=ANSWERED)
    # The caller spoke into it: why it is short is known.
    assert judged(talk((19.5, 20.125))) == Judged(outcome=ANSWERED)
    assert judged(yes).reason == "0.5 s of speech; without its words nobody can tell whether it says anything"


# --- of a reply in several parts it is the last that ended


def test_a_reply_ends_as_its_last_part_does() -> None:
    hung_up = replace(TURN, until_s=30.0, ended=WaitEnd.AGENT_HUNG_UP)
    line = replace(LINE, caller=(TURN.span,), hung_up=True)
    soft, hard = talk((25.0, 26.0)), talk((25.0, 26.0), soft=False)
    found = judged(soft, talk((28.0, 29.9), soft=False), turn=hung_up, line=line)
    assert found == Judged(outcome=IN_PART, reason="the agent hung up in the middle of its reply")
    assert outcome(hard, talk((28.0, 29.9)), turn=hung_up, line=line) is ANSWERED
    # What hides the end of the first part does not hide that of the last.
    lost = replace(LINE, lost=(span(14.0, 14.1),))
    assert outcome(talk((12.75, 14.0)), talk((15.0, 17.0), soft=False), line=lost) is IN_PART
    # The caller spoke into the last of two short ones.
    assert judged(talk((12.75, 13.0)), talk((19.75, 20.125))) == Judged(outcome=ANSWERED)
    # Or into the last of two that say nothing, which was to go on.
    assert judged(talk((12.75, 13.0)), talk((19.75, 20.125)), line=EMPTY) == Judged(outcome=ANSWERED)


def test_how_long_the_call_has_to_go_on_after_what_broke_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "TALK_GAP_S", 0.5)
    hung_up = replace(TURN, until_s=30.0, ended=WaitEnd.AGENT_HUNG_UP)
    line = replace(LINE, caller=(TURN.span,), hung_up=True)
    for end_s, reason in (
        (29.5, "the reply broke off at full level at 29.5 s, while the caller was silent"),
        (29.51, "the agent hung up in the middle of its reply"),
    ):
        assert judged(talk((28.0, end_s), soft=False), turn=hung_up, line=line).reason == reason


def test_a_reply_that_came_to_its_end_or_that_the_caller_ended_did_not_break_off() -> None:
    assert broke_off(TURN, LINE, [talk((12.75, 15.0))]) == ""
    assert broke_off(TURN, LINE, [talk((19.5, 20.125), soft=False)]) == ""


# --- how the wait ended, and what came no more


def test_what_was_not_the_agents_doing_is_told_with_the_time_that_was_waited() -> None:
    lost = replace(TURN, ended=WaitEnd.CONNECTION_LOST)
    assert judged(turn=lost) == Judged(
        outcome=NOT_DUE, reason="the connection was lost within 8.0 s after the turn"
    )
    assert judged(turn=replace(TURN, ended=WaitEnd.TRANSFERRED)) == Judged(
        outcome=NOT_DUE,
        reason=(
            "the agent transferred the call, to where we do not follow, 8.0 s after the turn, before the "
            "caller's patience"
        ),
    )
    # What a lost connection cut, nobody knows.
    assert judged(talk((12.75, 15.0), soft=False), turn=lost) == Judged(outcome=ANSWERED)


@pytest.mark.usefixtures("quarters")
def test_that_no_packet_came_any_more_is_told_where_an_answer_had_room_after_the_last() -> None:
    nothing = "no answer within 8.0 s, until the caller spoke again"
    none = "; no packet of the agent's came after 15.0 s: it sent none, or they were lost"
    assert judged(line=replace(LINE, last_packet_s=15.0)).reason == nothing + none
    assert "no packet" in judged(line=replace(LINE, last_packet_s=19.75)).reason
    assert judged(line=replace(LINE, last_packet_s=19.76)).reason == nothing
