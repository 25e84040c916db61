"""What an agent did about a sound, on timelines worked out by hand. The sound lasts from 10 to 12 s."""

from __future__ import annotations

import pytest

from metrics.interaction.interruption import AgentNotices
from metrics.interaction.restraint import Restraint, restraint
from metrics.spans import Span
from metrics.speech import Talk

SOUND = Span(start_s=10.0, end_s=12.0)


def talk(start_s: float, end_s: float) -> Talk:
    span = Span(start_s=start_s, end_s=end_s)
    return Talk(span=span, clusters=(span,))


def found(
    *talks: Talk,
    until_s: float = 30.0,
    lost: tuple[Span, ...] = (),
    notices: AgentNotices | None = None,
) -> Restraint:
    return restraint(SOUND, talks, until_s=until_s, lost=lost, notices=notices)


@pytest.mark.parametrize(
    ("talks", "stopped", "replied"),
    [
        # It goes on speaking, and ends long after.
        ((talk(8, 16),), False, False),
        # Silent after 400 ms, and nothing more.
        ((talk(8, 10.4),), True, False),
        # Just inside and just outside of 1 s.
        ((talk(8, 10.99),), True, False),
        ((talk(8, 11.01),), False, False),
        # Stops, and answers the sound 1.9 s after its end.
        ((talk(8, 10.4), talk(13.9, 15)), True, True),
        # 2.1 s after its end it is no answer to it.
        ((talk(8, 10.4), talk(14.1, 15)), True, False),
        # Falls silent for 0.7 s, and goes on with the same sentence.
        ((talk(8, 10.4), talk(11.1, 16)), True, True),
        # Pauses later than anybody stops, and goes on.
        ((talk(8, 11.5), talk(12.3, 16)), False, True),
        # Says what it had to say, and then answers the sound, within 2 s of the end of its own speech.
        ((talk(8, 16), talk(17.5, 18)), False, True),
        ((talk(8, 16), talk(18.5, 19)), False, False),
    ],
)
def test_a_sound_into_its_speech(talks: tuple[Talk, ...], stopped: bool, replied: bool) -> None:
    one = found(*talks)
    assert (one.over_agent, one.stopped, one.replied) == (True, stopped, replied)


@pytest.mark.parametrize(
    ("talks", "replied"),
    [((talk(5, 9),), False), ((talk(5, 9), talk(13.5, 15)), True), ((talk(10.5, 11),), True)],
)
def test_a_sound_into_silence_stops_nothing(talks: tuple[Talk, ...], replied: bool) -> None:
    one = found(*talks)
    assert (one.over_agent, one.stopped, one.replied) == (False, None, replied)


def test_nobody_can_react_in_40_ms() -> None:
    one = found(talk(8, 10.04))
    assert one.stopped is None
    assert one.reason == "the agent ended as the sound began"


def test_what_the_agent_says_of_itself_decides_between_a_stop_and_an_end() -> None:
    elsewhere = AgentNotices(speaks=True, interrupted_s=(3.0,))
    assert found(talk(8, 10.4), notices=elsewhere).stopped is False
    told = AgentNotices(speaks=True, interrupted_s=(10.3,))
    assert found(talk(8, 10.4), notices=told).stopped is True
    late = AgentNotices(speaks=True, interrupted_s=(10.7,))
    assert found(talk(8, 10.4), notices=late).stopped is False


def test_an_agent_that_reports_no_interruption_at_all_cannot_talk_its_stops_away() -> None:
    one = found(talk(8, 10.4), notices=AgentNotices(speaks=True))
    assert (one.stopped, one.reason) == (True, "silent 400 ms after the sound began")


def test_too_little_time_is_no_verdict() -> None:
    assert found(until_s=13.0).replied is None
    assert found(talk(12.5, 14), until_s=13.0).replied is True
    assert found(talk(8, 16), until_s=17.0).replied is None
    assert found(talk(8, 10.4), until_s=10.9).stopped is None


def test_lost_audio_is_no_verdict() -> None:
    one = found(talk(8, 10.4), lost=(Span(start_s=11.0, end_s=11.2),))
    assert (one.stopped, one.replied) == (None, None)
    assert found(talk(8, 10.4), lost=(Span(start_s=3.0, end_s=4.0),)).stopped is True
