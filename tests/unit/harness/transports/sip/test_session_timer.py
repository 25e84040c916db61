"""Session timers: whose turn it is, and when a call that nobody refreshes is over (RFC 4028)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from sipmessage import Request, Response

from harness.transports.sip.session_timer import SessionTimer, refreshing_headers
from harness.transports.sip.signalling.message import read_message

HEAD = (
    "Via: SIP/2.0/UDP h;branch=z9hG4bKa\r\nFrom: <sip:a@h>;tag=1\r\nTo: <sip:b@h>;tag=2\r\n"
    "Call-ID: c\r\nCSeq: 1 INVITE\r\n"
)


def answer(expires: str) -> Response:
    found = read_message(f"SIP/2.0 200 OK\r\n{HEAD}{expires}\r\n".encode())
    assert isinstance(found, Response)
    return found


def reinvite(expires: str) -> Request:
    found = read_message(f"INVITE sip:b@h SIP/2.0\r\n{HEAD}{expires}\r\n".encode())
    assert isinstance(found, Request)
    return found


class Alarms:
    """Stands in for the event loop: notes for when a timer is set."""

    def __init__(self) -> None:
        self.set: list[tuple[float, Callable[[], None]]] = []

    def call_later(self, after_s: float, action: Callable[[], None]) -> asyncio.TimerHandle:
        self.set.append((after_s, action))
        return asyncio.TimerHandle(0.0, action, (), asyncio.get_event_loop())


@pytest.fixture
async def timed(monkeypatch: pytest.MonkeyPatch) -> tuple[SessionTimer, Alarms, list[str]]:
    alarms, told = Alarms(), []
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: alarms)
    timer = SessionTimer(refresh=lambda: told.append("refresh"), expired=lambda: told.append("expired"))
    return timer, alarms, told


async def test_our_turn_comes_after_half_of_the_interval(
    timed: tuple[SessionTimer, Alarms, list[str]],
) -> None:
    timer, alarms, told = timed
    timer.agreed(answer("Session-Expires: 600;refresher=uac\r\n"))
    ((after_s, action),) = alarms.set
    assert after_s == 300
    action()
    assert told == ["refresh"]


async def test_where_it_is_the_agents_turn_its_silence_ends_the_call(
    timed: tuple[SessionTimer, Alarms, list[str]],
) -> None:
    timer, alarms, told = timed
    timer.agreed(answer("Session-Expires: 90;refresher=uas\r\n"))
    ((after_s, action),) = alarms.set
    assert after_s == 60
    action()
    assert told == ["expired"]
    timer.refreshed(reinvite("Supported: timer\r\nSession-Expires: 600;refresher=uac\r\n"))
    assert alarms.set[-1][0] == 568


@pytest.mark.parametrize("expires", ["", "Session-Expires: soon\r\n", "Session-Expires: 1;refresher=uac\r\n"])
async def test_without_an_interval_there_is_no_timer(
    expires: str, timed: tuple[SessionTimer, Alarms, list[str]]
) -> None:
    timer, alarms, _ = timed
    timer.agreed(answer(expires))
    assert alarms.set == []


@pytest.mark.parametrize(
    ("knows", "proposed", "answered"),
    [
        ("Supported: 100rel, Timer\r\n", "600", "600;refresher=uac"),
        ("Supported: timer\r\n", "600;refresher=uas", "600;refresher=uas"),
        ("Require: timer\r\n", "600;refresher=uac", "600;refresher=uac"),
        ("k: timer\r\n", "600;refresher=nobody", "600;refresher=uac"),
    ],
)
def test_the_answer_to_a_refresh_says_whose_turn_it_is(knows: str, proposed: str, answered: str) -> None:
    told = refreshing_headers(reinvite(f"{knows}Session-Expires: {proposed}\r\n"))
    assert told == [("Session-Expires", answered), ("Require", "timer")]
    assert refreshing_headers(reinvite(knows)) == []


@pytest.mark.parametrize("proposed", ["600", "600;refresher=uac"])
async def test_what_a_proxy_proposes_for_a_peer_without_timers_is_ours_to_keep(
    proposed: str, timed: tuple[SessionTimer, Alarms, list[str]]
) -> None:
    """RFC 4028, 9, table 2: the peer would send no sign of life, and we would hang up."""
    timer, alarms, told = timed
    request = reinvite(f"Supported: 100rel\r\nSession-Expires: {proposed}\r\n")
    assert refreshing_headers(request) == [("Session-Expires", "600;refresher=uas")]
    timer.refreshed(request)
    ((after_s, action),) = alarms.set
    assert after_s == 300
    action()
    assert told == ["refresh"]


@pytest.mark.parametrize("expires", ["", "Session-Expires: 1\r\n"])
async def test_an_answer_without_an_interval_ends_the_timer(
    expires: str, timed: tuple[SessionTimer, Alarms, list[str]]
) -> None:
    timer, alarms, _ = timed
    timer.agreed(answer("Session-Expires: 600;refresher=uas\r\n"))
    running = timer._timer
    assert running is not None
    request = reinvite(f"Supported: timer\r\n{expires}")
    assert refreshing_headers(request) == []
    timer.refreshed(request)
    assert running.cancelled()
    assert len(alarms.set) == 1


async def test_an_interval_of_thousands_of_digits_is_none(
    timed: tuple[SessionTimer, Alarms, list[str]],
) -> None:
    timer, alarms, _ = timed
    digits = "9" * 5000
    timer.agreed(answer(f"Session-Expires: {digits};refresher=uac\r\n"))
    assert alarms.set == []
    assert refreshing_headers(reinvite(f"Session-Expires: {digits}\r\n")) == []
