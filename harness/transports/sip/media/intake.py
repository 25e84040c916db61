"""What comes in of one call's sound: each datagram stamped, and only the agent's own sound kept.

Arrival is the kernel's (``SO_TIMESTAMPNS``), so that the event loop may come to a packet late. What is not
the agent's sound does not reach the log: other payload types, other senders, what is no RTP, early media.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections import Counter, deque
from collections.abc import Callable

from aiortc.rtp import RtpPacket

from harness.records.timeline import AGENT_WAITS
from harness.transports.base import MediaLog, ReceivedPacket
from harness.transports.impairment import Impairment
from harness.transports.kernel_stamps import TIMESPEC, arrival_ns_of, enable_kernel_timestamps
from harness.transports.sip.media.dtmf import EventReader
from harness.transports.sip.media.encryption import Encryption, Unreadable
from harness.transports.sip.media.sdp import STATIC, Agreed
from harness.transports.sip.media.sources import Sources, follows
from harness.transports.stamp import RtpStamp

_MAX_DATAGRAM = 4096
_AT_ONCE = 64
"""Datagrams that are read before the event loop may do something else."""
_READ_UP_NS = 300_000_000
_TELLS = 50
"""So many packets that cannot be decrypted or are in nothing that was agreed, and none that is right, are
told while the call stands: a second."""
_ASKS = 10
"""As often as so many packets in nothing that was agreed came, and none that is right, it is told at once: so
many are not those that were on their way when a new description came."""
_COMFORT_NOISE = 13
"""RFC 3389: comes instead of sound while the agent is silent."""
_EARLY_KEPT = 500
"""Datagrams that came before the answer was read: ten seconds."""

_Arrived = tuple[bytes, tuple[str, int], int]
"""A datagram, whence, and when in monotonic nanoseconds."""


class Intake:
    """See the module's docstring. Begins to read when it is made.

    Args:
        rtp: The socket of the sound.
        inbound: What our own side does to packets that come in.
        passed_over: Why packets are not in the log -> how many; shared with whoever sends.
        on_packet: Called with each packet that is kept.
        on_event: Called with what is to be told of.
        on_other: Called with a payload type that was not agreed, as often as several packets in a row had it.
    """

    def __init__(
        self,
        rtp: socket.socket,
        *,
        inbound: Impairment,
        passed_over: Counter[str],
        on_packet: Callable[[ReceivedPacket], None],
        on_event: Callable[[str, dict[str, object]], None],
        on_other: Callable[[int], None],
    ) -> None:
        self._rtp = rtp
        self._inbound = inbound
        self._passed_over = passed_over
        self._on_packet = on_packet
        self._on_event = on_event
        self._on_other = on_other
        self._loop = asyncio.get_running_loop()
        self._log: MediaLog | None = None
        self._agreed: Agreed | None = None
        self._encryption: Encryption | None = None
        self._sources = Sources(passed_over=passed_over, on_event=on_event)
        self._events = EventReader()
        self._others = 0
        """Packets in a row of sound that was not agreed."""
        self._known: set[int] = set()
        self._new: tuple[RtpPacket, int] | None = None
        self._early: deque[_Arrived] = deque(maxlen=_EARLY_KEPT)
        self.kernel_timestamps = enable_kernel_timestamps(rtp)
        self._loop.add_reader(rtp.fileno(), self._read)

    def connect(
        self,
        agreed: Agreed,
        log: MediaLog,
        report: Callable[[RtpPacket, int], None],
        *,
        clock_rate_hz: int,
        answered_ns: int | None,
    ) -> None:
        """From now on what comes is kept and given to ``report``.

        Args:
            answered_ns: What came before is early media, and no part of the call; None: there was none, and
                an agent's first packets may overtake its answer.
        """
        self._agreed, self._log, self._report = agreed, log, report
        self._clock_rate_hz = clock_rate_hz
        log.kernel_timestamps = self.kernel_timestamps
        waiting = list(self._early)
        self._early.clear()
        for one in waiting:
            if answered_ns is None or one[2] >= answered_ns:
                self._take(*one)
            else:
                self._keep_early(log, *one)

    def hand_over(self, agreed: Agreed, report: Callable[[RtpPacket, int], None]) -> None:
        """From now on the other side is somebody else, in the same codec."""
        self._agreed, self._report = agreed, report
        self._sources.forget()

    def renumber(self, agreed: Agreed) -> None:
        """From now on the same codec comes under these numbers."""
        self._agreed = agreed

    def expect(self, named: tuple[str, int] | None, encryption: Encryption | None) -> None:
        """Whence the agent says that its sound comes, and by which keys."""
        self._sources.expect(named, anew=encryption is not self._encryption)
        self._encryption = encryption

    async def read_up(self) -> None:
        """Reads what has come until now, and no more after that."""
        until_ns = time.monotonic_ns() + _READ_UP_NS
        self._loop.remove_reader(self._rtp.fileno())
        more = True
        while more and time.monotonic_ns() < until_ns:
            # Others go on meanwhile.
            await asyncio.sleep(0)
            more = self._read_one()

    def _read(self) -> None:
        for _ in range(_AT_ONCE):
            if not self._read_one():
                return

    def _read_one(self) -> bool:
        try:
            data, ancillary, _, source = self._rtp.recvmsg(_MAX_DATAGRAM, socket.CMSG_SPACE(TIMESPEC.size))
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            # Of something we sent: nobody listens there. The call's own signalling tells what that means.
            self._passed_over["nobody listens there"] += 1
            return True
        arrival_ns = arrival_ns_of(ancillary)
        place = (source[0], source[1])
        if not self._inbound.active:
            self._take(data, place, arrival_ns)
            return True
        for delay_s in self._inbound.meet(arrival_ns):
            late_ns = arrival_ns + round(delay_s * 1e9)
            self._loop.call_later(delay_s, self._take, data, place, late_ns)
        return True

    def _keep_early(self, log: MediaLog, data: bytes, source: tuple[str, int], arrival_ns: int) -> None:
        """What came before the call was taken: nobody had named a place for it, nor a key."""
        assert self._agreed is not None
        packet = None
        if self._encryption is None:
            # As in ``_take``.
            with contextlib.suppress(Exception):
                packet = RtpPacket.parse(data)
        if packet is None or packet.payload_type not in self._agreed.accepted:
            self._passed_over["early media that cannot be read"] += 1
            return
        log.early.append(_received(packet, arrival_ns))

    def _take(self, data: bytes, source: tuple[str, int], arrival_ns: int) -> None:
        log, agreed = self._log, self._agreed
        if log is None or agreed is None:
            self._early.append((data, source, arrival_ns))
            return
        if not self._sources.may_send(source, arrival_ns):
            return
        try:
            if self._encryption is not None:
                data = self._encryption.open(data)
            packet = RtpPacket.parse(data)
        except Unreadable:
            self._passed_over["cannot be decrypted"] += 1
            if self._passed_over["cannot be decrypted"] == _TELLS and not log.received:
                told = "its packets cannot be decrypted with the key that its answer names"
                self._on_event(AGENT_WAITS, {"detail": told})
            return
        # What aiortc raises for a broken packet: mostly ValueError, but no list of it is promised.
        except Exception:
            self._passed_over["no RTP"] += 1
            return
        for one in self._sources.take(packet, source, arrival_ns):
            self._hear(log, agreed, *one)

    def _hear(self, log: MediaLog, agreed: Agreed, packet: RtpPacket, arrival_ns: int) -> None:
        """A packet from the agent's own place."""
        is_event = packet.payload_type in agreed.event_types
        if is_event or packet.payload_type == _COMFORT_NOISE:
            log.silent.append(_received(packet, arrival_ns))
            if packet.ssrc in self._known:
                self._report(packet, self._clock_rate_hz)
        if is_event:
            digit = self._events.read(bytes(packet.payload), packet.timestamp)
            if digit is not None:
                self._on_event("dtmf", {"digit": digit, "by": "rtp"})
            return
        if packet.payload_type not in agreed.accepted:
            self._passed_over[f"payload type {packet.payload_type}"] += 1
            self._note_other(packet.payload_type)
            return
        if packet.ssrc not in self._known:
            held_back, self._new = self._new, (packet, arrival_ns)
            if held_back is None or not follows(packet, held_back[0]):
                return
            self._known.add(packet.ssrc)
            self._new = None
            self._keep(log, *held_back)
        self._keep(log, packet, arrival_ns)

    def _note_other(self, payload_type: int) -> None:
        """Sound that was not agreed: where nothing else comes any more the agent only seems silent."""
        if payload_type == _COMFORT_NOISE:
            return
        self._others += 1
        if self._others % _ASKS == 0:
            self._on_other(payload_type)
        if self._others == _TELLS:
            known = STATIC.get(payload_type)
            name = f" ({known[0]})" if known else ""
            told = f"a second of its sound came as payload type {payload_type}{name}, which was not agreed"
            self._on_event(AGENT_WAITS, {"detail": told})

    def _keep(self, log: MediaLog, packet: RtpPacket, arrival_ns: int) -> None:
        received = _received(packet, arrival_ns)
        self._others = 0
        log.received.append(received)
        self._report(packet, self._clock_rate_hz)
        self._on_packet(received)


def _received(packet: RtpPacket, arrival_ns: int) -> ReceivedPacket:
    return ReceivedPacket(
        stamp=RtpStamp(
            media_ticks=packet.timestamp,
            monotonic_ns=arrival_ns,
            sequence=packet.sequence_number,
            ssrc=packet.ssrc,
        ),
        payload=bytes(packet.payload),
    )
