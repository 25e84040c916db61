"""What an echo of the caller leaves of the agent's figures, on timelines worked out by hand: the caller
speaks from 10 to 12 s, and comes back 0.18 s later, at -20 dB; it speaks again from 20 s on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metrics.detection.line_echo import EchoPath, LineEcho
from metrics.interaction.conduct import came_in, hides_entries, longest_silence
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


def test_where_nothing_but_the_echo_followed_only_a_long_one_may_hide_an_answer() -> None:
    """To 12.18 s, 0.18 s after the turn, no answer of 0.3 s has room; to 12.35 s one has."""
    found = latency()
    assert (found.status, judged().outcome) == (Status.NOT_APPLICABLE, TurnOutcome.NOT_ANSWERED)
    long = LineEcho(path=PATH, heard=(Span(start_s=10.35, end_s=12.35),))
    said = [UserUtterance(index=0, start_s=10.0, end_s=12.0)]
    [found] = response_latencies(said, (), echo=long, call_end_s=30.0)
    assert (found.status, found.reason) == (Status.INDETERMINATE, f"nothing else followed, and {NO_ONSET}")
    assert outcome_of(TURN, Line(talks=(), end_s=30.0, echo=long)) == Judged(
        outcome=TurnOutcome.NOT_DUE, reason=f"nothing else followed, and {NO_ONSET}"
    )
    # Nor is an answer what sounds for 0.2 s between the echo's edges.
    assert judged(talk(12.0, 12.2)).outcome is TurnOutcome.NOT_ANSWERED
    # Unless a word of it is surely the agent's.
    surely = replace(talk(12.0, 12.2), own=(Span(start_s=12.05, end_s=12.16),))
    assert judged(surely).outcome is TurnOutcome.NOT_DUE


def test_who_surely_speaks_for_a_second_and_beyond_the_end_talks_over_wherever_it_began() -> None:
    own = Span(start_s=10.7, end_s=14.0)
    over = judged(replace(talk(10.5, 14.0), own=(own,)))
    assert over.outcome is TurnOutcome.TALKED_OVER
    assert over.reason == (
        "the agent spoke for 1.3 s while the caller did, and on to 2.0 s after its end; when it began cannot "
        "be told from an echo"
    )
    assert latency(replace(talk(10.5, 14.0), own=(own,))).reason == NO_ONSET
    # For less than a second, or to an end under the echo, nobody can tell.
    late = replace(own, start_s=11.1)
    assert judged(replace(talk(10.5, 14.0), own=(late,))).outcome is TurnOutcome.NOT_DUE
    assert judged(replace(talk(10.5, 12.3), own=(own,))).outcome is TurnOutcome.NOT_DUE


def test_an_answer_that_was_measured_is_one_whatever_is_left_of_an_echo_before_it() -> None:
    caller = (SAID, Span(start_s=20.0, end_s=21.0))
    line = Line(talks=(talk(10.5, 11.8), talk(12.9, 15.0)), end_s=30.0, caller=caller, echo=ECHO)
    assert outcome_of(replace(TURN, latency_s=0.9), line).outcome is TurnOutcome.ANSWERED


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
    """0.31 s after the turn's end are as much as a short answer."""
    assert judged(talk(12.0, 12.31)).outcome is TurnOutcome.NOT_DUE
    assert judged(talk(12.0, 12.31), talk(12.9, 15.0)).outcome is TurnOutcome.ANSWERED


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


def with_own(one: Talk, end_s: float) -> Talk:
    return replace(one, own=(Span(start_s=one.span.start_s, end_s=end_s),))


def test_a_stop_that_the_echo_hides_lies_between_the_agent_s_last_own_sound_and_the_echo_s_end() -> None:
    """Surely speaking to 10.7 s, silent from 12.18 s on: 0.18 s after the interruption is no speaking on."""
    found = interrupted(with_own(talk(8.0, 10.8, soft=False), 10.7))
    assert (found.outcome, found.delay_s, found.within_500ms) == ("stopped", None, False)
    assert found.censored_s == pytest.approx(0.7)
    assert found.reason == f"{NO_END}; it stopped 700 to 2180 ms after the interruption began"
    # To 10.4 s: under or over 500 ms, nobody can tell.
    assert interrupted(with_own(talk(8.0, 10.8, soft=False), 10.4)).within_500ms is None
    # A fall of the level may be a sentence's end: no verdict.
    assert interrupted(with_own(talk(8.0, 10.8), 10.7)).within_500ms is None
    # Last heard when nobody could have reacted: it may have come to its end.
    assert interrupted(with_own(talk(8.0, 10.6), 10.05)).outcome == "indeterminate"


