"""The way to an agent that rings: it is dialled by being let in."""

from __future__ import annotations

from harness.transports.base import DialRequest, MediaSession
from harness.transports.codecs.prepared import UNENCODED
from harness.transports.sip.address import read_destination
from harness.transports.sip.answering.ring import Ring
from harness.transports.sip.answering.session import AnsweredSession, Manner


class RungTransport:
    """A :class:`~harness.transports.base.Transport` for the one call that rings."""

    name = "sip-in"
    codec = UNENCODED

    def __init__(self, ring: Ring, manner: Manner) -> None:
        self._ring = ring
        self._manner = manner

    async def dial(self, request: DialRequest) -> MediaSession:
        destination = read_destination(request.to, shown=request.agent)
        session = AnsweredSession(request, destination, self._ring, self._manner)
        try:
            await session.connect()
        except BaseException:
            await session.close()
            raise
        return session
