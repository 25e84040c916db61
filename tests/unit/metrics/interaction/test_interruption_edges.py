"""What becomes of an interruption where two things fall together, or a number is met to the last digit.

The user interrupts from 10 to 12 s, unless another end is given, an agent that has been speaking since 8 s.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from metrics.detection.line_echo import EchoPath
from metrics.interaction.interruption import AgentNotices, BargeIn, Interruption, interruptions
from metrics.interaction.on_wire import OnWire
from metrics.spans import Span
from metrics.speech import Talk

SILENT = AgentNotices()


def _spans(*spans: tuple[float, float]) -> tuple[Span, ...]:
    return tuple(Span(start_s=start, end_s=end) for start, end in spans)


def _talk(*clusters: tuple[float, float], open_s: tuple[float, ...] = ()) -> Talk:
    parts = _spans(*clusters)
    return Talk(span=Span(start_s=parts[0].start_s, end_s=parts[-1].end_s), clusters=parts, open_s=open_s)


def _judge(
    *talks: Talk,
    end_s: float = 12.0,
    notices: AgentNotices = SILENT,
    gaps: tuple[tuple[float, float], ...] = (),
    resolution_s: float = 0.02,
    call_end_s: float = 60.0,
    jitter_s: float | None = None,
) -> Interruption:
    """``jitter_s``: what the packets leave open, where there are any."""
    wire = None if jitter_s is None else OnWire(from_to_s=0.3, jitter_s=jitter_s, passed_s=0.3, heard_s=0.3)
    [found] = interruptions(
        [BargeIn(index=3, start_s=10.0, end_s=end_s)],
        talks,
        notices=notices,
        gaps=_spans(*gaps),
        resolution_s=resolution_s,
        call_end_s=call_end_s,
        on_wire=None if wire is None else lambda *at_s: wire,
    )
    return found


def test_of_what_did_not_stop_nothing_more_is_said() -> None:
    one = Interruption(index=0, outcome="not_stopped")
    assert (one.stopped_in_pause, one.open_s, one.under_echo) == (False, 0.0, False)


# --- too soon for a reaction


@pytest.mark.parametrize(
    ("stop_s", "outcome"),
    [
        (10.0446, "ended_by_itself"),
        (10.0454, "indeterminate"),
        (10.0746, "indeterminate"),
        (10.0754, "stopped"),
    ],
)
def test_fifteen_ms_of_the_bar_count_beside_the_shortest_reaction(stop_s: float, outcome: str) -> None:
    assert _judge(_talk((8, stop_s))).outcome == outcome


def test_what_lies_on_the_bar_of_the_shortest_reaction_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.interaction.interruption.MIN_REACTION_S", 0.0625)
    assert _judge(_talk((8, 10.0703125)), resolution_s=0.0078125).outcome == "stopped"


def test_what_is_open_after_the_last_sound_leaves_open_whether_it_was_too_soon() -> None:
    """100 ms are 40 more than it takes; 15 of the bar count, and what is open."""
    assert _judge(_talk((8, 10.1), open_s=(0.024,))).outcome == "stopped"
    assert _judge(_talk((8, 10.1), open_s=(0.026,))).outcome == "indeterminate"


def test_the_reason_has_how_soon_it_was_and_how_soon_is_too_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were 750 ms the shortest reaction: 700 ms are too soon, and of 750 nobody can tell."""
    monkeypatch.setattr("metrics.interaction.interruption.MIN_REACTION_S", 0.75)
    assert _judge(_talk((8, 10.75))) == Interruption(
        index=3,
        outcome="indeterminate",
        agent_onset_s=8,
        basis="timing",
        reason=(
            "it fell silent 750 ms after the interruption began: nobody can tell whether that was too soon "
            "for a reaction (750 ms)"
        ),
    )
    assert _judge(_talk((8, 10.7))).reason == (
        "it fell silent 700 ms after the interruption began: too soon for a reaction"
    )


def test_a_call_that_ended_early_tells_no_delay_that_is_too_short_for_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("metrics.interaction.interruption.MIN_REACTION_S", 0.0625)
    for stop_s, censored_s in ((10.0625, 0.0625), (10.0615, None)):
        found = _judge(_talk((8, stop_s)), call_end_s=10.5)
        assert (found.outcome, found.censored_s) == ("indeterminate", censored_s)


