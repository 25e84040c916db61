"""Every field of what an agent did about a sound, and its bounds from both sides. The sound lasts from 10 to
12 s, or, where a bound is to be met to the last digit, from -2 to 0 s or from 0 to 2 s."""

from __future__ import annotations

import pytest

from metrics.detection.line_echo import EchoPath, LineEcho
from metrics.interaction.interruption import AgentNotices
from metrics.interaction.restraint import Restraint, restraint
from metrics.spans import Span
from metrics.speech import Talk

PATH = EchoPath(delay_s=0.2, gain_db=-30.0, talks=3, seconds=4.0)
TOO_SHORT = "the call ended or the caller went on before 2 s had passed"
LOST = "audio of the agent was lost there"
BY_ITSELF = "it ended by itself: it reported no interruption"


def echo_hides(edge: str) -> str:
    return (
        "the caller's own voice comes back on the agent's channel (line echo, 200 ms later, -30 dB): "
        f"the agent's {edge} cannot be told from it"
    )


def span(start_s: float, end_s: float) -> Span:
    return Span(start_s=start_s, end_s=end_s)


def talk(start_s: float, end_s: float, *, echo_s: float | None = None) -> Talk:
    """``echo_s``: an echo of 20 ms begins there."""
    whole = span(start_s, end_s)
    if echo_s is None:
        return Talk(span=whole, clusters=(whole,))
    return Talk(span=whole, clusters=(whole,), echo=PATH, hidden=(span(echo_s, echo_s + 0.02),))


SOUND = span(10, 12)
FROM_ZERO = span(0, 2)
TO_ZERO = span(-2, 0)


def found(
    *talks: Talk,
    sound: Span = SOUND,
    until_s: float = 30.0,
    lost: tuple[Span, ...] = (),
    notices: AgentNotices | None = None,
    heard: tuple[Span, ...] | None = None,
) -> Restraint:
    echo = None if heard is None else LineEcho(path=PATH, heard=heard)
    return restraint(sound, talks, until_s=until_s, lost=lost, notices=notices, echo=echo)


def stopped(
    stop_s: float, after: str, *, replied: bool | None = False, reply_s: float | None = None
) -> Restraint:
    return Restraint(
        over_agent=True,
        stopped=True,
        replied=replied,
        stop_s=stop_s,
        reply_s=reply_s,
        reason=f"silent {after} ms after the sound began",
    )


SPOKE_ON = Restraint(over_agent=True, stopped=False, replied=False)
KEPT_QUIET = Restraint(over_agent=False, replied=False)


@pytest.mark.parametrize(
    ("talks", "until_s", "whole"),
    [
        ((), 30.0, KEPT_QUIET),
        ((talk(13.5, 15),), 30.0, Restraint(over_agent=False, replied=True, reply_s=13.5)),
        ((talk(8, 16),), 30.0, SPOKE_ON),
        ((talk(8, 10.4),), 30.0, stopped(10.4, "400")),
        ((talk(8, 10.4), talk(13.9, 15)), 30.0, stopped(10.4, "400", replied=True, reply_s=13.9)),
        (
            (talk(8, 16), talk(17.5, 18)),
            30.0,
            Restraint(over_agent=True, stopped=False, replied=True, reply_s=17.5),
        ),
        # The first onset is the reply, and not the last one.
        ((talk(12.5, 13), talk(13.7, 15)), 30.0, Restraint(over_agent=False, replied=True, reply_s=12.5)),
        # A reply that came tells, however soon the caller went on; none does not.
        ((), 13.0, Restraint(over_agent=False, reason=TOO_SHORT)),
        ((talk(12.5, 13),), 13.0, Restraint(over_agent=False, replied=True, reply_s=12.5)),
        ((talk(8, 16),), 17.0, Restraint(over_agent=True, stopped=False, reason=TOO_SHORT)),
        (
            (talk(8, 16), talk(16.7, 20)),
            17.0,
            Restraint(over_agent=True, stopped=False, replied=True, reply_s=16.7),
        ),
        ((talk(8, 10.4),), 13.0, stopped(10.4, "400", replied=None)),
        # What it says after the caller went on is no reply to the sound.
        ((talk(13.5, 15),), 13.0, Restraint(over_agent=False, reason=TOO_SHORT)),
        ((talk(8, 10.4), talk(13.5, 15)), 13.0, stopped(10.4, "400", replied=None)),
        ((talk(8, 16), talk(17.5, 18)), 17.0, Restraint(over_agent=True, stopped=False, reason=TOO_SHORT)),
    ],
)
def test_every_field(talks: tuple[Talk, ...], until_s: float, whole: Restraint) -> None:
    assert found(*talks, until_s=until_s) == whole


