"""The sound of one call: RTP out by the sender thread, RTP in by the event loop, each packet stamped.

Arrival is the kernel's (``SO_TIMESTAMPNS``), so that the event loop may come to a packet late. What is not
the agent's sound does not reach the log: other payload types, other senders, what is no RTP, early media.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import struct
import threading
import time
from collections import Counter, deque
from collections.abc import Callable

import numpy as np
from aiortc.rtp import RtpPacket

from harness.records.timeline import AGENT_WAITS
from harness.transports.base import DialRequest, MediaLog, ReceivedPacket
from harness.transports.codecs.base import Samples
from harness.transports.codecs.frame_by_frame import FrameByFrame
from harness.transports.codecs.table import CODECS, codec_named
from harness.transports.impairment import impairments
from harness.transports.probe_socket import TIMESPEC, arrival_ns_of, enable_kernel_timestamps
from harness.transports.sip.media.dtmf import FRAME_MS, PAUSE_MS, EventPacket, EventReader, event_packets
from harness.transports.sip.media.encryption import Encryption, Unreadable
from harness.transports.sip.media.ports import Ports
from harness.transports.sip.media.sdp import Agreed, Audio
from harness.transports.sip.media.sender import SENDER
from harness.transports.stamp import RtpStamp

_HEADER = struct.Struct("!BBHLL")
_MAX_DATAGRAM = 4096
_AT_ONCE = 64
"""Datagrams that are read before the event loop may do something else."""
_READ_UP_NS = 300_000_000

_TELLS = 50
"""So many packets that cannot be decrypted, and none that can, are told while the call stands: a second."""
_EARLY_KEPT = 500
"""Datagrams that came before the answer was read: ten seconds."""

_Arrived = tuple[bytes, tuple[str, int], int]
"""A datagram, whence, and when in monotonic nanoseconds."""


class Leg:
    """See the module's docstring. Begins to receive when it is made, and to send with :meth:`start`.

    Attributes:
        due_ns: For the sender thread.
        held: The agent does not want to hear us: frames go on, and do not leave.
        passed_over: Why packets are not in the log -> how many.
    """

    def __init__(
        self, ports: Ports, request: DialRequest, *, on_event: Callable[[str, dict[str, object]], None]
    ) -> None:
        self.due_ns: int | None = None
        self.held = False
        self.passed_over: Counter[str] = Counter()
        self.media_started = asyncio.Event()
        self.ports = ports
        self.ssrc = secrets.randbits(32)
        self.sent_packets = 0
        self.sent_bytes = 0
        self.rtp_time = 0
        self._request = request
        self._uplink = request.uplink
        self._on_event = on_event
        self._loop = asyncio.get_running_loop()
        self._inbound, self._outbound = impairments(
            request.conditions, seed=request.seed, clock=request.clock
        )
        self._log: MediaLog | None = None
        self._agreed: Agreed | None = None
        self._encryption: Encryption | None = None
        self._to: tuple[str, int] | None = None
        self._source: tuple[str, int] | None = None
        self._events = EventReader()
        self._keys: deque[EventPacket | None] = deque()
        self._keys_from = 0
        self._key_time = 0
        self._sequence = secrets.randbits(15)
        self._time_zero = secrets.randbits(31)
        self._frame = 0
        self._ready = b""
        self._lock = threading.Lock()
        self._known: set[int] = set()
        self._new: tuple[RtpPacket, int] | None = None
        self._early: deque[_Arrived] = deque(maxlen=_EARLY_KEPT)
        self.kernel_timestamps = enable_kernel_timestamps(ports.rtp)
        self._loop.add_reader(ports.rtp.fileno(), self._read)

    # --- what was agreed

    def connect(
        self,
        agreed: Agreed,
        theirs: Audio,
        log: MediaLog,
        encryption: Encryption | None,
        report: Callable[[RtpPacket, int], None],
        *,
        answered_ns: int | None,
    ) -> None:
        """From now on what comes is kept and given to ``report``, and what is sent has somewhere to go.

        Args:
            answered_ns: What came before is early media, and no part of the call; None: there was none, and
                an agent's first packets may overtake its answer.
        """
        self._agreed, self._log, self._report = agreed, log, report
        codec = CODECS.load(agreed.codec)
        log.kernel_timestamps, log.sent_delay_s = self.kernel_timestamps, codec.delay_s
        self._encoder = FrameByFrame(codec)
        self._uplink.settle(codec_named(agreed.codec))
        self._ticks = codec.frame_ticks
        self._frame_ns = round(codec.frame_s * 1e9)
        self._uplink_ticks = self._uplink.codec.frame_ticks
        self._clock_rate_hz = codec.clock_rate_hz
        self.redirect(theirs, encryption)
        waiting = list(self._early)
        self._early.clear()
        for one in waiting:
            if answered_ns is None or one[2] >= answered_ns:
                self._take(*one)
            else:
                self._keep_early(log, *one)

    def hand_over(
        self,
        agreed: Agreed,
        theirs: Audio,
        encryption: Encryption | None,
        report: Callable[[RtpPacket, int], None],
    ) -> None:
        """From now on the other side is somebody else, in the same codec: the stream goes on."""
        assert self._agreed is not None
        assert self._agreed.codec == agreed.codec
        with self._lock:
            self._agreed, self._report, self._source = agreed, report, None
            self.redirect(theirs, encryption)

    def _keep_early(self, log: MediaLog, data: bytes, source: tuple[str, int], arrival_ns: int) -> None:
        """What came before the call was taken: nobody had named a place for it, nor a key."""
        assert self._agreed is not None
        packet = None
        if self._encryption is None:
            # As in ``_take``.
            with contextlib.suppress(Exception):
                packet = RtpPacket.parse(data)
        if packet is None or packet.payload_type not in self._agreed.accepted:
            self.passed_over["early media that cannot be read"] += 1
            return
        log.early.append(_received(packet, arrival_ns))

    def redirect(self, theirs: Audio, encryption: Encryption | None) -> None:
        """Where sound goes, and whether it does, by the agent's latest description."""
        self.held = theirs.on_hold
        self._encryption = encryption
        if theirs.address not in ("0.0.0.0", "::"):
            self._to = (theirs.address, theirs.port)

    @property
    def agreed(self) -> Agreed | None:
        return self._agreed

    def start(self) -> None:
        """Sends frame 0 now, and all others after it, without a break until :meth:`close`."""
        assert self._log is not None, "nothing was agreed yet"
        self._encoder.first(self._frame_of(self._uplink.take_frame()))
        self.prepare_frame()
        self._log.first_deadline_ns = self.due_ns = time.monotonic_ns()
        self.media_started.set()
        SENDER.add(self)

    def press(self, keys: str | None, frame: int) -> None:
        """Sends keys as telephone events, one after the other, from a frame on; None: those that wait are
        not sent."""
        agreed = self._agreed
        assert agreed is not None, "nothing was agreed yet"
        waiting: deque[EventPacket | None] = deque()
        for key in keys or "":
            waiting.extend(event_packets(key, rate_hz=agreed.event_rate_hz))
            waiting.extend([None] * (PAUSE_MS // FRAME_MS))
        with self._lock:
            self._keys, self._keys_from = waiting, frame

    def due_at_ns(self, frame: int) -> int:
        """When a frame is due, in monotonic nanoseconds."""
        assert self._log is not None, "nothing was agreed yet"
        assert self._log.first_deadline_ns is not None, "nothing is sent yet"
        return int(self._log.first_deadline_ns + frame * self._frame_ns)

    # --- out, in the sender thread

    def send_frame(self) -> None:
        with self._lock:
            if self.due_ns is None or self._log is None or self._agreed is None:
                return
            log, due_ns, agreed = self._log, self.due_ns, self._agreed
            payload, payload_type, marker = self._ready, agreed.payload_type, self._frame == 0
            self.rtp_time = (self._time_zero + self._frame * self._ticks) & 0xFFFFFFFF
            timestamp = self.rtp_time
            if self._keys and self._frame >= self._keys_from and (key := self._keys.popleft()) is not None:
                assert agreed.event_type is not None
                if key.first:
                    self._key_time = timestamp
                payload, payload_type, marker = key.payload, agreed.event_type, key.first
                timestamp = self._key_time
            now_ns = time.monotonic_ns()
            log.lateness_s.append((now_ns - due_ns) / 1e9)
            log.sent.append(
                RtpStamp(
                    media_ticks=self._frame * self._uplink_ticks & 0xFFFFFFFF,
                    monotonic_ns=now_ns,
                    sequence=self._frame & 0xFFFF,
                    ssrc=self.ssrc,
                )
            )
            self._frame += 1
            assert log.first_deadline_ns is not None
            self.due_ns = log.first_deadline_ns + self._frame * self._frame_ns
            if self.held or self._to is None:
                return
            header = _HEADER.pack(0x80, marker << 7 | payload_type, self._sequence, timestamp, self.ssrc)
            self._sequence = (self._sequence + 1) & 0xFFFF
            packet = header + payload
            if self._encryption is not None:
                packet = self._encryption.lock(packet)
            self.sent_packets += 1
            self.sent_bytes += len(payload)
            to = self._to
            if not self._outbound.active:
                self._send(packet, to)
                return
            for delay_s in self._outbound.meet(now_ns):
                self._loop.call_soon_threadsafe(self._loop.call_later, delay_s, self._send, packet, to)

    def prepare_frame(self) -> None:
        if self._log is not None and self._log.first_deadline_ns is not None and self.due_ns is None:
            return
        self._ready = self._encoder.take(self._frame_of(self._uplink.take_frame()))

    def _send(self, packet: bytes, to: tuple[str, int]) -> None:
        if self.ports.rtp.fileno() < 0:
            return
        try:
            self.ports.rtp.sendto(packet, to)
        except OSError:
            # A full buffer, or nobody there (any more): as good as lost on the way.
            self.passed_over["could not be sent"] += 1

    @staticmethod
    def _frame_of(packet: bytes) -> Samples:
        return np.frombuffer(packet, "<i2").astype(np.float32) / np.float32(32767.0)

    # --- in, on the event loop

    def _read(self) -> None:
        for _ in range(_AT_ONCE):
            if not self._read_one():
                return

    def _read_one(self) -> bool:
        try:
            data, ancillary, _, source = self.ports.rtp.recvmsg(
                _MAX_DATAGRAM, socket.CMSG_SPACE(TIMESPEC.size)
            )
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            # Of something we sent: nobody listens there. The call's own signalling tells what that means.
            self.passed_over["nobody listens there"] += 1
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

    def _take(self, data: bytes, source: tuple[str, int], arrival_ns: int) -> None:
        log, agreed = self._log, self._agreed
        if log is None or agreed is None:
            self._early.append((data, source, arrival_ns))
            return
        if not self._is_agents(source):
            return
        try:
            if self._encryption is not None:
                data = self._encryption.open(data)
            packet = RtpPacket.parse(data)
        except Unreadable:
            self.passed_over["cannot be decrypted"] += 1
            if self.passed_over["cannot be decrypted"] == _TELLS and not log.received:
                told = "its packets cannot be decrypted with the key that its answer names"
                self._on_event(AGENT_WAITS, {"detail": told})
            return
        # What aiortc raises for a broken packet: mostly ValueError, but no list of it is promised.
        except Exception:
            self.passed_over["no RTP"] += 1
            return
        if packet.payload_type in agreed.event_types:
            digit = self._events.read(bytes(packet.payload), packet.timestamp)
            if digit is not None:
                self._on_event("dtmf", {"digit": digit, "by": "rtp"})
            return
        if packet.payload_type not in agreed.accepted:
            self.passed_over[f"payload type {packet.payload_type}"] += 1
            return
        if packet.ssrc not in self._known:
            held_back, self._new = self._new, (packet, arrival_ns)
            if held_back is None or not _follows(packet, held_back[0]):
                return
            self._known.add(packet.ssrc)
            self._new = None
            self._keep(log, *held_back)
        self._keep(log, packet, arrival_ns)

    def _keep(self, log: MediaLog, packet: RtpPacket, arrival_ns: int) -> None:
        received = _received(packet, arrival_ns)
        log.received.append(received)
        self._report(packet, self._clock_rate_hz)
        self._request.on_packet(received)

    def _is_agents(self, source: tuple[str, int]) -> bool:
        """Sound comes from one place: the first from which any came, or the one that the agent named, which
        always comes before."""
        if source == self._source:
            return True
        if source == self._to or self._source is None:
            if self._source is not None or source != self._to:
                self._on_event(
                    "media-from", {"address": f"{source[0]}:{source[1]}", "named": source == self._to}
                )
            self._source = source
            return True
        self.passed_over["from somewhere else"] += 1
        return False

    async def close(self) -> None:
        """Reads what has come until now, and ends both ways."""
        until_ns = time.monotonic_ns() + _READ_UP_NS
        with self._lock:
            self.due_ns = None
        self._loop.remove_reader(self.ports.rtp.fileno())
        more = True
        while more and time.monotonic_ns() < until_ns:
            # Others go on meanwhile.
            await asyncio.sleep(0)
            more = self._read_one()
        self.ports.close()
        # Frames that were made ready and never left.
        self._uplink.next_frame = min(self._uplink.next_frame, self._frame)


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


def _follows(packet: RtpPacket, before: RtpPacket) -> bool:
    """Whether two packets are of one new source: a single one may be anything (RFC 3550, A.1)."""
    step = (packet.sequence_number - before.sequence_number) & 0xFFFF
    return packet.ssrc == before.ssrc and 0 < step < 10
