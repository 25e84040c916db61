"""Peers with which a call stands, and that then misbehave: in their audio, on the data channel, by leaving.

A peer sends its own RTP packets past aiortc's sender, so that every header field is its own to spoil. What it
says is a tone: one second of it at 0.4 s, and again every three seconds. It notes what it really sent, and
when (:class:`Sent`): on a busy machine that is not what it was to send, and what a test may expect follows
from that.
"""

from __future__ import annotations

import asyncio
import contextlib
import fractions
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import Any

import av
import numpy as np
from aiortc import MediaStreamTrack, RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.rtp import RtpPacket

LIFE_S = 25.0
"""No call goes on for longer."""
RATE_HZ = 48_000
FRAME = 960
FRAME_S = FRAME / RATE_HZ
SPEECH_FROM, SPEECH_FRAMES, EVERY = 20, 50, 150
"""In frames of 20 ms."""
FLOOD_MESSAGES = 30_000
TOO_LONG_BYTES = 70_000
"""What a message has at least that the caller does not read. More would prove no more, and take seconds."""

_tasks: set[asyncio.Future[Any]] = set()


def keep(coroutine: Awaitable[Any]) -> None:
    """Runs a coroutine to its end, though nobody waits for it."""
    task = asyncio.ensure_future(coroutine)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


class StillTrack(MediaStreamTrack):
    """A track that never has a frame: aiortc's own sender stays silent."""

    kind = "audio"

    async def recv(self) -> Any:
        await asyncio.sleep(LIFE_S)
        raise asyncio.CancelledError


@dataclass(frozen=True, kw_only=True)
class Packet:
    """What of an RTP packet a peer can spoil."""

    sequence: int
    timestamp: int
    ssrc: int
    payload: bytes


Spoil = Callable[[int, Packet], Iterator[Packet]]
"""From the number of a frame and the packet that a good agent would send to those that are sent."""


@dataclass(kw_only=True)
class Sent:
    """What a peer really did in one call. Times are those of the machine's monotonic clock, in seconds.

    Attributes:
        loud: Each frame with the tone in it that was sent: its number, and when it was first sent.
        frames: How many frames were sent or left out on purpose.
        late_s: How long after its time a frame had been sent, by the frame's number.
        tricks_s: When it began with its tricks.
        delivered_s: When all that it said over the data channel had been acknowledged.
    """

    loud: list[tuple[int, float]] = field(default_factory=list)
    frames: int = 0
    late_s: list[float] = field(default_factory=list)
    tricks_s: float | None = None
    delivered_s: float | None = None


SENT: dict[str, Sent] = {}
"""By kind, of its latest call."""


