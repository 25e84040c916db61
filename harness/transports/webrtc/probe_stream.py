"""Stamps packets that pass a TURN server over TCP or TLS: when the segment that ends them had come, as the
kernel tells it, or when they are given to the stream.

Where the kernel tells nothing, a packet counts as come when it is read, which a busy event loop does late.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from aioice.turn import TurnClientTcpProtocol

from harness.transports.impairment import Impairment
from harness.transports.probe_socket import CHANNEL_DATA, is_rtp, stamp_of
from harness.transports.stamp import RtpStamp
from harness.transports.webrtc.stream_socket import stamped_stream


def attach_stream_probe(
    client: TurnClientTcpProtocol,
    protocol: asyncio.DatagramProtocol,
    *,
    on_received: Callable[[RtpStamp], None],
    on_sent: Callable[[RtpStamp], None],
    inbound: Impairment,
    outbound: Impairment,
) -> bool:
    """Stamps what a client of a TURN server hands to ``protocol``, and what it sends; impaired as at a
    :class:`~harness.transports.probe_socket.ProbeSocket`.

    Returns:
        Whether arrivals are the kernel's.
    """
    loop = asyncio.get_running_loop()
    stream = stamped_stream(client.transport)
    receive, send = protocol.datagram_received, client._send

    def received(data: bytes, address: Any) -> None:
        if not is_rtp(data):
            receive(data, address)
            return
        arrived_ns = stream.arrived_ns if stream is not None else None
        if arrived_ns is None:
            arrived_ns = time.monotonic_ns()
        if not inbound.active:
            on_received(stamp_of(data, arrived_ns))
            receive(data, address)
            return
        for delay_s in inbound.meet(arrived_ns):
            loop.call_later(delay_s, late, stamp_of(data, arrived_ns + round(delay_s * 1e9)), data, address)

    def late(stamp: RtpStamp, data: bytes, address: Any) -> None:
        if not client.transport.is_closing():
            on_received(stamp)
            receive(data, address)

    def sent(data: bytes) -> None:
        packet = data[CHANNEL_DATA:] if data and 0x40 <= data[0] <= 0x4F else b""
        if not is_rtp(packet):
            send(data)
            return
        now_ns = time.monotonic_ns()
        on_sent(stamp_of(packet, now_ns))
        if not outbound.active:
            send(data)
            return
        for delay_s in outbound.meet(now_ns):
            loop.call_later(delay_s, send_late, data)

    def send_late(data: bytes) -> None:
        if not client.transport.is_closing():
            send(data)

    protocol.datagram_received = received  # type: ignore[method-assign, assignment]
    client._send = sent  # type: ignore[method-assign]
    return stream is not None
