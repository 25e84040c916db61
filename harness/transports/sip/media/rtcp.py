"""Reports beside the sound (RTCP, RFC 3550): what we sent and what came, every five seconds."""

from __future__ import annotations

import asyncio
import secrets
import time

from aiortc.rtcrtpreceiver import StreamStatistics
from aiortc.rtp import (
    RtcpReceiverInfo,
    RtcpSdesPacket,
    RtcpSenderInfo,
    RtcpSourceInfo,
    RtcpSrPacket,
    RtpPacket,
)

from harness.transports.sip.media.encryption import Encryption
from harness.transports.sip.media.leg import Leg

EVERY_S = 5.0
_NTP_EPOCH_S = 2_208_988_800
_READ_AT_ONCE = 16


class Reports:
    """Sends reports for a leg, and reads the agent's away."""

    def __init__(self, leg: Leg, *, to: tuple[str, int], encryption: Encryption | None) -> None:
        self.came = 0
        self._leg = leg
        self._to = to
        self._encryption = encryption
        self._name = secrets.token_hex(8)
        self._statistics: StreamStatistics | None = None
        self._ssrc = 0
        self._loop = asyncio.get_running_loop()
        self._sock = leg.ports.rtcp
        self._loop.add_reader(self._sock.fileno(), self._read)
        self._timer = self._loop.call_later(EVERY_S, self._report)

    def redirect(self, to: tuple[str, int], encryption: Encryption | None) -> None:
        """Where reports go from now on, and by which keys. A hold as it was done once names no place: they go
        where they went then."""
        self._encryption = encryption
        if to[0] not in ("0.0.0.0", "::"):
            self._to = to

    def add(self, packet: RtpPacket, clock_rate_hz: int) -> None:
        """A packet of the agent's sound: of its latest source there is a report."""
        if self._statistics is None or packet.ssrc != self._ssrc:
            self._statistics, self._ssrc = StreamStatistics(clock_rate_hz), packet.ssrc
        self._statistics.add(packet)

    def close(self) -> None:
        self._timer.cancel()
        # A call that went on elsewhere has its sockets closed by whoever opened them.
        if self._sock.fileno() >= 0:
            self._loop.remove_reader(self._sock.fileno())

    def _report(self) -> None:
        self._timer = self._loop.call_later(EVERY_S, self._report)
        leg, heard = self._leg, self._statistics
        now_s = time.time() + _NTP_EPOCH_S
        sender = RtcpSenderInfo(
            ntp_timestamp=int(now_s * 2**32) & (2**64 - 1),
            rtp_timestamp=leg.rtp_time,
            packet_count=leg.sent_packets & 0xFFFFFFFF,
            octet_count=leg.sent_bytes & 0xFFFFFFFF,
        )
        reports = []
        if heard is not None:
            reports.append(
                RtcpReceiverInfo(
                    ssrc=self._ssrc,
                    fraction_lost=heard.fraction_lost,
                    packets_lost=heard.packets_lost,
                    highest_sequence=heard.max_seq or 0,
                    jitter=heard.jitter,
                    lsr=0,
                    dlsr=0,
                )
            )
        packet = bytes(RtcpSrPacket(ssrc=leg.ssrc, sender_info=sender, reports=reports))
        name = RtcpSourceInfo(ssrc=leg.ssrc, items=[(1, self._name.encode())])
        packet += bytes(RtcpSdesPacket(chunks=[name]))
        if self._encryption is not None:
            packet = self._encryption.lock(packet, rtcp=True)
        try:
            self._sock.sendto(packet, self._to)
        except OSError:
            return

    def _read(self) -> None:
        for _ in range(_READ_AT_ONCE):
            try:
                self._sock.recv(2048)
            except BlockingIOError:
                return
            except OSError:
                continue
            self.came += 1