@dataclass(frozen=True, kw_only=True)
class Peer:
    """What one kind of peer does.

    Attributes:
        spoil: What becomes of each packet.
        leaves_after: Frame after which it closes the connection.
        on_channel: What it does with the caller's data channel.
        on_wire: What it does with the encrypted connection itself (aiortc's DTLS transport).
        tricks_after: Frame at which it begins with either.
        kind: What it is called.
    """

    kind: str = ""
    spoil: Spoil
    leaves_after: int | None = None
    on_channel: Callable[[Any], Awaitable[None]] | None = None
    on_wire: Callable[[Any], Awaitable[None]] | None = None
    tricks_after: int = 0

    async def answer(self, offer: str) -> str:
        """Takes the call; the SDP of the answer."""
        pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        channels: list[Any] = []
        connected = asyncio.Event()
        pc.on("datachannel", channels.append)
        pc.on("connectionstatechange", lambda: connected.set() if pc.connectionState == "connected" else None)
        await pc.setRemoteDescription(RTCSessionDescription(sdp=offer, type="offer"))
        sender = pc.addTrack(StillTrack())
        await pc.setLocalDescription(await pc.createAnswer())
        keep(self._live(pc, sender, channels, connected))
        return str(pc.localDescription.sdp)

    async def _live(
        self, pc: RTCPeerConnection, sender: Any, channels: list[Any], connected: asyncio.Event
    ) -> None:
        with contextlib.suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(LIFE_S):
                await connected.wait()
                payload_type = pc.getTransceivers()[0]._codecs[0].payloadType
                assert payload_type is not None
                await self._speak(pc, sender, channels, payload_type)
        await pc.close()

    async def _speak(
        self, pc: RTCPeerConnection, sender: Any, channels: list[Any], payload_type: int
    ) -> None:
        zero = time.monotonic()
        begun = False
        sent = SENT[self.kind] = Sent()
        for frame in range(round(LIFE_S / FRAME_S)):
            await asyncio.sleep(max(0.0, zero + frame * FRAME_S - time.monotonic()))
            if pc.connectionState != "connected" or frame == self.leaves_after:
                return
            good = Packet(
                sequence=(1000 + frame) & 0xFFFF,
                timestamp=50_000 + frame * FRAME,
                ssrc=sender._ssrc,
                payload=speech()[frame % EVERY],
            )
            loud = False
            sent.frames += 1
            sent.late_s.append(0.0)
            for packet in self.spoil(frame, good):
                rtp = RtpPacket(payload_type=payload_type, sequence_number=packet.sequence & 0xFFFF)
                rtp.timestamp, rtp.ssrc = packet.timestamp & 0xFFFFFFFF, packet.ssrc & 0xFFFFFFFF
                rtp.payload = packet.payload
                await sender.transport._send_rtp(rtp.serialize())
                if not loud and packet.payload in _loud_payloads():
                    loud = True
                    sent.loud.append((frame, time.monotonic()))
            # Only now: it may be held up between the sending and the note of when that was.
            sent.late_s[frame] = time.monotonic() - (zero + frame * FRAME_S)
            if channels and frame >= self.tricks_after and not begun:
                begun = True
                sent.tricks_s = time.monotonic()
                if self.on_channel is not None:
                    keep(self._use_channel(self.on_channel, channels[0], sent))
                if self.on_wire is not None:
                    keep(self.on_wire(sender.transport))

    async def _use_channel(self, use: Callable[[Any], Awaitable[None]], channel: Any, sent: Sent) -> None:
        await use(channel)
        sctp = channel.transport
        while sctp._data_channel_queue or sctp._outbound_queue or sctp._sent_queue:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        sent.delivered_s = time.monotonic()


@cache
def _loud_payloads() -> frozenset[bytes]:
    return frozenset(speech()[SPEECH_FROM : SPEECH_FROM + SPEECH_FRAMES])


@cache
def speech() -> list[bytes]:
    """The Opus packets of one round of :data:`EVERY` frames: silence, a tone, silence."""
    codec = av.CodecContext.create("libopus", "w")
    codec.bit_rate, codec.format, codec.layout, codec.sample_rate = 64_000, "s16", "mono", RATE_HZ
    codec.time_base = fractions.Fraction(1, RATE_HZ)
    t = np.arange(EVERY * FRAME)
    tone = 0.2 * np.sin(2 * np.pi * 440 * t / RATE_HZ)
    loud = (t >= SPEECH_FROM * FRAME) & (t < (SPEECH_FROM + SPEECH_FRAMES) * FRAME)
    pcm = np.round(tone * loud * 32767).astype(np.int16)
    packets: list[bytes] = []
    for frame in range(EVERY):
        block = av.AudioFrame.from_ndarray(pcm[None, frame * FRAME : (frame + 1) * FRAME], "s16", "mono")
        block.sample_rate, block.pts, block.time_base = RATE_HZ, frame * FRAME, codec.time_base
        packets += [bytes(packet) for packet in codec.encode(block)]
    return packets


# --- audio


def _well(_: int, packet: Packet) -> Iterator[Packet]:
    yield packet


