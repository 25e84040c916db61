"""Stamps packets that pass a TURN server over TCP or TLS: where they are read from the stream or given to it.

There is no kernel stamp for a packet in a stream. How much later the event loop reads is a part of the error
bar of such calls.
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


def attach_stream_probe(
    client: TurnClientTcpProtocol,
    protocol: asyncio.DatagramProtocol,
    *,
    on_received: Callable[[RtpStamp], None],
    on_sent: Callable[[RtpStamp], None],
    inbound: Impairment,
    outbound: Impairment,
) -> None:
    """Stamps what a client of a TURN server hands to ``protocol``, and what it sends; impaired as at a
    :class:`~harness.transports.probe_socket.ProbeSocket`."""
    loop = asyncio.get_running_loop()
    receive, send = protocol.datagram_received, client._send

    def received(data: bytes, address: Any) -> None:
        if not is_rtp(data):
            receive(data, address)
            return
        now_ns = time.monotonic_ns()
        if not inbound.active:
            on_received(stamp_of(data, now_ns))
            receive(data, address)
            return
        for delay_s in inbound.meet(now_ns):
            loop.call_later(delay_s, late, stamp_of(data, now_ns + round(delay_s * 1e9)), data, address)

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
