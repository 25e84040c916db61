"""Session timers (RFC 4028): a call whose other end has silently gone is found out.

Whoever is told to sends a re-INVITE or UPDATE every half of the interval. Where it is the agent's turn and
nothing comes, the call has ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from sipmessage import Request, Response

from harness.transports.sip.signalling.message import number_in, parameter, values

LEAST_S = 90
MOST_S = 86_400


class SessionTimer:
    """The timer of one call; idle until an interval was agreed.

    Args:
        refresh: Called when it is our turn to send a sign of life.
        expired: Called when the agent's did not come.
    """

    def __init__(self, *, refresh: Callable[[], None], expired: Callable[[], None]) -> None:
        self._refresh = refresh
        self._expired = expired
        self._timer: asyncio.TimerHandle | None = None
        self._interval_s = 0
        self._ours = False

    def agreed(self, response: Response) -> None:
        """A 2xx to a request of ours."""
        told = _interval(response)
        if told is None:
            self._off()
            return
        self._interval_s = told
        who = parameter(response.headers["Session-Expires"], "refresher").lower()
        self._ours = who != "uas"
        self._again()

    def refreshed(self, request: Request) -> None:
        """An INVITE, re-INVITE or UPDATE of the agent's that we take, with :func:`refreshing_headers` in our
        answer: where there is no interval in that, there is none any more (RFC 4028, 9)."""
        told = _interval(request)
        if told is None:
            self._off()
            return
        self._interval_s = told
        self._ours = _refresher(request) == "uas"
        self._again()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _off(self) -> None:
        self._interval_s = 0
        self.stop()

    def _again(self) -> None:
        self.stop()
        if self._interval_s:
            loop, interval_s = asyncio.get_running_loop(), self._interval_s
            if self._ours:
                self._timer = loop.call_later(interval_s / 2, self._refresh)
            else:
                # RFC 4028, 10: a little before, so that both sides find the same.
                self._timer = loop.call_later(interval_s - min(32, interval_s / 3), self._expired)


def refreshing_headers(request: Request) -> list[tuple[str, str]]:
    """What the answer to a request that proposes an interval says of it: the same, and whose turn it is."""
    told = _interval(request)
    if told is None:
        return []
    who = _refresher(request)
    headers = [("Session-Expires", f"{told};refresher={who}")]
    return [*headers, ("Require", "timer")] if _knows_timers(request) else headers


def _refresher(request: Request) -> str:
    """Who sends signs of life, the sender of a request that proposes an interval (``uac``) or we (``uas``).
    Where it knows of none, a proxy proposed it, and it is us (RFC 4028, 9, table 2)."""
    if not _knows_timers(request):
        return "uas"
    who = parameter(request.headers["Session-Expires"], "refresher").lower()
    return who if who in ("uac", "uas") else "uac"


def _knows_timers(request: Request) -> bool:
    return any("timer" in map(str.lower, values(request, name)) for name in ("Supported", "Require"))


def _interval(message: Request | Response) -> int | None:
    told = number_in((message.headers.get("Session-Expires") or "").partition(";")[0])
    return told if told is not None and LEAST_S <= told <= MOST_S else None
