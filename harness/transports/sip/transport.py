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
from harness.transports.sip.address import BadAddress, Destination, read_destination
from harness.transports.sip.following import MAX_FOLLOWED, Following, elsewhere
from harness.transports.sip.session import SipSession
from harness.transports.sip.signalling.inviting.redirection import Redirected


class SipTransport:
    """See the module's docstring."""

    name = "sip"
    codec = UNENCODED

    async def dial(self, request: DialRequest) -> MediaSession:
        destination = read_destination(request.to, shown=request.agent)
        session: SipSession | None = None
        try:
            async with asyncio.timeout(request.connect_s):
                for followed in range(MAX_FOLLOWED + 1):
                    session = SipSession(request, destination)
                    session.transfers.follows = Following(
                        request=request, destination=destination, followed=followed
                    )
                    try:
                        await session.connect()
                        return session
                    except Redirected as redirected:
                        await session.close()
                        session.tell("redirected", {"to": redirected.to, "followed": True})
                        # It is closed, and to be closed once; one whose closing was broken off is not.
                        session = None
                        destination = _allowed(destination, redirected.to)
                        request = replace(request, to=replace(request.to, headers={}))
                raise NotAnswered(
                    f"{request.agent}: redirected more than {MAX_FOLLOWED} times", reason="redirected"
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


def _allowed(destination: Destination, to: str) -> Destination:
    try:
        return elsewhere(destination, to)
    except BadAddress as error:
        raise NotAnswered(f"redirected to what is no SIP address: {error}", reason="redirected") from None
