"""Stamps packets that pass a TURN server, at our own socket to it.

Over UDP a packet has four bytes of the relay before it (ChannelData, RFC 8656, 12.4), and is stamped by the
kernel like any other. Over TCP and TLS the kernel stamps segments: a packet counts as arrived with the one
that its last byte was read from, and as sent when it is given to the stream.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from aioice import Connection
from aioice.turn import TurnClientTcpProtocol, TurnClientUdpProtocol, TurnTransport

from harness.transports.impairment import Impairment
from harness.transports.probe_socket import CHANNEL_DATA, ProbeSocket, attach_probe
from harness.transports.stamp import RtpStamp
from harness.transports.webrtc.probe_stream import attach_stream_probe


def client_of(transport: TurnTransport) -> TurnClientUdpProtocol | TurnClientTcpProtocol:
    """The connection to the TURN server below a relayed transport."""
    client: TurnClientUdpProtocol | TurnClientTcpProtocol = vars(transport)["_TurnTransport__inner_protocol"]
    return client


def path_of(ice: Connection) -> str:
    """Which way packets take once a connection stands: ``direct``, or ``relay-udp``, ``relay-tcp``,
    ``relay-tls``."""
    pair = next(iter(ice._nominated.values()), None)
    transport: object = None if pair is None else pair.protocol.transport
    if not isinstance(transport, TurnTransport):
        return "direct"
    client = client_of(transport)
    if isinstance(client, TurnClientUdpProtocol):
        return "relay-udp"
    return "relay-tcp" if client.transport.get_extra_info("ssl_object") is None else "relay-tls"


def attach_relay_probe(
    transport: TurnTransport,
    protocol: asyncio.DatagramProtocol,
    *,
    on_received: Callable[[RtpStamp], None],
    on_sent: Callable[[RtpStamp], None],
    inbound: Impairment,
    outbound: Impairment,
) -> tuple[ProbeSocket | None, bool]:
    """Puts a probe under a relayed transport.

    Returns:
        The probe, None where it is a stream, which has no packets to wait for; and whether arrivals are the
        kernel's.
    """
    client = client_of(transport)
    probing: dict[str, Any] = {
        "on_received": on_received,
        "on_sent": on_sent,
        "inbound": inbound,
        "outbound": outbound,
    }
    if isinstance(client, TurnClientTcpProtocol):
        return None, attach_stream_probe(client, protocol, **probing)
    probe = attach_probe(client.transport, client, **probing, wrapped=CHANNEL_DATA)
    return probe, probe.kernel_timestamps
