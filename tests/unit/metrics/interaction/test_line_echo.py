"""What an echo of the caller leaves of the agent's figures, on timelines worked out by hand: the caller
speaks from 10 to 12 s, and comes back 0.18 s later, at -20 dB; it speaks again from 20 s on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metrics.detection.line_echo import EchoPath, LineEcho
from metrics.interaction.conduct import came_in, longest_silence
from metrics.interaction.entry import Entry
from metrics.interaction.interruption import BargeIn, Interruption, interruptions
from metrics.interaction.latency import ResponseLatency, UserUtterance, response_latencies
from metrics.interaction.outcome import TurnOutcome
from metrics.interaction.restraint import restraint
from metrics.interaction.turns import Judged, Line, Turn, WaitEnd, outcome_of
from metrics.score import Status
from metrics.spans import Span
from metrics.speech import Talk

SAID = Span(start_s=10.0, end_s=12.0)
BACK = Span(start_s=10.18, end_s=12.18)
PATH = EchoPath(delay_s=0.18, gain_db=-20.0, talks=5, seconds=11.0)
ECHO = LineEcho(path=PATH, heard=(BACK,), hidden=(BACK,))
TURN = Turn(span=SAID, until_s=20.0, ended=WaitEnd.CALLER_SPOKE)
WHY = "the caller's own voice comes back on the agent's channel (line echo, 180 ms later, -20 dB)"
NO_ONSET = f"{WHY}: the agent's onset cannot be told from it"
NO_END = f"{WHY}: the agent's end cannot be told from it"


def talk(start_s: float, end_s: float, *, soft: bool = True) -> Talk:
    """As it is after detection: doubtful where it begins or ends beside the echo."""
    span = Span(start_s=start_s, end_s=end_s)
    one = Talk(span=span, clusters=(span,), soft_end=soft, echo=PATH, hidden=(BACK,))
    onset, end = one.echo_doubt(start_s, "onset"), one.echo_doubt(end_s, "end")
    return replace(one, onset_doubt=onset, end_doubt=end)


def latency(*talks: Talk) -> ResponseLatency:
    said = [
        UserUtterance(index=0, start_s=10.0, end_s=12.0),
        UserUtterance(index=1, start_s=20.0, end_s=21.0),
    ]
    return response_latencies(said, talks, echo=ECHO, call_end_s=30.0)[0]


def judged(*talks: Talk) -> Judged:
    caller = (SAID, Span(start_s=20.0, end_s=21.0))
    return outcome_of(TURN, Line(talks=talks, end_s=30.0, caller=caller, echo=ECHO))


def interrupted(*talks: Talk) -> Interruption:
    [found] = interruptions(
        [BargeIn(index=0, start_s=10.0, end_s=12.0)], talks, resolution_s=0.02, call_end_s=60.0
    )
    return found


@pytest.mark.parametrize(
    ("at_s", "hidden"),
    [(10.14, False), (10.16, True), (11.0, True), (12.18, True), (12.32, True), (12.34, False)],
)
def test_an_edge_is_hidden_where_the_echo_sounds_and_just_after(at_s: float, hidden: bool) -> None:
    """From 0.03 s before the echo begins (10.15 s) to 0.15 s after it has ended (12.33 s)."""
    assert bool(talk(9.0, 15.0).echo_doubt(at_s, "onset")) is hidden


@pytest.mark.parametrize(("start_s", "latency_s"), [(12.1, None), (12.3, None), (12.4, 0.4), (13.5, 1.5)])
def test_an_onset_beside_the_echo_has_no_figure_and_a_later_one_keeps_its_own(
    start_s: float, latency_s: float | None
) -> None:
    found = latency(talk(start_s, 15.0))
    if latency_s is None:
        assert (found.status, found.latency_s, found.reason) == (Status.INDETERMINATE, None, NO_ONSET)
    else:
        assert (found.status, found.latency_s) == (Status.MEASURED, pytest.approx(latency_s))
    # It was answered all the same: nothing hides that it spoke on from 12.5 s.
    assert judged(talk(start_s, 15.0)).outcome is TurnOutcome.ANSWERED


def test_a_latency_below_zero_beside_the_echo_is_none() -> None:
    found = latency(talk(10.18, 12.4))
    assert (found.status, found.reason) == (Status.INDETERMINATE, NO_ONSET)


def test_where_nothing_but_the_echo_followed_nobody_can_tell() -> None:
    found = latency()
    assert (found.status, found.reason) == (Status.INDETERMINATE, f"nothing else followed, and {NO_ONSET}")
    assert judged() == Judged(outcome=TurnOutcome.NOT_DUE, reason=f"nothing else followed, and {NO_ONSET}")
    # An echo that has ended with the turn hides no answer to it.
    early = LineEcho(path=PATH, heard=(Span(start_s=10.2, end_s=11.9),))
    assert outcome_of(TURN, Line(talks=(), end_s=30.0, echo=early)).outcome is TurnOutcome.NOT_ANSWERED


def test_what_may_be_the_echo_is_no_talking_over_but_other_speech_is() -> None:
    unclear = judged(talk(10.5, 14.0))
    assert unclear.outcome is TurnOutcome.NOT_DUE
    assert unclear.reason == f"nobody can tell what became of it: {NO_ONSET}"
    assert judged(talk(10.5, 11.8)).outcome is TurnOutcome.NOT_DUE
    # A clear onset, before anything came back, decides, whatever else is hidden.
    assert judged(talk(10.1, 11.3), talk(11.9, 14.0)).outcome is TurnOutcome.TALKED_OVER
    # It was speaking, and is heard beyond the echo's end; or only to where the echo ends.
    assert judged(talk(8.0, 13.0)).outcome is TurnOutcome.TALKED_OVER
    assert judged(talk(8.0, 12.25)).outcome is TurnOutcome.NOT_DUE


def test_a_moment_between_hidden_edges_is_no_answer_for_sure() -> None:
    assert judged(talk(12.0, 12.3)).outcome is TurnOutcome.NOT_DUE
    assert judged(talk(12.0, 12.3), talk(12.9, 15.0)).outcome is TurnOutcome.ANSWERED


@pytest.mark.parametrize(
    ("talks", "outcome", "reason"),
    [
        ((talk(8.0, 10.6),), "indeterminate", NO_END),
        ((talk(8.0, 12.3),), "indeterminate", NO_END),
        # Before anything came back, and long after.
        ((talk(8.0, 10.12, soft=False),), "stopped", ""),
        ((talk(8.0, 13.0),), "not_stopped", "the agent spoke on for 3.0 s"),
    ],
)
def test_a_stop_is_measured_where_no_echo_hides_it(
    talks: tuple[Talk, ...], outcome: str, reason: str
) -> None:
    found = interrupted(*talks)
    assert (found.outcome, found.delay_s is None) == (outcome, outcome != "stopped")
    assert found.reason == reason


def test_speech_that_ends_with_a_long_echo_did_not_surely_go_on() -> None:
    """It comes back 0.55 s later, to 12.55 s, and there the agent's channel falls silent."""
    late = replace(
        talk(8.0, 12.55), echo=replace(PATH, delay_s=0.55), hidden=(Span(start_s=10.55, end_s=12.55),)
    )
    found = interrupted(late)
    assert (found.outcome, found.censored_s) == ("indeterminate", None)
    assert "550 ms later" in found.reason


