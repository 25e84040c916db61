"""The sound of one call: RTP out by the sender thread, each frame on its deadline; RTP in by ``intake``."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import struct
import threading
import time
from collections import Counter, deque
from collections.abc import Callable

import numpy as np
from aiortc.rtp import RtpPacket

from harness.transports.base import DialRequest, MediaLog
from harness.transports.codecs.base import Samples
from harness.transports.codecs.frame_by_frame import FrameByFrame
from harness.transports.codecs.table import CODECS, codec_named
from harness.transports.impairment import impairments
from harness.transports.sip.media.dtmf import FRAME_MS, PAUSE_MS, EventPacket, event_packets
from harness.transports.sip.media.encryption import Encryption
from harness.transports.sip.media.intake import Intake
from harness.transports.sip.media.ports import Ports
from harness.transports.sip.media.sdp import Agreed, Audio
from harness.transports.sip.media.sender import SENDER
from harness.transports.stamp import RtpStamp

_HEADER = struct.Struct("!BBHLL")


class Leg:
    """See the module's docstring. Begins to receive when it is made, and to send with :meth:`start`.

    Attributes:
        due_ns: For the sender thread.
        held: The agent does not want to hear us: frames go on, and do not leave.
        passed_over: Why packets are not in the log -> how many.
        on_other: Called with a payload type that was not agreed, when several packets in a row had it.
        on_fault: Called on the event loop where our own side can send no more; nothing leaves after that.
    """

    def __init__(
        self, ports: Ports, request: DialRequest, *, on_event: Callable[[str, dict[str, object]], None]
    ) -> None:
        self.due_ns: int | None = None
        self.held = False
        self.passed_over: Counter[str] = Counter()
        self.media_started = asyncio.Event()
        self.on_other: Callable[[int], None] = lambda payload_type: None
        self.on_fault: Callable[[Exception], None] = lambda error: None
        self.ports = ports
        self.ssrc = secrets.randbits(32)
        self.sent_packets = 0
        self.sent_bytes = 0
        self.rtp_time = 0
        self._on_event = on_event
        self._uplink = request.uplink
        self._loop = asyncio.get_running_loop()
        inbound, self._outbound = impairments(request.conditions, seed=request.seed, clock=request.clock)
        self._log: MediaLog | None = None
        self._agreed: Agreed | None = None
        self._encryption: Encryption | None = None
        self._to: tuple[str, int] | None = None
        self._keys: deque[EventPacket | None] = deque()
        self._keys_from = 0
        self._key_time = 0
        self._sequence = secrets.randbits(15)
        self._time_zero = secrets.randbits(31)
        self._frame = 0
        self._ready = b""
        self._lock = threading.Lock()
        self._intake = Intake(
            ports.rtp,
            inbound=inbound,
            passed_over=self.passed_over,
            on_packet=request.on_packet,
            on_event=on_event,
            on_other=self._came_otherwise,
        )

    def _came_otherwise(self, payload_type: int) -> None:
        self.on_other(payload_type)

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
        self._agreed, self._log = agreed, log
        codec = CODECS.load(agreed.codec)
        log.sent_delay_s = codec.delay_s
        self._encoder = FrameByFrame(codec)
        self._uplink.settle(codec_named(agreed.codec))
        self._ticks = codec.frame_ticks
        self._frame_ns = round(codec.frame_s * 1e9)
        self._uplink_ticks = self._uplink.codec.frame_ticks
        self._go_to(theirs, encryption)
        self._intake.connect(agreed, log, report, clock_rate_hz=codec.clock_rate_hz, answered_ns=answered_ns)

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
            self._settle(agreed)
            self._intake.hand_over(agreed, report)
            self._go_to(theirs, encryption)

    def _settle(self, agreed: Agreed) -> None:
        """What is agreed now, in the same codec. Keys that wait are not sent where there are no events any
        more, or where these run on another clock than the one they were made for."""
        before, self._agreed = self._agreed, agreed
        assert before is not None
        if self._keys and (agreed.event_type is None or agreed.event_rate_hz != before.event_rate_hz):
            self._keys.clear()
            self._on_event("keys-not-sent", {"why": "the agent's latest description takes no such events"})

    def redirect(self, agreed: Agreed, theirs: Audio, encryption: Encryption | None) -> None:
        """Where sound goes, under which number, and whether it does, by the agent's latest description."""
        assert self._agreed is not None
        assert self._agreed.codec == agreed.codec
        with self._lock:
            self._settle(agreed)
            self._intake.renumber(agreed)
            self._go_to(theirs, encryption)

    def _go_to(self, theirs: Audio, encryption: Encryption | None) -> None:
        self.held = theirs.on_hold
        self._encryption = encryption
        if theirs.address not in ("0.0.0.0", "::"):
            self._to = (theirs.address, theirs.port)
        self._intake.expect(self._to, encryption)

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
            key = self._keys.popleft() if self._keys and self._frame >= self._keys_from else None
            if key is not None and agreed.event_type is not None:
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

    def failed(self, error: Exception) -> None:
        self.due_ns = None
        # The loop may have ended meanwhile: then there is nobody to be told.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.on_fault, error)

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

    async def close(self) -> None:
        """Reads what has come until now, and ends both ways. Nothing is done where that was done before."""
        if self.ports.rtp.fileno() < 0:
            return
        with self._lock:
            self.due_ns = None
        await self._intake.read_up()
        # Reports of a call that went on elsewhere may read there still. The reader of a closed socket is
        # never removed, and the next socket of that number would not be heard.
        self._loop.remove_reader(self.ports.rtcp.fileno())
        self.ports.close()
        # Frames that were made ready and never left.
        self._uplink.next_frame = min(self._uplink.next_frame, self._frame)