def _silence(_: int, packet: Packet) -> Iterator[Packet]:
    yield replace(packet, payload=speech()[0])


def _nothing(_: int, packet: Packet) -> Iterator[Packet]:
    yield from ()


def _without_end(frame: int, packet: Packet) -> Iterator[Packet]:
    loud = SPEECH_FROM + 10 + frame % (SPEECH_FRAMES - 20)
    yield replace(packet, payload=speech()[loud] if frame >= SPEECH_FROM else packet.payload)


def _stops_in_mid_speech(frame: int, packet: Packet) -> Iterator[Packet]:
    if frame < SPEECH_FROM + SPEECH_FRAMES // 2:
        yield packet


def _garbage_payloads(frame: int, packet: Packet) -> Iterator[Packet]:
    """A good greeting, then frames that are no Opus: reserved lengths, counts of zero, noise, nothing."""
    random = Random(frame)
    noise = random.randbytes(random.randrange(1, 1000))
    spoilt = (b"\xff\x00" + noise, b"\xff\xff" + noise, b"\x03\x80", noise, b"")[frame % 5]
    yield packet if frame < EVERY - 40 else replace(packet, payload=spoilt)


def _jumping_timestamps(frame: int, packet: Packet) -> Iterator[Packet]:
    """In each round: one packet hours ahead, one hours back, and from then on a clock that runs elsewhere."""
    base, within = divmod(frame, EVERY)
    moved = packet.timestamp + base * (1 << 29)
    wild = {SPEECH_FROM + 10: 1 << 30, SPEECH_FROM + 20: -(1 << 30), SPEECH_FROM + 30: 1 << 31}
    yield replace(packet, timestamp=moved + wild.get(within, 0))


def _back_in_time(frame: int, packet: Packet) -> Iterator[Packet]:
    """Timestamps run backwards, sequence numbers forwards."""
    yield replace(packet, timestamp=50_000_000 - frame * FRAME)