@pytest.mark.parametrize(
    ("before", "last_s"),
    [((), 14.0), ((talk(8, 10.4),), 14.0), ((talk(8, 11.5),), 14.0), ((talk(8, 16),), 18.0)],
)
def test_a_reply_begins_no_later_than_two_seconds_after_the_sound_or_the_speech_that_outlasted_it(
    before: tuple[Talk, ...], last_s: float
) -> None:
    assert found(*before, talk(last_s, 20)).replied is True
    assert found(*before, talk(last_s + 0.01, 20)).replied is False
    # Without a reply, as long as this has to have been to be had.
    assert found(*before, until_s=last_s) == found(*before)
    assert found(*before, until_s=last_s).replied is False
    assert found(*before, until_s=last_s - 0.01).replied is None


def test_speech_that_begins_or_ends_with_the_sound_is_neither_over_it_nor_a_reply() -> None:
    assert found(talk(10, 11)) == KEPT_QUIET
    assert found(talk(8, 10)) == KEPT_QUIET
    assert found(talk(10.01, 11)) == Restraint(over_agent=False, replied=True, reply_s=10.01)
    assert found(talk(9.99, 16)) == SPOKE_ON


def test_an_end_is_a_stop_from_60_ms_to_one_second_after_the_sound_began() -> None:
    too_soon = Restraint(over_agent=True, reason="the agent ended as the sound began")
    assert found(talk(-2, 0.059), sound=FROM_ZERO) == too_soon
    assert found(talk(-2, 0.06), sound=FROM_ZERO) == stopped(0.06, "60")
    assert found(talk(-2, 1.0), sound=FROM_ZERO) == stopped(1.0, "1000")
    assert found(talk(-2, 1.01), sound=FROM_ZERO) == SPOKE_ON


def test_a_stop_takes_600_ms_of_quiet_before_the_call_ends() -> None:
    unclear = Restraint(
        over_agent=True, reason="the call ended before it was clear whether the agent would stop"
    )
    assert found(talk(-2, 0.4), sound=FROM_ZERO, until_s=1.0) == stopped(0.4, "400", replied=None)
    assert found(talk(-2, 0.41), sound=FROM_ZERO, until_s=1.0) == unclear
    # Later than a second it is none, whatever follows.
    assert found(talk(8, 12.9), until_s=13.0) == Restraint(over_agent=True, stopped=False, reason=TOO_SHORT)


@pytest.mark.parametrize(
    ("interrupted_s", "stops"),
    [
        ((-0.01,), False),
        ((0.0,), True),
        ((0.4 + 0.15,), True),
        ((0.56,), False),
        ((-7.0, 0.3), True),
        ((0.3, 9.0), True),
        ((-7.0, 9.0), False),
    ],
)
def test_an_agent_tells_of_a_stop_from_the_sounds_beginning_until_150_ms_after_its_end(
    interrupted_s: tuple[float, ...], stops: bool
) -> None:
    told = AgentNotices(speaks=True, interrupted_s=interrupted_s)
    by_itself = Restraint(over_agent=True, stopped=False, replied=False, reason=BY_ITSELF)
    expected = stopped(0.4, "400") if stops else by_itself
    assert found(talk(-2, 0.4), sound=FROM_ZERO, notices=told) == expected


def test_what_an_agent_did_not_tell_says_nothing_where_it_does_not_tell_all() -> None:
    mute = AgentNotices(speaks=False, interrupted_s=(3.0,))
    assert found(talk(8, 10.4), notices=mute) == stopped(10.4, "400")
    dropped = AgentNotices(speaks=True, interrupted_s=(3.0,), dropped=True)
    assert found(talk(8, 10.4), notices=dropped) == stopped(10.4, "400")


