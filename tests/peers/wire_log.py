"""What passed the sockets of an aiortc server, whoever wrote the server: each RTP packet with its payload and
the moment of ``sendto``, or of its arrival by the kernel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import aioice.ice
from aiortc import RTCDtlsTransport, RTCPeerConnection, RTCRtpReceiver
from aiortc.rtp import RtpPacket

from fixtures.agents.calibration.wire import stamp_transport


@dataclass(frozen=True)
class Packet:
    """A packet as it passed, in monotonic nanoseconds."""

    sequence: int
    timestamp: int
    ns: int
    payload: bytes
    marker: int = 0


@dataclass
class WireLog:
    """Of one connection; both lists are in the order in which packets passed."""

    left: list[Packet] = field(default_factory=list)
    arrived: list[Packet] = field(default_factory=list)
    pending_out: dict[int, tuple[bytes, int]] = field(default_factory=dict)
    pending_in: dict[int, int] = field(default_factory=dict)
    over: bool = False
    channels: list[str] = field(default_factory=list)

    def _left(self, sequence: int, timestamp: int, ns: int) -> None:
        payload, marker = self.pending_out.pop(sequence, (b"", 0))
        self.left.append(Packet(sequence, timestamp, ns, payload, marker))

    def _arrived(self, sequence: int, timestamp: int, ns: int) -> None:
        self.pending_in[sequence] = ns


logs: list[WireLog] = []
"""Of every connection of this process, in order."""

_by_transport: dict[int, WireLog] = {}


def install() -> None:
    """From now on every connection of this process is logged, and 127.0.0.1 is a candidate."""
    addresses = aioice.ice.get_host_addresses
    aioice.ice.get_host_addresses = lambda use_ipv4, use_ipv6: [
        *(["127.0.0.1"] if use_ipv4 else []),
        *addresses(use_ipv4, use_ipv6),
    ]
    set_local, send, handle = (
        RTCPeerConnection.setLocalDescription,
        RTCDtlsTransport._send_rtp,
        RTCRtpReceiver._handle_rtp_packet,
    )

    async def set_local_logged(self: RTCPeerConnection, description: Any) -> None:
        await set_local(self, description)
        log = WireLog()
        logs.append(log)
        self.on("connectionstatechange", lambda: _note_state(self, log))
        self.on("datachannel", lambda channel: log.channels.append(channel.label))
        for transceiver in self.getTransceivers():
            dtls = transceiver.sender.transport
            if id(dtls) in _by_transport and _by_transport[id(dtls)] is log:
                continue
            _by_transport[id(dtls)] = log
            for protocol in dtls.transport._connection._protocols:
                stamp_transport(protocol.transport, log._arrived, log._left)

    async def send_logged(self: RTCDtlsTransport, data: bytes) -> None:
        log = _by_transport.get(id(self))
        if log is not None and not 192 <= data[1] <= 223:
            packet = RtpPacket.parse(data)
            log.pending_out[packet.sequence_number] = (packet.payload, packet.marker)
        await send(self, data)

    async def handle_logged(self: RTCRtpReceiver, packet: RtpPacket, arrival_time_ms: int) -> None:
        log = _by_transport.get(id(self.transport))
        ns = None if log is None else log.pending_in.pop(packet.sequence_number, None)
        if log is not None and ns is not None:
            log.arrived.append(Packet(packet.sequence_number, packet.timestamp, ns, packet.payload))
        await handle(self, packet, arrival_time_ms=arrival_time_ms)

    RTCPeerConnection.setLocalDescription = set_local_logged  # type: ignore[method-assign]
    RTCDtlsTransport._send_rtp = send_logged  # type: ignore[method-assign]
    RTCRtpReceiver._handle_rtp_packet = handle_logged  # type: ignore[method-assign]


def _note_state(pc: RTCPeerConnection, log: WireLog) -> None:
    log.over |= pc.connectionState in ("failed", "closed")
