"""Timestamps at the UDP socket: when media packets really arrived (kernel) and really left.

asyncio and aiortc see a packet when the event loop gets to it; the kernel stamps its arrival. Where the
platform has no such stamps, arrival is the moment of reading, and ``kernel_timestamps`` says so.

RTP headers stay readable under SRTP (RFC 3711), so sequence number and timestamp are read right here.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import time
from collections.abc import Callable
from typing import Any

from harness.transports.impairment import Impairment
from harness.transports.kernel_stamps import TIMESPEC, arrival_ns_of, enable_kernel_timestamps
from harness.transports.stamp import RtpStamp

CHANNEL_DATA = 4
"""Bytes that a TURN server and its client put before what they relay (RFC 8656, 12.4)."""
_RTP_HEADER = struct.Struct("!BBHLL")
_MAX_DATAGRAM_BYTES = 65_536


class ProbeSocket:
    """Stands in for the socket inside an asyncio datagram transport.

    Args:
        sock: The socket to wrap; everything not named here is passed through to it.
        on_received, on_sent: Called with the stamp of each RTP packet.
        deliver: Feeds a datagram to the protocol; used for packets that the impairment holds back.
        inbound, outbound: Impairments, applied to RTP packets only. A packet held back on its way in is
            stamped with its arrival plus the delay; one going out is stamped before the impairment, since
            the network begins there. A packet that comes twice is stamped twice.
        wrapped: 0, or :data:`CHANNEL_DATA` for the socket to a TURN server.
    """

    def __init__(
        self,
        sock: socket.socket,
        *,
        on_received: Callable[[RtpStamp], None],
        on_sent: Callable[[RtpStamp], None],
        deliver: Callable[[bytes, Any], None],
        inbound: Impairment,
        outbound: Impairment,
        wrapped: int = 0,
    ) -> None:
        self._sock = sock
        self._wrapped = wrapped
        self._on_received = on_received
        self._on_sent = on_sent
        self._deliver = deliver
        self._inbound = inbound
        self._outbound = outbound
        self._loop = asyncio.get_running_loop()
        self.kernel_timestamps = enable_kernel_timestamps(sock)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def has_more(self) -> bool:
        """Whether a datagram has come that was not read yet."""
        try:
            return bool(self._sock.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except OSError:
            # None, or the socket is closed.
            return False

    def recvfrom(self, size: int) -> tuple[bytes, Any]:
        """As ``socket.recvfrom``, and reports the stamp of an RTP packet. Raises BlockingIOError for a
        packet that the impairment drops or holds back: for the caller, nothing has come."""
        data, ancillary, _, address = self._sock.recvmsg(
            min(size, _MAX_DATAGRAM_BYTES), socket.CMSG_SPACE(TIMESPEC.size)
        )
        packet = self._packet(data)
        if not is_rtp(packet):
            return data, address
        arrival_ns = arrival_ns_of(ancillary)
        if self._inbound.active:
            for delay_s in self._inbound.meet(arrival_ns):
                stamp = stamp_of(packet, arrival_ns + round(delay_s * 1e9))
                self._loop.call_later(delay_s, self._deliver_late, stamp, data, address)
            raise BlockingIOError
        self._on_received(stamp_of(packet, arrival_ns))
        return data, address

    def sendto(self, data: bytes, address: Any) -> int:
        """As ``socket.sendto``, and reports the stamp of an RTP packet."""
        return self._pass_on(data, lambda: self._sock.sendto(data, address))

    def send(self, data: bytes) -> int:
        """As ``socket.send``, for a socket that is connected: to a TURN server."""
        return self._pass_on(data, lambda: self._sock.send(data))

    def _packet(self, data: bytes) -> bytes:
        """What of a datagram may be RTP."""
        if not self._wrapped:
            return data
        return data[self._wrapped :] if data and 0x40 <= data[0] <= 0x4F else b""

    def _pass_on(self, data: bytes, send: Callable[[], int]) -> int:
        packet = self._packet(data)
        if not is_rtp(packet):
            return send()
        sent_ns = time.monotonic_ns()
        self._on_sent(stamp_of(packet, sent_ns))
        if self._outbound.active:
            for delay_s in self._outbound.meet(sent_ns):
                self._loop.call_later(delay_s, self._send_late, send)
            return len(data)
        return send()

    def _deliver_late(self, stamp: RtpStamp, data: bytes, address: Any) -> None:
        if self._sock.fileno() >= 0:
            self._on_received(stamp)
            self._deliver(data, address)

    def _send_late(self, send: Callable[[], int]) -> None:
        if self._sock.fileno() >= 0:
            send()


def attach_probe(
    transport: asyncio.DatagramTransport,
    protocol: asyncio.DatagramProtocol,
    *,
    on_received: Callable[[RtpStamp], None],
    on_sent: Callable[[RtpStamp], None],
    inbound: Impairment,
    outbound: Impairment,
    wrapped: int = 0,
) -> ProbeSocket:
    """Puts a :class:`ProbeSocket` under an open asyncio datagram transport.

    Raises:
        RuntimeError: The event loop is not asyncio's own selector loop, whose transports can be probed.
    """
    sock = getattr(transport, "_sock", None)
    if not isinstance(sock, socket.socket):
        raise RuntimeError(
            "packet times cannot be taken on this event loop: run under asyncio's selector loop, not uvloop"
        )
    probe = ProbeSocket(
        sock,
        on_received=on_received,
        on_sent=on_sent,
        deliver=protocol.datagram_received,
        inbound=inbound,
        outbound=outbound,
        wrapped=wrapped,
    )
    transport._sock = probe  # type: ignore[attr-defined]
    return probe


def is_rtp(data: bytes) -> bool:
    """RTP, as opposed to STUN, DTLS (RFC 7983) or RTCP (RFC 5761)."""
    return len(data) >= _RTP_HEADER.size and 128 <= data[0] <= 191 and not 64 <= (data[1] & 0x7F) < 96


def stamp_of(data: bytes, monotonic_ns: int) -> RtpStamp:
    """The stamp of an RTP packet that passed at that time."""
    _, _, sequence, rtp_timestamp, ssrc = _RTP_HEADER.unpack_from(data)
    return RtpStamp(media_ticks=rtp_timestamp, monotonic_ns=monotonic_ns, sequence=sequence, ssrc=ssrc)
