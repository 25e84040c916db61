"""A call that its agent hands on (REFER, RFC 3515) goes on with whom the agent names, where the plan lets us.

The sound is the same stream: our sockets, our clock and our codec stay, and only the other side is another.
So the new side has to speak the codec that was agreed with the first.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from harness.errors import SetupFailed
from harness.records.timeline import TRANSFERRED
from harness.redaction import KNOWN
from harness.transports.base import DialRequest
from harness.transports.sip.address import BadAddress, Destination, bare_host, parse_uri
from harness.transports.sip.session import SipSession
from harness.transports.sip.signalling.inviting.redirection import Redirected
from harness.transports.sip.transfers import Standing

MAX_FOLLOWED = 2
"""Redirections of a call, and transfers."""


@dataclass(kw_only=True)
class Following:
    """Of one call; see :class:`~harness.transports.sip.transfers.Follows`."""

    request: DialRequest
    destination: Destination
    followed: int = 0

    def may(self, target: str) -> bool:
        if self.followed >= MAX_FOLLOWED or "replaces=" in target.lower():
            return False
        try:
            uri = parse_uri(target)
        except BadAddress:
            return False
        host = uri.host.lower()
        is_call = uri.parameter("method").upper() in ("", "INVITE")
        return is_call and (host in self.destination.follow or bare_host(host) in self.destination.follow)

    async def go(self, call: Standing, target: str, shown: str) -> None:
        self.followed += 1
        # What opens the first door is not shown at another one.
        request = replace(self.request, agent=shown, to=replace(self.request.to, headers={}))
        other = SipSession(request, elsewhere(self.destination, target))
        other.transfers.follows = self
        try:
            await call.transfers.tell("100 Trying", over=False)
            async with asyncio.timeout(request.connect_s):
                await other.connect(call.leg)
        except BaseException as error:
            await other.give_up()
            await other.close()
            if not isinstance(error, SetupFailed | Redirected | TimeoutError):
                raise
            why = str(error) or f"nobody took the call within {request.connect_s:g} s"
            call.tell("transfer-failed", {"to": shown, "why": KNOWN.scrub(why)[:300]})
            await call.transfers.stay()
            return
        call.tell(TRANSFERRED, {"to": shown, "followed": True})
        await call.transfers.hand_over(other)


def elsewhere(destination: Destination, to: str) -> Destination:
    """The same call to another address, without what opens the first door.

    Raises:
        BadAddress: It is none.
    """
    uri = parse_uri(to)
    carrier = "tls" if uri.secure else (uri.carrier or destination.carrier)
    return replace(destination, uri=uri, carrier=carrier, user="", password="", proxy=None)