# --- what may hide a stop


@pytest.mark.parametrize(
    ("again_s", "outcome"),
    [(12.2, "indeterminate"), (12.24, "indeterminate"), (12.25, "stopped"), (12.3, "stopped")],
)
def test_who_speaks_again_within_two_seconds_may_have_paused(again_s: float, outcome: str) -> None:
    """It fell silent at 10.25 s, and the user speaks until 15 s."""
    assert _judge(_talk((8, 10.25)), _talk((again_s, 20)), end_s=15.0).outcome == outcome


def test_without_any_quiet_between_them_nothing_was_spoken_again() -> None:
    assert _judge(_talk((8, 10.25)), _talk((10.25, 11))).outcome == "stopped"


@pytest.mark.parametrize(("lost_s", "outcome"), [(10.2696, "indeterminate"), (10.2704, "stopped")])
def test_a_frame_lost_20_ms_after_the_end_leaves_it_open(lost_s: float, outcome: str) -> None:
    assert _judge(_talk((8, 10.25)), gaps=((lost_s, lost_s + 0.02),)).outcome == outcome


def test_a_loss_is_told_to_lie_after_the_end_as_soon_as_it_does() -> None:
    after = _judge(_talk((8, 10.25)), gaps=((10.25075, 10.29),))
    assert after.reason == ("39 ms of audio were lost 1 ms after the last speech heard: it may hide the stop")
    at = _judge(_talk((8, 10.25)), gaps=((10.24925, 10.29),))
    assert at.reason == "41 ms of audio were lost at the last speech heard: it may hide the stop"


def test_a_loss_where_the_agent_paused_is_told_before_the_pause() -> None:
    found = _judge(_talk((8, 11.5), (12.05, 14)), gaps=((11.5, 11.6),))
    assert (found.basis, found.reason) == (
        "timing",
        "100 ms of audio were lost at the last speech heard: it may hide the stop",
    )


def test_what_is_open_is_what_is_open_after_the_last_cluster() -> None:
    assert _judge(_talk((8, 9.5), (9.9, 10.45), open_s=(0.09, 0.01))).open_s == 0.01


# --- an echo of the user hides the stop

NO_END = (
    "the caller's own voice comes back on the agent's channel (line echo, 180 ms later, -20 dB): the agent's "
    "end cannot be told from it"
)
UNCLEAR = Interruption(index=3, outcome="indeterminate", agent_onset_s=8, basis="timing", reason=NO_END)
HIDDEN = replace(UNCLEAR, under_echo=True)


def _under(talk: Talk, *, hidden: tuple[float, float], own: tuple[tuple[float, float], ...]) -> Talk:
    return replace(
        talk,
        echo=EchoPath(delay_s=0.18, gain_db=-20.0, talks=5, seconds=11.0),
        hidden=_spans(hidden),
        own=_spans(*own),
    )


def _beside_echo(own_end_s: float, echo_end_s: float) -> Talk:
    """Surely heard to one time, and the echo to another: its speech ends in the middle between the two."""
    whole = _talk((8, (own_end_s + echo_end_s) / 2))
    return _under(whole, hidden=(10.18, echo_end_s), own=((8, own_end_s),))


def test_how_late_it_stopped_under_an_echo_is_told_in_ms() -> None:
    found = _judge(_beside_echo(10.6, 10.7))
    assert found.reason == f"{NO_END}; it stopped 600 to 700 ms after the interruption began"


@pytest.mark.parametrize(
    ("own_end_s", "jitter_s", "hides"),
    [
        (10.0746, None, True),
        (10.0754, None, False),
        (10.0796, 0.005, True),
        (10.0804, 0.005, False),
    ],
)
def test_who_is_surely_heard_for_no_longer_than_a_reaction_takes_may_have_ended_before(
    own_end_s: float, jitter_s: float | None, hides: bool
) -> None:
    """60 ms, 15 of the bar, and what its packets leave open."""
    found = _judge(_beside_echo(own_end_s, 10.4), jitter_s=jitter_s)
    assert (found.outcome, found.under_echo) == (("indeterminate", True) if hides else ("stopped", False))


