"""Calls agents over SIP: ``sip:user@host;transport=udp|tcp|tls`` and ``sips:user@host``.

Addresses are described in ``address``. What is spoken is agreed only when the agent answers, so calls are
prepared as they are and encoded while they run (``codecs.frame_by_frame``).
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from harness.errors import NotAnswered, SetupFailed
from harness.transports.base import DialRequest, MediaSession
from harness.transports.codecs.prepared import UNENCODED
from harness.transports.sip.address import BadAddress, Destination, parse_uri, read_destination
from harness.transports.sip.session import SipSession
from harness.transports.sip.signalling.placing import Redirected

MAX_REDIRECTIONS = 2


class SipTransport:
    """See the module's docstring."""

    name = "sip"
    codec = UNENCODED

    async def dial(self, request: DialRequest) -> MediaSession:
        destination = read_destination(request.to, shown=request.agent)
        session: SipSession | None = None
        try:
            async with asyncio.timeout(request.connect_s):
                for _ in range(MAX_REDIRECTIONS + 1):
                    session = SipSession(request, destination)
                    try:
                        await session.connect()
                        return session
                    except Redirected as elsewhere:
                        await session.close()
                        session.tell("redirected", {"to": elsewhere.to, "followed": True})
                        destination = _elsewhere(destination, elsewhere.to)
                        request = replace(request, to=replace(request.to, headers={}))
                raise NotAnswered(
                    f"{request.agent}: redirected more than {MAX_REDIRECTIONS} times", reason="redirected"
                )
        except TimeoutError:
            raise await _in_vain(request, session) from None
        except BaseException:
            if session is not None:
                await session.give_up()
                await session.close()
            raise


async def _in_vain(request: DialRequest, session: SipSession | None) -> SetupFailed:
    """Takes the call back; the error that tells of it."""
    stage = session.stage if session is not None else ""
    rang = session is not None and session.rang
    if session is not None:
        await session.give_up()
        await session.close()
    if rang:
        return NotAnswered(
            f"{request.agent}: no answer: it rang, and nobody took the call within {request.connect_s:g} s",
            reason="no answer",
        )
    return SetupFailed(f"{request.agent}: no media session within {request.connect_s:g} s ({stage})")


def _elsewhere(destination: Destination, to: str) -> Destination:
    """The same call to an allowed address. What opens the first door is not shown at another one."""
    try:
        uri = parse_uri(to)
    except BadAddress as error:
        raise NotAnswered(f"redirected to what is no SIP address: {error}", reason="redirected") from None
    carrier = "tls" if uri.secure else (uri.carrier or destination.carrier)
    return replace(destination, uri=uri, carrier=carrier, user="", password="", proxy=None)