@pytest.mark.parametrize(
    ("talks", "lost", "hides"),
    [
        ((), span(9, 10), False),
        ((), span(9, 10.01), True),
        ((), span(13.99, 15), True),
        ((), span(14, 15), False),
        ((talk(8, 10.4),), span(13.99, 15), True),
        ((talk(8, 10.4),), span(14, 15), False),
        ((talk(8, 16),), span(17.99, 19), True),
        ((talk(8, 16),), span(18, 19), False),
    ],
)
def test_audio_lost_from_the_sound_until_a_reply_would_be_late_leaves_no_verdict(
    talks: tuple[Talk, ...], lost: Span, hides: bool
) -> None:
    one = found(*talks, lost=(span(1, 2), lost))
    unknown = Restraint(over_agent=bool(talks), reason=LOST)
    assert one == (unknown if hides else found(*talks))


def test_an_echo_may_hide_an_end_and_the_first_onset_behind() -> None:
    assert found(talk(8, 10.4, echo_s=10.35)) == Restraint(over_agent=True, reason=echo_hides("end"))
    # It hides how the speech began, which nobody asks.
    assert found(talk(8, 10.4, echo_s=8.0)) == stopped(10.4, "400")
    assert found(talk(13, 15, echo_s=12.95)) == Restraint(over_agent=False, reason=echo_hides("onset"))
    onset = Restraint(over_agent=True, reason=echo_hides("onset"))
    assert found(talk(8, 16), talk(17, 19, echo_s=16.95)) == onset
    # It hides the end of what is clear to begin there.
    assert found(talk(13, 15, echo_s=15.0)) == Restraint(over_agent=False, replied=True, reply_s=13)


@pytest.mark.parametrize(("begins_s", "hides"), [(10.0, False), (10.01, True), (14.0, True), (14.01, False)])
def test_an_echo_hides_an_onset_only_where_a_reply_may_begin(begins_s: float, hides: bool) -> None:
    hidden = Restraint(over_agent=False, reason=echo_hides("onset"))
    assert found(talk(begins_s, 20, echo_s=begins_s - 0.02)) == (hidden if hides else KEPT_QUIET)


def test_an_echo_hides_no_onset_after_the_caller_went_on() -> None:
    one = found(talk(13.5, 20, echo_s=13.45), until_s=13.0)
    assert one == Restraint(over_agent=False, reason=TOO_SHORT)


def test_from_300_ms_an_echo_alone_after_the_sound_may_have_been_a_reply() -> None:
    hidden = Restraint(over_agent=False, reason=f"nothing else followed, and {echo_hides('onset')}")
    assert found(sound=TO_ZERO, heard=(span(-1, 0.3),)) == hidden
    assert found(sound=TO_ZERO, heard=(span(-1, 0.29),)) == KEPT_QUIET
    assert found(sound=TO_ZERO, heard=()) == KEPT_QUIET
    # Up to when a reply would come too late, or the caller goes on.
    assert found(sound=TO_ZERO, heard=(span(1.69, 5),)) == hidden
    assert found(sound=TO_ZERO, heard=(span(1.71, 5),)) == KEPT_QUIET
    too_short = Restraint(over_agent=False, reason=TOO_SHORT)
    assert found(sound=TO_ZERO, heard=(span(0.71, 5),), until_s=1.0) == too_short
    assert found(sound=TO_ZERO, heard=(span(-1, 5),), until_s=-1.0) == too_short


def test_an_echo_alone_hides_nothing_before_the_agent_has_ended_or_where_it_spoke() -> None:
    assert found(talk(8, 16), heard=(span(12.5, 16.2),)) == SPOKE_ON
    hidden = Restraint(over_agent=True, reason=f"nothing else followed, and {echo_hides('onset')}")
    assert found(talk(8, 16), heard=(span(12.5, 16.4),)) == hidden
    assert found(talk(8, 10.4), heard=(span(10.5, 12.2),)) == stopped(10.4, "400")
    assert found(talk(8, 10.4), heard=(span(10.5, 12.4),)) == hidden
    spoke = Restraint(over_agent=False, replied=True, reply_s=13.0)
    assert found(talk(13, 15), heard=(span(12.1, 12.9),)) == spoke
