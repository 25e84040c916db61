"""A voice agent that knows nothing of this project: aiortc as it comes, tones, and a log of its own truth.

``python -m tests.live.stranger_agent --port PORT``. ``POST /api/offer`` with ``request_data``: ``name`` and
``program``, a list of replies: ``{"delay_ms", "tone_ms", "level_dbfs", "stop_ms"}``. A reply's first sample
is due ``delay_ms`` after the last loud sample of the caller; where ``stop_ms`` is given, a caller who
speaks into the reply ends it that long after the first loud sample. ``GET /log/NAME`` gives what happened.

Its way of telling the time is its own too. Packets are decoded by FFmpeg's own Opus decoder, sound is loud
from a fixed amplitude, arrival is when the event loop had the packet. Media time becomes monotonic time by
the one smallest delay of the whole call. The clock of this machine is one for all its processes.
"""

from __future__ import annotations

import argparse
import asyncio
import fractions
import struct
import time
from dataclasses import dataclass, field
from typing import Any

import aioice.ice
import av
import numpy as np
from aiohttp import web
from aiortc import MediaStreamTrack, RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.mediastreams import MediaStreamError

RATE = 48_000
FRAME = 960
LOOKAHEAD = 312
"""Samples by which libopus delays what it encodes; decoding adds nothing."""
TONE_HZ = 620.0
LOUD = 0.03
QUIET_FRAMES = 5
LIFE_S = 180.0


