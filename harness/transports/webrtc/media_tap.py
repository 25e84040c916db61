"""Takes the agent's packets before aiortc's jitter buffer and decoder, each with its stamp from the socket.

aiortc's own way to the sound would add 80 ms and more to every figure. A packet is stamped where it passes
the socket (``probe_socket``), still encrypted; it counts once it has come through SRTP. One tap serves a
call, whatever number of connections and receivers that has.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from aioice.ice import StunProtocol
from aioice.turn import TurnTransport
from aiortc import RTCDtlsTransport, RTCRtpReceiver
from aiortc.rtcrtpreceiver import StreamStatistics
from aiortc.rtp import RtpPacket

from harness.transports.base import DialRequest, MediaLog, ReceivedPacket
from harness.transports.codecs.table import codec_named
from harness.transports.impairment import impairments
from harness.transports.probe_socket import ProbeSocket, attach_probe
from harness.transports.stamp import RtpStamp
from harness.transports.webrtc.ice.relayed import attach_relay_probe, path_of

_STAMPS_KEPT = 512
_MOST_WAITING = 1000
"""Datagrams: more than a socket of usual size has room for."""
_READ_UP_NS = 300_000_000
"""To read them may take so long."""
_SOURCES_REPORTED = 31
"""As many as an RTCP receiver report has room for (RFC 3550, 6.4.2). One more and aiortc's reports fail, and
with them the end of the call."""


class MediaTap:
    """What passes the sockets of one call, into its log.

    Args:
        request: Of the call: its network conditions, and who is told of packets.
        log: Is filled.
    """

    def __init__(self, request: DialRequest, log: MediaLog) -> None:
        self._log = log
        self._on_packet: Callable[[ReceivedPacket], None] = request.on_packet
        self._inbound, self._outbound = impairments(
            request.conditions, seed=request.seed, clock=request.clock
        )
        self._arrivals: dict[tuple[int, int], RtpStamp] = {}
        self._taken: dict[tuple[int, int], None] = {}
        self._probes: list[ProbeSocket] = []
        self._over_ns: int | None = None
        self._newest_sent: int | None = None
        self._uplink_rate_hz = request.uplink.codec.clock_rate_hz
        self._ticks = 1

    def stamp_sockets(self, dtls: RTCDtlsTransport) -> None:
        """Stamps packets at every socket of a connection, to peers and to TURN servers; once it has gathered
        its candidates, and before a packet can flow.

        Raises:
            RuntimeError: The event loop is not asyncio's own selector loop, whose sockets can be probed.
        """
        by_kernel = []
        for protocol in dtls.transport._connection._protocols:
            probe, stamped_by_kernel = self._probe(protocol)
            by_kernel.append(stamped_by_kernel)
            if probe is not None:
                self._probes.append(probe)
        self._log.kernel_timestamps = bool(by_kernel) and all(by_kernel)

    def speaks(self, codec: str) -> None:
        """Settles in which codec's ticks our packets are counted; the uplink's, where nothing is said."""
        self._ticks = self._uplink_rate_hz // codec_named(codec).clock_rate_hz

    def connected(self, dtls: RTCDtlsTransport) -> None:
        """Notes which way packets take, once the connection stands by which the agent's come."""
        self._log.path = path_of(dtls.transport._connection)

    def listen_to(
        self,
        receiver: RTCRtpReceiver,
        sift: Callable[[ReceivedPacket], ReceivedPacket | None] = lambda packet: packet,
    ) -> None:
        """Takes what a receiver gets after SRTP; keeps its RTCP reports going. Before the first packet: where
        an offer of the agent's brings the receiver, as soon as its track is told of.

        What is heard is in the codec that the log names by then.

        Args:
            sift: Given each packet; what it returns is the agent's, None where it is not.
        """
        # Not public, but the only way to keep the agent's view of its losses true.
        statistics: dict[int, StreamStatistics] = vars(receiver)["_RTCRtpReceiver__remote_streams"]
        clock_rate_hz = codec_named(self._log.codec).clock_rate_hz

        async def take(packet: RtpPacket, arrival_time_ms: int) -> None:
            key = (packet.ssrc, packet.sequence_number)
            stamp = self._arrivals.pop(key, None)
            if stamp is None:
                return
            self._taken[key] = None
            if len(self._taken) > _STAMPS_KEPT:
                del self._taken[next(iter(self._taken))]
            if packet.ssrc not in statistics:
                if len(statistics) >= _SOURCES_REPORTED:
                    del statistics[next(iter(statistics))]
                statistics[packet.ssrc] = StreamStatistics(clock_rate_hz)
            statistics[packet.ssrc].add(packet)
            received = sift(ReceivedPacket(stamp=stamp, payload=bytes(packet.payload)))
            if received is None:
                return
            self._log.received.append(received)
            self._on_packet(received)

        receiver._handle_rtp_packet = take  # type: ignore[method-assign]

    async def read_up(self) -> None:
        """Ends the call for the log, and takes the packets that came until now and wait at our sockets:
        behind a flood, or on a busy machine, the agent's last words may be among them. The event loop reads
        one in each round. What comes while we hang up is no part of the call."""
        self._over_ns = time.monotonic_ns()
        for _ in range(_MOST_WAITING):
            waiting = any(probe.has_more() for probe in self._probes)
            if not waiting or time.monotonic_ns() > self._over_ns + _READ_UP_NS:
                break
            await asyncio.sleep(0)
        # What was read last is still on its way through SRTP.
        for _ in range(5):
            await asyncio.sleep(0)

    def _probe(self, protocol: StunProtocol) -> tuple[ProbeSocket | None, bool]:
        probing: dict[str, Any] = {
            "on_received": self._on_stamp_received,
            "on_sent": self._on_stamp_sent,
            "inbound": self._inbound,
            "outbound": self._outbound,
        }
        transport: object = protocol.transport
        if isinstance(transport, TurnTransport):
            return attach_relay_probe(transport, protocol, **probing)
        probe = attach_probe(protocol.transport, protocol, **probing)
        return probe, probe.kernel_timestamps

    def _on_stamp_sent(self, stamp: RtpStamp) -> None:
        # What a server asks for once more (a NACK) is no further frame: the frame left when it left first.
        if self._newest_sent is not None and (stamp.sequence - self._newest_sent - 1) & 0xFFFF >= 0x8000:
            return
        self._newest_sent = stamp.sequence
        # The ticks of the uplink are what the log is read by; both wrap at 32 bits.
        if self._ticks != 1:
            stamp = replace(stamp, media_ticks=stamp.media_ticks * self._ticks & 0xFFFFFFFF)
        self._log.sent.append(stamp)

    def _on_stamp_received(self, stamp: RtpStamp) -> None:
        if self._over_ns is not None and stamp.monotonic_ns > self._over_ns:
            return
        key = (stamp.ssrc, stamp.sequence)
        if key in self._taken:
            # SRTP will refuse it as a replay, so that nobody else could count it.
            self._log.repeated += 1
            return
        self._log.repeated += key in self._arrivals
        # Of two that wait, the later stamp is kept: a late one does no harm, one that a stranger sent ahead
        # of the agent's own packet would.
        self._arrivals[key] = stamp
        if len(self._arrivals) > _STAMPS_KEPT:
            # Stamps of packets that never came through SRTP; the oldest goes first.
            del self._arrivals[next(iter(self._arrivals))]


def turn_away(receiver: RTCRtpReceiver) -> None:
    """Drops what a receiver gets: somebody's track that is no part of the call, which aiortc would decode."""

    async def drop(packet: RtpPacket, arrival_time_ms: int) -> None:
        return

    receiver._handle_rtp_packet = drop  # type: ignore[method-assign]
