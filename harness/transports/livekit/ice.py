"""By which STUN and TURN servers a LiveKit server's media is reached: usually by none.

A LiveKit server has an address of its own, and its TURN server is for networks that let nothing else through.
So what a plan names is taken; what the server offers, where media is to be relayed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from harness.plans.on_the_wire import IceServer, Reach
from harness.plans.reach.ice_url import ice_url
from harness.transports.tls import trusted
from harness.transports.webrtc.ice.choice import NO_SERVERS, ChosenIce, choose_ice

MAX_SERVERS = 10


async def ice_for(reach: Reach, offered: Iterable[Any], *, agent: str) -> ChosenIce:
    """The servers of a call's connections.

    Args:
        offered: ``livekit.ICEServer`` of the server's ``JoinResponse``.
        agent: The address as messages have it.

    Raises:
        SetupFailed: Media is to be relayed, and there is nobody who would.
    """
    if not (reach.ice_servers or reach.relay_only):
        return NO_SERVERS
    servers = reach.ice_servers or tuple(_read(offered))
    tls = await trusted(reach.ca_file) if any(one.url.tls for one in servers) else None
    return await choose_ice(servers, relay_only=reach.relay_only, tls=tls, agent=agent)


def _read(offered: Iterable[Any]) -> Iterable[IceServer]:
    for server in list(offered)[:MAX_SERVERS]:
        for text in list(server.urls)[:MAX_SERVERS]:
            try:
                url = ice_url(text)
            except ValueError:
                continue
            if url.kind == "turn" and server.username and server.credential:
                yield IceServer(url=url, username=server.username, credential=server.credential)
