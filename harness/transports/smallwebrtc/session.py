"""Dials pipecat's SmallWebRTC agents: SDP over HTTP, then Opus over DTLS-SRTP and RTVI over a data channel.

Addresses are described in ``signalling``.

Arrival and departure are stamped at the socket (``probe_socket``). aiortc's jitter buffer and decoder are
passed by: they would add 80 ms and more to every figure.
"""

from __future__ import annotations

import asyncio
import contextlib
import fractions
import time
import uuid
from typing import Any

import av
from aiortc import (
    MediaStreamTrack,
    RTCRtpReceiver,
    RTCRtpSender,
    RTCSessionDescription,
)
from aiortc.mediastreams import MediaStreamError
from aiortc.rtcrtpreceiver import StreamStatistics
from aiortc.rtp import RtpPacket

from harness.errors import SetupFailed
from harness.records.call import Event
from harness.transports.base import DialRequest, MediaLog, MediaSession, ReceivedPacket
from harness.transports.codecs.table import codec_named
from harness.transports.impairment import impairments
from harness.transports.probe_socket import ProbeSocket, attach_probe
from harness.transports.smallwebrtc.loopback import allow_loopback_candidates
from harness.transports.smallwebrtc.peer_connection import PeerConnection, shield, told
from harness.transports.smallwebrtc.rtvi import RtviInbox, client_ready
from harness.transports.smallwebrtc.signalling import exchange_sdp
from harness.transports.smallwebrtc.their_tasks import keep_to_themselves
from harness.transports.stamp import RtpStamp
from harness.transports.uplink import Uplink

_CODEC = "opus"
"""All that we offer, for both directions."""
_CLOSE_TIMEOUT_S = 5.0
_STAMPS_KEPT = 512
_MOST_WAITING = 1000
"""Datagrams: more than a socket of usual size has room for."""
_READ_UP_NS = 300_000_000
"""To read them may take so long."""
_SOURCES_REPORTED = 31
"""As many as an RTCP receiver report has room for (RFC 3550, 6.4.2). One more and aiortc's reports fail, and
with them the end of the call."""


class SmallWebRTCTransport:
    """See the module's docstring."""

    name = "smallwebrtc"
    codec = _CODEC

    async def dial(self, request: DialRequest) -> MediaSession:
        allow_loopback_candidates()
        keep_to_themselves(asyncio.get_running_loop())
        session = SmallWebRTCSession(request)
        try:
            async with asyncio.timeout(request.connect_s):
                await session.connect()
        except TimeoutError:
            await session.close()
            raise SetupFailed(
                f"{request.agent}: no media session within {request.connect_s:g} s ({session.stage})"
            ) from None
        except BaseException:
            await session.close()
            raise
        return session