def test_where_an_echo_hides_one_stop_of_a_call_none_of_it_counts() -> None:
    """Left alone, an agent that stopped once in two would have stopped never."""
    hidden, on = talk(8.0, 10.6), talk(38.0, 46.0)
    both = [BargeIn(index=0, start_s=10.0, end_s=12.0), BargeIn(index=1, start_s=40.0, end_s=42.0)]
    found = interruptions(both, (hidden, on), resolution_s=0.02, call_end_s=60.0)
    assert [one.outcome for one in found] == ["indeterminate", "indeterminate"]
    assert found[1].reason.endswith("another interruption of the call, so none of them counts")
    seen = with_own(hidden, 10.55)
    found = interruptions(both, (seen, on), resolution_s=0.02, call_end_s=60.0)
    assert [one.outcome for one in found] == ["stopped", "not_stopped"]


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


def test_where_an_echo_hides_if_the_agent_came_into_one_turn_no_turn_of_the_call_tells() -> None:
    later = Turn(span=Span(start_s=20.0, end_s=21.0), until_s=30.0, ended=WaitEnd.CALLER_SPOKE)
    under, after = talk(11.0, 14.0), talk(12.9, 14.0)
    for talks, hidden in (((under,), True), ((after,), False), ((), False)):
        assert hides_entries([TURN, later], Line(talks=talks, end_s=30.0, echo=ECHO)) is hidden
    assert hides_entries([TURN], Line(talks=(after,), end_s=30.0, echo=replace(ECHO, masks=True)))
    assert not hides_entries([TURN], Line(talks=(under,), end_s=30.0))


def test_a_sound_that_runs_on_from_the_echo_may_be_an_answer_with_it() -> None:
    """0.25 s of the echo, and 0.15 s more: each alone is too short for an answer."""
    heard = Span(start_s=10.18, end_s=12.25)
    more = Span(start_s=12.25, end_s=12.4)
    path = replace(PATH, delay_s=0.4)
    rest = Talk(span=more, clusters=(more,), echo=path, hidden=(Span(start_s=10.4, end_s=12.4),))
    echo = LineEcho(path=path, heard=(heard,), hidden=rest.hidden)
    found = outcome_of(TURN, Line(talks=(rest,), end_s=30.0, echo=echo))
    assert found.outcome is TurnOutcome.NOT_DUE
    assert "nobody can tell" in found.reason


def test_a_silence_beside_the_echo_is_not_measured() -> None:
    line = Line(talks=(), end_s=30.0)
    assert longest_silence(TURN, line, [talk(12.25, 15.0)]) is None
    assert longest_silence(TURN, line, [talk(12.5, 15.0)]) == Span(start_s=12.0, end_s=12.5)


def test_nobody_can_tell_whether_an_agent_kept_its_place_under_the_echo_of_a_sound() -> None:
    assert restraint(SAID, (talk(8.0, 10.6),), until_s=30.0).reason == NO_END
    assert restraint(SAID, (talk(12.2, 14.0),), until_s=30.0).reason == NO_ONSET
    assert restraint(SAID, (talk(8.0, 13.5),), until_s=30.0).stopped is False
    assert restraint(SAID, (talk(12.5, 14.0),), until_s=30.0).replied is True
    # Nothing but 0.4 s of echo after the sound: no reply, or one that lies under it.
    long = LineEcho(path=PATH, heard=(Span(start_s=10.4, end_s=12.4),))
    found = restraint(SAID, (), until_s=30.0, echo=long)
    assert (found.replied, found.reason) == (None, f"nothing else followed, and {NO_ONSET}")
    assert restraint(SAID, (), until_s=30.0, echo=ECHO).replied is False


def test_an_onset_that_an_echo_hides_lies_where_the_echo_is_heard() -> None:
    one = replace(talk(12.1, 14.0), onset_in=BACK)
    assert latency(one).between_s == pytest.approx((-1.82, 0.18))