def test_who_is_surely_heard_for_just_a_reaction_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.interaction.interruption.MIN_REACTION_S", 0.0625)
    assert _judge(_beside_echo(10.0625, 10.4), resolution_s=0.0).outcome == "stopped"


def test_without_a_sound_that_is_surely_the_agent_s_nobody_can_tell() -> None:
    assert _judge(replace(_beside_echo(10.3, 10.4), own=())) == HIDDEN


@pytest.mark.parametrize("order", [1, -1])
def test_the_last_sound_that_is_surely_the_agent_s_counts(order: int) -> None:
    own = ((8.0, 9.0), (9.5, 10.3))[::order]
    found = _judge(_under(_talk((8, 10.35)), hidden=(10.18, 10.4), own=own))
    assert (found.outcome, found.censored_s) == ("stopped", 10.3 - 10.0)


def test_what_packets_leave_open_is_a_part_of_the_bar_under_an_echo_too() -> None:
    """475 ms at the latest; 20 ms of the bar, and theirs. So with 525 ms at the earliest."""
    assert _judge(_beside_echo(10.3, 10.475), jitter_s=0.004).within_500ms is True
    assert _judge(_beside_echo(10.3, 10.475), jitter_s=0.006).within_500ms is None
    assert _judge(_beside_echo(10.525, 10.7), jitter_s=0.004).within_500ms is False
    assert _judge(_beside_echo(10.525, 10.7), jitter_s=0.006).within_500ms is None


@pytest.mark.parametrize(
    ("echo_end_s", "end_s", "hides"),
    [(12.5, 12.0, False), (12.51, 12.0, True), (12.0, 10.5, False), (12.01, 10.5, True)],
)
def test_an_echo_that_ends_when_it_would_be_no_stop_any_more_hides_whether_it_was_one(
    echo_end_s: float, end_s: float, hides: bool
) -> None:
    """More than 2 s after the user's first sample, and more than 0.5 s after the last."""
    found = _judge(_beside_echo(10.3, echo_end_s), end_s=end_s)
    if hides:
        assert found == HIDDEN
    else:
        assert (found.outcome, found.within_500ms, found.under_echo) == ("stopped", None, False)


def test_a_pause_or_a_stop_under_an_echo_is_not_the_echo_s_to_tell() -> None:
    """Silent from 11.5 s on, when the echo ends, too, and from 12.05 s on it speaks again."""
    quick = _under(_talk((8, 11.5), (12.05, 14)), hidden=(11.4, 11.6), own=((8, 11.45), (12.1, 14)))
    assert _judge(quick) == UNCLEAR


def test_what_is_surely_heard_after_a_stop_does_not_tell_how_it_ended() -> None:
    """The user speaks to 10.4 s. The agent is heard to 10.3 s and again from 10.55 s on, surely until 10.02
    s, and from when it had fallen silent on."""
    after = _under(_talk((8, 10.3), (10.55, 12)), hidden=(10.0, 10.35), own=((8, 10.02), (10.3, 12)))
    assert _judge(after, end_s=10.4) == HIDDEN
    # Nor what goes on beyond it: silent from 10.05 s on.
    beyond = _under(_talk((8, 10.05), (10.5, 12)), hidden=(10.0, 10.1), own=((8, 12),))
    assert _judge(beyond, end_s=10.4) == HIDDEN


def test_of_an_agent_that_reports_others_a_sentence_s_end_under_an_echo_is_its_own() -> None:
    """It speaks again over the user, which would leave open whether it stopped."""
    told = AgentNotices(speaks=True, interrupted_s=(30.0,))
    found = _judge(_beside_echo(10.3, 10.4), _talk((11, 14)), notices=told)
    assert (found.outcome, found.reason) == ("ended_by_itself", "the agent reported no interruption")


def test_the_call_has_to_go_on_after_an_echo_as_long_as_after_a_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.interaction.interruption.TALK_GAP_S", 0.5)
    one = _beside_echo(10.25, 10.5)
    assert _judge(one, call_end_s=11.0).outcome == "stopped"
    assert _judge(one, call_end_s=10.99) == UNCLEAR