class SmallWebRTCSession:
    """One call to a SmallWebRTC agent; a :class:`~harness.transports.base.MediaSession`."""

    def __init__(self, request: DialRequest) -> None:
        self.log = MediaLog(codec=_CODEC)
        self.media_started = asyncio.Event()
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.stage = "waiting for the SDP answer"
        self._request = request
        self._inbox = RtviInbox()
        self._pc = PeerConnection(self._on_connect_failed)
        self._connected = asyncio.Event()
        self._failure: str | None = None
        self._arrivals: dict[tuple[int, int], RtpStamp] = {}
        self._taken: dict[tuple[int, int], None] = {}
        self._channel_closed = False
        self._unusable = 0
        self._background: set[asyncio.Task[None]] = set()
        self._probes: list[ProbeSocket] = []
        self._over_ns: int | None = None

    @property
    def agent_name(self) -> str:
        return self._inbox.agent_name

    async def connect(self) -> None:
        """Offers, takes the answer, and returns when audio can flow."""
        pc, agent = self._pc, self._request.agent
        sender = pc.addTrack(PacedTrack(self._request.uplink, self.log, self.media_started))
        transceiver = pc.getTransceivers()[0]
        transceiver.setCodecPreferences(
            [
                codec
                for codec in RTCRtpSender.getCapabilities("audio").codecs
                if codec.mimeType.lower() == f"audio/{_CODEC}"
            ]
        )
        self._open_data_channel()
        pc.on("connectionstatechange", self._on_connection_state)
        await pc.setLocalDescription(await pc.createOffer())
        self._attach_probes(sender)
        shield(sender.transport, self._on_unusable)
        answer = await exchange_sdp(self._request.to, pc.localDescription.sdp, shown=agent)
        try:
            await pc.setRemoteDescription(RTCSessionDescription(sdp=answer, type="answer"))
        # aiortc's parser and negotiation raise whatever a broken description leads them to.
        except Exception as error:
            raise SetupFailed(f"{agent}: its SDP answer cannot be used: {told(error)}") from error
        if transceiver.currentDirection != "sendrecv":
            raise SetupFailed(
                f"{agent}: its SDP answer does not let audio flow both ways: "
                f"ours would be {transceiver.currentDirection}"
            )
        self._tap_receiver(transceiver.receiver)
        self.stage = "ICE and DTLS"
        await self._connected.wait()
        if self._failure is not None:
            raise SetupFailed(f"{agent}: {self._failure}")
        self.stage = "connected"

    async def close(self) -> None:
        await self._read_what_has_come()
        with contextlib.suppress(asyncio.InvalidStateError):
            self.ended.cancel()
        for task in self._background:
            task.cancel()
        if (dropped := self._inbox.dropped_event(t=self._request.clock.now_s())) is not None:
            self._request.on_event(dropped)
        if not await self._pc.hang_up(within_s=_CLOSE_TIMEOUT_S):
            self._event("close-timeout", {"after_s": _CLOSE_TIMEOUT_S})

    async def _read_what_has_come(self) -> None:
        """Takes the packets that came until now and wait at our sockets: behind a flood, or on a busy
        machine, the agent's last words may be among them. The event loop reads one in each round. What comes
        while we hang up is no part of the call."""
        self._over_ns = time.monotonic_ns()
        for _ in range(_MOST_WAITING):
            waiting = any(probe.has_more() for probe in self._probes)
            if not waiting or time.monotonic_ns() > self._over_ns + _READ_UP_NS:
                break
            await asyncio.sleep(0)
        # What was read last is still on its way through SRTP.
        for _ in range(5):
            await asyncio.sleep(0)

    # --- media

    def _attach_probes(self, sender: RTCRtpSender) -> None:
        """Stamps packets at every UDP socket of the connection, before a packet can flow."""
        request = self._request
        inbound, outbound = impairments(request.conditions, seed=request.seed, clock=request.clock)
        connection = sender.transport.transport._connection
        for protocol in connection._protocols:
            probe = attach_probe(
                protocol.transport,
                protocol,
                on_received=self._on_stamp_received,
                on_sent=self.log.sent.append,
                inbound=inbound,
                outbound=outbound,
            )
            self._probes.append(probe)
            self.log.kernel_timestamps = probe.kernel_timestamps

    def _on_stamp_received(self, stamp: RtpStamp) -> None:
        if self._over_ns is not None and stamp.monotonic_ns > self._over_ns:
            return
        key = (stamp.ssrc, stamp.sequence)
        if key in self._taken:
            # SRTP will refuse it as a replay, so that nobody else could count it.
            self.log.repeated += 1
            return
        self.log.repeated += key in self._arrivals
        # Of two that wait, the later stamp is kept: a late one does no harm, one that a stranger sent ahead
        # of the agent's own packet would.
        self._arrivals[key] = stamp
        if len(self._arrivals) > _STAMPS_KEPT:
            # Stamps of packets that never came through SRTP; the oldest goes first.
            del self._arrivals[next(iter(self._arrivals))]

    def _tap_receiver(self, receiver: RTCRtpReceiver) -> None:
        """Takes decrypted packets before aiortc's jitter buffer; keeps its RTCP reports going."""
        # Not public, but the only way to keep the agent's view of its losses true.
        statistics: dict[int, StreamStatistics] = vars(receiver)["_RTCRtpReceiver__remote_streams"]

        clock_rate_hz = codec_named(self.log.codec).clock_rate_hz

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
            received = ReceivedPacket(stamp=stamp, payload=bytes(packet.payload))
            self.log.received.append(received)
            self._request.on_packet(received)

        receiver._handle_rtp_packet = take  # type: ignore[method-assign]

    # --- data channel

    def _open_data_channel(self) -> None:
        channel = self._pc.createDataChannel("chat", ordered=True)

        @channel.on("open")
        def on_open() -> None:
            channel.send(client_ready(uuid.uuid4().hex[:8]))

        channel.on("message", self._on_message)

    def _on_message(self, message: str | bytes) -> None:
        event = self._inbox.read(message, t=self._request.clock.now_s())
        if self._channel_closed:
            return  # counted, no more
        if event is not None:
            self._request.on_event(event)
        if self._inbox.flooded:
            self._channel_closed = True
            self._event("data-channel-flood", {"messages": self._inbox.received})
            # Closing the channel is not enough: its association would go on feeding the event loop.
            if self._pc.sctp is not None:
                self._run(self._pc.sctp.stop())
        if self._inbox.peer_left:
            self._end("the agent said that it left")

    # --- ends

    def _on_connection_state(self) -> None:
        state = self._pc.connectionState
        if state == "connected":
            self._connected.set()
        elif state in ("failed", "closed"):
            if not self._connected.is_set():
                self._failure = f"media connection {state} ({self.stage})"
                self._connected.set()
            self._end(f"the media connection is {state}")

    def _on_unusable(self, error: Exception) -> None:
        self._unusable += 1
        if self._unusable == 1:
            self._event("unusable-packet", {"error": told(error)})

    def _on_connect_failed(self, error: Exception) -> None:
        if not self._connected.is_set():
            self._failure = f"the media connection could not be set up: {told(error)}"
            self._connected.set()
        self._end(f"the media connection could not be set up: {told(error)}")

    def _end(self, how: str) -> None:
        if not self.ended.done():
            self.ended.set_result(how)

    def _event(self, kind: str, data: dict[str, Any]) -> None:
        clock = self._request.clock
        self._request.on_event(Event(t=clock.now_s(), side="agent", kind=kind, source="wire", data=data))

    def _run(self, coroutine: Any) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(coroutine)
        self._background.add(task)
        task.add_done_callback(self._background.discard)


class PacedTrack(MediaStreamTrack):
    """Hands the uplink's packets to aiortc, each on its absolute deadline."""

    kind = "audio"

    def __init__(self, uplink: Uplink, log: MediaLog, started: asyncio.Event) -> None:
        super().__init__()
        self._started = started
        self._uplink = uplink
        self._log = log
        self._frame = 0
        self._frame_ns = round(uplink.codec.frame_s * 1e9)
        self._time_base = fractions.Fraction(1, uplink.codec.clock_rate_hz)

    async def recv(self) -> Any:
        if self.readyState != "live":
            raise MediaStreamError
        if self._log.first_deadline_ns is None:
            self._log.first_deadline_ns = time.monotonic_ns()
            self._started.set()
        deadline_ns = self._log.first_deadline_ns + self._frame * self._frame_ns
        wait_s = (deadline_ns - time.monotonic_ns()) / 1e9
        if wait_s > 0:
            await asyncio.sleep(wait_s)
        self._log.lateness_s.append((time.monotonic_ns() - deadline_ns) / 1e9)
        packet = av.Packet(self._uplink.take_frame())
        packet.pts = self._frame * self._uplink.codec.frame_ticks
        packet.time_base = self._time_base
        self._frame += 1
        return packet
