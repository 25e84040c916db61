"""A standing call whose connection is lost: it goes on, and another one is opened, at once in a call that we
placed, since the agent's own requests would go to our old end.

Proxies close connections at their leisure, and sound does not travel there. Over UDP a request that finds a
port closed counts as a lost connection. Where no sound comes any more, the agent is asked whether it is still
in the call (OPTIONS, RFC 3261, 11), and later on again: what it says itself may go to where we were.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, Protocol

from harness.errors import SetupFailed
from harness.redaction import KNOWN
from harness.transports.base import ConnectionLost, MediaLog
from harness.transports.sip.address import BadAddress, bare_host, parse_uri
from harness.transports.sip.signalling.asking import Asking
from harness.transports.sip.signalling.resolve import locate
from harness.transports.sip.signalling.wire import Place, Unreached, Wire, open_wire

QUIET_S = 2.0
"""Without a packet for so long, the agent is asked."""
QUIET_AGAIN_S = 12.0
"""The same where it has answered, and its way was not lost again."""
ASKED_S = 8.0
"""So long it may take to answer, the opening of a connection with it."""
OPENING_S = 4.0
"""So long opening a connection to one place may take."""
MOST_PAUSE_S = 64.0
"""Connections that are lost again and again are opened after pauses of up to so long."""
_GONE = 481


def way_back(
    asking: Asking, *, ca_file: Path | None, else_to: tuple[Place, str] | None = None
) -> Callable[[], Awaitable[Wire]]:
    """Opens a connection to where requests of a dialog go: its first proxy, or the peer itself.

    Args:
        else_to: A place where it may be tried as well, and whose certificate is wanted there; it is tried
            last.

    Returns:
        What opens it; raises Unreached where nobody is.
    """

    async def opened(place: Place, server_name: str) -> Wire:
        return await open_wire(
            asking.destination.carrier,
            place,
            server_name=server_name,
            ca_file=ca_file,
            shown=asking.shown,
            within_s=OPENING_S,
        )

    async def open_() -> Wire:
        try:
            uri = parse_uri(asking.dialog.next_hop)
            carrier = asking.destination.carrier
            place = await locate(uri.host, uri.port, carrier, shown=asking.shown)
            return await opened(place, bare_host(uri.host))
        except (BadAddress, SetupFailed) as error:
            if else_to is None:
                raise Unreached(str(error)) from error
        return await opened(*else_to)

    return open_


class Standing(Protocol):
    """A call, as this sees it."""

    log: MediaLog
    ended: asyncio.Future[str]
    peer_left: bool

    @property
    def asking(self) -> Asking | None:
        """What asks in its dialog."""

    def tell(self, kind: str, data: dict[str, Any]) -> None:
        """Something happened on the wire."""

    def end(self, how: str) -> None:
        """It is over."""


class LostWay:
    """Watches over a call from the moment when its connection is lost, until the call ends.

    Args:
        run: Runs a coroutine for as long as the call lasts.
        open_again: Opens another connection, where there is none; says whether it does.
    """

    def __init__(
        self,
        call: Standing,
        *,
        run: Callable[[Coroutine[Any, Any, None]], object],
        open_again: Callable[[], bool] = lambda: False,
    ) -> None:
        self._call = call
        self._run = run
        self._open_again = open_again
        self._watching = False
        self._stands = True
        self._why = ""

    def lost(self, why: str) -> None:
        """The connection is."""
        self._why = KNOWN.scrub(why)
        if self._is_over() or not self._stands:
            return
        self._stands = False
        self._call.tell("signalling-lost", {"why": self._why[:300]})
        if not self._watching:
            self._watching = True
            self._open_again()
            self._run(self._watch(len(self._call.log.received)))

    async def _watch(self, heard: int) -> None:
        call, quiet_s = self._call, 0.0
        since_s, pause_s = 0.0, QUIET_S
        while True:
            await asyncio.sleep(QUIET_S)
            if self._is_over():
                return
            quiet_s += QUIET_S
            since_s += QUIET_S
            if since_s >= pause_s and self._open_again():
                since_s, pause_s = 0.0, min(2 * pause_s, MOST_PAUSE_S)
            if len(call.log.received) > heard:
                heard, quiet_s = len(call.log.received), 0.0
            if quiet_s < (QUIET_AGAIN_S if self._stands else QUIET_S):
                continue
            quiet_s, stood, before, self._why = 0.0, self._stands, self._why, ""
            code = await self._answered()
            lost_meanwhile, self._why = self._why, self._why or before
            if code not in (0, 408, _GONE):
                # Another connection stands, unless that is lost in its turn.
                self._stands = not lost_meanwhile
                continue
            # Who is heard again is there, whatever it does not answer.
            goes_on = code != _GONE and ((stood and lost_meanwhile) or len(call.log.received) > heard)
            if not goes_on and not self._is_over():
                call.end(ConnectionLost(f"the way to the agent is lost: {self._why}"))
                return

    def _is_over(self) -> bool:
        return self._call.peer_left or self._call.ended.done()

    async def _answered(self) -> int:
        """What the agent, or a proxy, says to our question; 0: nothing."""
        asking = self._call.asking
        assert asking is not None
        response = await asking.in_dialog("OPTIONS", limit_s=ASKED_S)
        return 0 if response is None else response.code