@dataclass
class Clock:
    """Media time of one direction in monotonic time: the smallest delay seen between the two."""

    first_timestamp: int | None = None
    offset: float = float("inf")
    noted: dict[int, float] = field(default_factory=dict)

    def note(self, timestamp: int, at: float) -> int:
        """Takes in a packet; its first sample's number in the stream."""
        if self.first_timestamp is None:
            self.first_timestamp = timestamp
        sample = (timestamp - self.first_timestamp) & 0xFFFFFFFF
        self.offset = min(self.offset, at - sample / RATE)
        self.noted.setdefault(sample // FRAME, at - sample / RATE)
        return sample

    def time_of(self, sample: float) -> float:
        return self.offset + sample / RATE

    def late(self, sample: int) -> float:
        """Seconds by which the packet that carries a sample came behind the fastest one."""
        return self.noted.get(sample // FRAME, float("inf")) - self.offset


@dataclass
class Reply:
    """A tone that is planned, under way or over; positions are samples of the outgoing stream."""

    start: int
    end: int
    level: float
    stop_ms: float | None
    heard_last: int
    interrupted_by: int | None = None


class Voice(MediaStreamTrack):
    """Frames on absolute deadlines, for aiortc's own encoder."""

    kind = "audio"

    def __init__(self) -> None:
        super().__init__()
        self.replies: list[Reply] = []
        self.next_sample = 0
        self.zero: float | None = None

    async def recv(self) -> av.AudioFrame:
        if self.readyState != "live":
            raise MediaStreamError
        self.zero = self.zero or time.monotonic()
        await asyncio.sleep(max(0.0, self.zero + self.next_sample / RATE - time.monotonic()))
        n = np.arange(self.next_sample, self.next_sample + FRAME)
        pcm = np.zeros(FRAME)
        for reply in self.replies[-2:]:
            sounding = (n >= reply.start) & (n < reply.end)
            # A cosine from the reply's first sample: it begins at its peak.
            pcm += sounding * reply.level * np.cos(2 * np.pi * TONE_HZ * (n - reply.start) / RATE)
        frame = av.AudioFrame.from_ndarray((pcm * 32767).astype(np.int16)[None], "s16", "mono")
        frame.sample_rate, frame.pts, frame.time_base = RATE, self.next_sample, fractions.Fraction(1, RATE)
        self.next_sample += FRAME
        return frame


@dataclass
class Call:
    """One call and its log."""

    program: list[dict[str, Any]]
    voice: Voice = field(default_factory=Voice)
    arrived: Clock = field(default_factory=Clock)
    left: Clock = field(default_factory=Clock)
    heard: list[tuple[int, int]] = field(default_factory=list)
    _first: int | None = None
    _last: int = 0
    _answered: int = 0

    def __post_init__(self) -> None:
        self._decoder = av.CodecContext.create("opus", "r")
        self._decoder.sample_rate = RATE
        self._decoder.layout = "stereo"

    def on_packet(self, timestamp: int, payload: bytes, at: float) -> None:
        """One packet of the caller; the path is short and in order, so none is waited for."""
        start = self.arrived.note(timestamp, at) - LOOKAHEAD
        for frame in self._decoder.decode(av.Packet(payload)):
            pcm = np.abs(frame.to_ndarray().astype(np.float64).reshape(2, -1)).max(axis=0)
            loud = np.flatnonzero(pcm >= LOUD)
            if len(loud):
                if self._first is None:
                    self._first = start + int(loud[0])
                    self._on_onset(self._first)
                self._last = start + int(loud[-1])
            elif self._first is not None and start - self._last > QUIET_FRAMES * FRAME:
                self.heard.append((self._first, self._last))
                self._first = None
                self._on_end(self._last)
            start += pcm.size

    def _outgoing(self, incoming_sample: float) -> int:
        """The sample of our stream that belongs to a moment of theirs, as far as is known by now."""
        assert self.voice.zero is not None
        due = round((self.arrived.time_of(incoming_sample) - self.voice.zero) * RATE)
        return max(due, self.voice.next_sample)

    def _on_onset(self, first: int) -> None:
        reply = self.voice.replies[-1] if self.voice.replies else None
        if reply is None or reply.stop_ms is None or not reply.start < self.voice.next_sample < reply.end:
            return
        reply.interrupted_by = first
        reply.end = min(reply.end, self._outgoing(first + reply.stop_ms * RATE / 1000))

    def _on_end(self, last: int) -> None:
        if self._answered >= len(self.program):
            return
        asked = self.program[self._answered]
        self._answered += 1
        start = self._outgoing(last + asked["delay_ms"] * RATE / 1000)
        self.voice.replies.append(
            Reply(
                start=start,
                end=start + round(asked["tone_ms"] * RATE / 1000),
                level=float(10 ** (asked["level_dbfs"] / 20) * np.sqrt(2)),
                stop_ms=asked.get("stop_ms"),
                heard_last=last,
            )
        )

    def log(self) -> dict[str, Any]:
        """Monotonic seconds of what was heard, of what was to be sent, and of what was sent."""
        zero = self.voice.zero or 0.0
        return {
            "heard": [
                [self.arrived.time_of(first), self.arrived.time_of(last)] for first, last in self.heard
            ],
            "replies": [
                {
                    "heard_last_s": self.arrived.time_of(reply.heard_last),
                    "scheduled_first_s": zero + reply.start / RATE,
                    "sent_first_s": self.left.time_of(reply.start),
                    "sent_last_s": self.left.time_of(reply.end - 1),
                    "left_late_s": max(self.left.late(reply.start), self.left.late(reply.end - 1)),
                    "came_late_s": max(
                        self.arrived.late(sample + LOOKAHEAD)
                        for sample in (reply.heard_last, reply.interrupted_by or reply.heard_last)
                    ),
                    "interrupted_at_s": None
                    if reply.interrupted_by is None
                    else self.arrived.time_of(reply.interrupted_by),
                }
                for reply in self.voice.replies
            ],
        }


class Agent:
    def __init__(self) -> None:
        self.calls: dict[str, Call] = {}
        self.connections: list[RTCPeerConnection] = []

    async def offer(self, request: web.Request) -> web.Response:
        body = await request.json()
        call = Call(program=body["request_data"]["program"])
        self.calls[body["request_data"]["name"]] = call
        pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self.connections.append(pc)
        await pc.setRemoteDescription(RTCSessionDescription(sdp=body["sdp"], type="offer"))
        sender = pc.addTrack(call.voice)
        await pc.setLocalDescription(await pc.createAnswer())
        transport = sender.transport
        send = transport._send_rtp

        async def noting_departure(data: bytes) -> None:
            if not 200 <= data[1] <= 210:  # RTCP
                call.left.note(struct.unpack_from("!L", data, 4)[0], time.monotonic())
            await send(data)

        transport._send_rtp = noting_departure  # type: ignore[method-assign]
        receiver = pc.getTransceivers()[0].receiver

        async def noting_arrival(packet: Any, arrival_time_ms: int) -> None:
            call.on_packet(packet.timestamp, packet.payload, time.monotonic())

        receiver._handle_rtp_packet = noting_arrival  # type: ignore[method-assign]
        return web.json_response({"sdp": pc.localDescription.sdp, "type": "answer"})

    async def log(self, request: web.Request) -> web.Response:
        return web.json_response(self.calls[request.match_info["name"]].log())

    async def status(self, _: web.Request) -> web.Response:
        return web.json_response({"status": "ready"})


async def serve(port: int) -> None:
    aioice.ice.get_host_addresses = lambda use_ipv4, use_ipv6: ["127.0.0.1"]
    agent = Agent()
    app = web.Application()
    app.router.add_post("/api/offer", agent.offer)
    app.router.add_get("/log/{name}", agent.log)
    app.router.add_get("/status", agent.status)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    await asyncio.sleep(LIFE_S)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    asyncio.run(serve(parser.parse_args().port))