def test_coming_in_under_the_echo_is_not_counted() -> None:
    line = Line(talks=(talk(10.6, 14.0),), end_s=30.0)
    found = came_in(TURN, line, (SAID,))
    assert (found.entry, found.reason) == (Entry.NOT_COUNTED, NO_ONSET)
    assert came_in(TURN, Line(talks=(talk(12.5, 14.0),), end_s=30.0), (SAID,)).entry is Entry.NONE


def test_a_silence_beside_the_echo_is_not_measured() -> None:
    line = Line(talks=(), end_s=30.0)
    assert longest_silence(TURN, line, [talk(12.25, 15.0)]) is None
    assert longest_silence(TURN, line, [talk(12.5, 15.0)]) == Span(start_s=12.0, end_s=12.5)


def test_nobody_can_tell_whether_an_agent_kept_its_place_under_the_echo_of_a_sound() -> None:
    assert restraint(SAID, (talk(8.0, 10.6),), until_s=30.0).reason == NO_END
    assert restraint(SAID, (talk(12.2, 14.0),), until_s=30.0).reason == NO_ONSET
    assert restraint(SAID, (talk(8.0, 13.5),), until_s=30.0).stopped is False
    assert restraint(SAID, (talk(12.5, 14.0),), until_s=30.0).replied is True
