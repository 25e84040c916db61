"""Which of the STUN and TURN servers that were named a connection uses.

aiortc takes the first STUN and the first TURN server of a list, whatever becomes of them. So all are asked at
once (``check``), and the first of each kind that serves us is taken, in the order in which they were
named.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Sequence
from dataclasses import dataclass

from aiortc import RTCConfiguration, RTCIceServer
from aiortc.rtcconfiguration import RTCIceTransportPolicy

from harness.errors import SetupFailed
from harness.plans.on_the_wire import IceServer
from harness.transports.webrtc.ice.check import refusal


@dataclass(frozen=True, kw_only=True)
class ChosenIce:
    """The servers of a connection: at most one of each kind.

    Attributes:
        relay_only: Media through the TURN server and no other way.
        tls: For a TURN server that is spoken to by TLS.
        passed_over: Servers named before those that were taken, or that could not be taken at all, each with
            why; without credentials.
    """

    stun: IceServer | None = None
    turn: IceServer | None = None
    relay_only: bool = False
    tls: ssl.SSLContext | None = None
    passed_over: tuple[tuple[str, str], ...] = ()

    @property
    def configuration(self) -> RTCConfiguration:
        """As aiortc takes it."""
        return RTCConfiguration(
            iceServers=[
                RTCIceServer(urls=one.url.shown, username=one.username, credential=one.credential)
                for one in (self.stun, self.turn)
                if one is not None
            ],
            iceTransportPolicy=RTCIceTransportPolicy.RELAY if self.relay_only else RTCIceTransportPolicy.ALL,
        )


NO_SERVERS = ChosenIce()
"""By our own addresses alone."""


async def choose_ice(
    servers: Sequence[IceServer], *, relay_only: bool, tls: ssl.SSLContext | None, agent: str
) -> ChosenIce:
    """Asks the servers and chooses.

    Args:
        tls: Whom a TURN server's certificate is to be signed by.
        agent: The address as messages have it.

    Raises:
        SetupFailed: Media is to be relayed, and there is nobody who would; the message has each server's
            reason.
    """
    if relay_only:
        # Without a relay nothing of a STUN server's could be used.
        servers = [one for one in servers if one.url.kind == "turn"]
    reasons = await asyncio.gather(*(refusal(one, tls) for one in servers))
    chosen: dict[str, IceServer] = {}
    passed_over = []
    for server, reason in zip(servers, reasons, strict=True):
        if reason:
            passed_over.append((server.url.shown, reason))
        else:
            chosen.setdefault(server.url.kind, server)
    if relay_only and "turn" not in chosen:
        told = "; ".join(f"{where} {reason}" for where, reason in passed_over)
        raise SetupFailed(
            f"{agent}: media is to be relayed, and no TURN server would do it: "
            + (told or "none is named (reach.ice_servers, --ice-server), and the agent names none")
        )
    return ChosenIce(
        stun=chosen.get("stun"),
        turn=chosen.get("turn"),
        relay_only=relay_only,
        tls=tls,
        passed_over=tuple(passed_over),
    )