def _changing_ssrc(frame: int, packet: Packet) -> Iterator[Packet]:
    """A new stream in the middle of each speech, with its own sequence numbers and timestamps."""
    stream = (frame + EVERY - SPEECH_FROM - SPEECH_FRAMES // 2) // EVERY
    yield replace(
        packet,
        ssrc=packet.ssrc + stream,
        sequence=packet.sequence + 777 * stream,
        timestamp=packet.timestamp + 1_234_567 * stream,
    )


def _new_ssrc_each_packet(frame: int, packet: Packet) -> Iterator[Packet]:
    yield replace(packet, ssrc=packet.ssrc + frame)


def _everything_thrice(_: int, packet: Packet) -> Iterator[Packet]:
    yield packet
    yield packet
    yield packet


# --- data channel


async def _say_peer_left(channel: Any) -> None:
    channel.send('{"type": "signalling", "message": {"type": "peerLeft"}}')


def rtvi(kind: str, data: str) -> str:
    return f'{{"label": "rtvi-ai", "type": "{kind}", "data": {data}}}'


async def _send_garbage(channel: Any) -> None:
    # What the caller said that it takes is no concern of this agent.
    channel.transport._remote_max_message_size = 2 * TOO_LONG_BYTES
    messages: list[str | bytes] = [
        b"\x00\xff\xfe\x80",
        b"",
        "",
        "{",
        "null",
        "[1, 2",
        "1" * 20_000,
        '{"label": "rtvi-ai"}',
        '{"label": "rtvi-ai", "type": 7}',
        '{"label": "rtvi-ai", "type": ["bot-output"], "data": 1e999}',
        '{"type": "signalling", "message": "peerLeft"}',
        "[" * 30_000,
        '{"label":' * 2_000,
        rtvi("bot-output", '{"text": {"not": "text"}}'),
        rtvi("bot-output", '"no mapping"'),
        rtvi("bot-output", '{"text": "half a \\ud800 character"}'),
        rtvi("bot-output", '{"text": "\\u001b[2J\\u0000 <script>alert(1)</script> [bold]x[/bold]"}'),
        rtvi("bot-ready", '{"about": {"library": "\\ud800\\u001b[31m", "library_version": 7}}'),
        rtvi("user-transcription", '{"text": "' + "long " * 2_000 + '", "final": true}'),
        rtvi("bot-output", '{"text": "' + "x" * TOO_LONG_BYTES + '"}'),
        b"y" * TOO_LONG_BYTES,
        rtvi("bot-output", '{"text": "after all that"}'),
    ]
    for message in messages:
        channel.send(message)
        await asyncio.sleep(0.02)
    # Text that is no UTF-8, and the opening of a channel that is cut off (RFC 8832).
    for protocol_id, data in ((51, b"\xff\xfe\x00"), (50, b"\x03"), (50, b"\x03\x00\x00\x00\xff\xff" * 4)):
        channel.transport._data_channel_queue.append((channel, protocol_id, data))
        await channel.transport._data_channel_flush()


async def _flood(channel: Any) -> None:
    """Tens of thousands of messages, as fast as they go."""
    message = rtvi("bot-llm-text", '{"text": "' + "flood " * 15 + '"}')
    for sent in range(FLOOD_MESSAGES):
        if channel.readyState != "open":
            return
        channel.send(message)
        if sent % 200 == 0:
            await asyncio.sleep(0)


async def _send_garbage_packets(dtls: Any) -> None:
    """What no parser expects: SCTP, RTP and RTCP of random bytes, properly encrypted, and empty datagrams."""
    random = Random(5)
    ice = dtls.transport._connection
    wrong_length = b"\xbe\xde\x00\x04" + bytes((0x13, 1, 2, 3, 4, 0x23, 1, 2, 3, 4, 0x33, 1, 2, 3, 4, 0))
    for number in range(200):
        header = bytes((0x90, 96)) + number.to_bytes(2, "big") + bytes(8)
        await dtls._send_data(random.randbytes(random.randrange(1, 200)))
        await dtls._send_rtp(header + wrong_length + random.randbytes(20))
        await dtls._send_rtp(bytes((0x81, random.randrange(200, 208), 0, 1)) + random.randbytes(28))
        await ice.send(b"")
        await ice.send(bytes((random.randrange(256),)) + random.randbytes(random.randrange(40)))
        await asyncio.sleep(0.005)


PEERS: dict[str, Callable[[str], Awaitable[str]]] = {
    kind: replace(peer, kind=kind).answer
    for kind, peer in {
        "never-speaks": Peer(spoil=_silence),
        "never-sends": Peer(spoil=_nothing),
        "never-stops": Peer(spoil=_without_end),
        "stops-in-mid-speech": Peer(spoil=_stops_in_mid_speech),
        "hangs-up-mid-word": Peer(spoil=_well, leaves_after=SPEECH_FROM + SPEECH_FRAMES // 2),
        "peer-left": Peer(spoil=_well, on_channel=_say_peer_left, tricks_after=SPEECH_FROM + 20),
        "garbage-opus": Peer(spoil=_garbage_payloads),
        "jumping-timestamps": Peer(spoil=_jumping_timestamps),
        "back-in-time": Peer(spoil=_back_in_time),
        "changing-ssrc": Peer(spoil=_changing_ssrc),
        "new-ssrc-each-packet": Peer(spoil=_new_ssrc_each_packet),
        "everything-thrice": Peer(spoil=_everything_thrice),
        "garbage-packets": Peer(spoil=_well, on_wire=_send_garbage_packets),
        "channel-garbage": Peer(spoil=_well, on_channel=_send_garbage),
        "channel-flood": Peer(spoil=_well, on_channel=_flood, tricks_after=SPEECH_FROM),
    }.items()
}
"""Kind -> what takes the offer and gives the answer."""
