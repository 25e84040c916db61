"""A peer that carries many calls for little: it answers whoever stops speaking, and logs when it did.

``python -m bench._answering_peer PORT``. aiortc brings a call about; then a thread of ours takes over its
socket. That decodes nothing: who speaks is told by how large the packets are, and what it says was encoded
before. So a call costs it a few thousandths of a core, and most of the machine is left to whom we measure.

Whoever has no ``name`` in its ``request_data`` is greeted, and answered at more length: scenario people.

``GET /log`` has for each call, by the name in its ``request_data``: ``answers`` (when the first voiced sample
of each was due, and when its packet left: monotonic ns) and ``heard`` (RTP time stamp and kernel's stamp of
each packet that came). These times are taken at the socket, in another process, by other code than ours.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import json
import random
import socket
import struct
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import soundfile
from aiohttp import web
from aiortc import MediaStreamTrack, RTCConfiguration, RTCPeerConnection, RTCSessionDescription

from bench.parts.served import serve_on
from fixtures import SPEECH_FOLDER
from harness.transports.clips.clip import PREROLL_FRAMES, Clip, prepare_clip
from harness.transports.codecs.opus import OPUS
from harness.transports.uplink import silence
from harness.transports.webrtc.loopback import allow_loopback_candidates
from voice_sim.tts.base import Speech
from voice_sim.voice.utterance import prepare_utterance

FRAME_NS = 20_000_000
FRAME_TICKS = 960
LOUD_BYTES = 90
"""Of a datagram: silence is half of that with everything around it, speech twice as much."""
TURN_PACKETS = 10
"""So many loud ones are somebody who speaks."""
QUIET_NS = 300_000_000
DELAYS_MS = (450, 1500)
SO_TIMESTAMPNS = 35
_HEADER = struct.Struct("!BBHLL")
_TIMESPEC = struct.Struct("qq")


class _Nothing(MediaStreamTrack):
    """A track for the negotiation alone."""

    kind = "audio"

    async def recv(self) -> Any:
        await asyncio.Event().wait()


@dataclass(kw_only=True)
class _Call:
    """One call, once aiortc has brought it about. Used by the thread alone."""

    name: str
    sock: socket.socket
    remote: tuple[str, int]
    srtp: Any
    ssrc: int
    payload_type: int
    protocol: Any
    began_ns: int
    greets: bool = False
    frame: int = 0
    saying: tuple[Clip, int] | None = None
    """What it says, and from which frame on."""
    loud: int = 0
    last_loud_ns: int = 0
    waits_ns: int = 0
    over: bool = False
    answers: list[dict[str, int]] = field(default_factory=list)
    heard: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.name)
        self.waits_ns = self._delay_ns()
        if self.greets:
            self.loud, self.last_loud_ns = TURN_PACKETS, self.began_ns

    def due_ns(self, frame: int) -> int:
        return self.began_ns + frame * FRAME_NS

    def _delay_ns(self) -> int:
        return self.random.randint(*DELAYS_MS) * 1_000_000

    def listen(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            try:
                data, ancillary, _, address = self.sock.recvmsg(2048, 64, socket.MSG_DONTWAIT)
            except (BlockingIOError, OSError):
                return
            if len(data) < 12 or not 128 <= data[0] <= 191 or 64 <= (data[1] & 0x7F) < 96:
                loop.call_soon_threadsafe(self.protocol.datagram_received, data, address)
                continue
            at_ns = _arrived_ns(ancillary)
            self.heard.append((_HEADER.unpack_from(data)[3], at_ns))
            if len(data) > LOUD_BYTES:
                self.loud += 1
                self.last_loud_ns = at_ns

    def think(self, clips: list[Clip], now_ns: int) -> None:
        """Plans an answer where the caller has stopped speaking."""
        if self.saying is not None or self.loud < TURN_PACKETS or now_ns - self.last_loud_ns < QUIET_NS:
            return
        first = -(-(self.last_loud_ns + self.waits_ns - self.began_ns) // FRAME_NS)
        start = max(self.frame, first - PREROLL_FRAMES)
        self.saying = (clips[len(self.answers) % len(clips)], start)
        self.loud, self.waits_ns = 0, self._delay_ns()

    def say(self, quiet: bytes) -> None:
        payload = quiet
        if self.saying is not None:
            clip, start = self.saying
            if self.frame == start + len(clip.packets):
                self.saying, self.loud = None, 0
            elif self.frame >= start:
                payload = clip.packets[self.frame - start]
        header = _HEADER.pack(
            0x80,
            self.payload_type,
            self.frame & 0xFFFF,
            self.frame * FRAME_TICKS & 0xFFFFFFFF,
            self.ssrc,
        )
        packet = self.srtp.protect(header + payload)
        sent_ns = time.monotonic_ns()
        try:
            self.sock.sendto(packet, self.remote)
        except OSError:
            self.over = True
        if self.saying is not None and self.frame == self.saying[1] + PREROLL_FRAMES:
            self.answers.append({"due_ns": self.due_ns(self.frame), "wire_ns": sent_ns})
        self.frame += 1


def _arrived_ns(ancillary: list[tuple[int, int, bytes]]) -> int:
    now_ns = time.monotonic_ns()
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == SO_TIMESTAMPNS:
            seconds, nanoseconds = _TIMESPEC.unpack_from(data)
            return now_ns - (time.time_ns() - seconds * 1_000_000_000 - nanoseconds)
    return now_ns


class Line:
    """The thread that speaks and listens in all calls."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._quiet = silence(OPUS).packets[0]
        self._clips = [_clip(name, 1.5) for name in ("account", "answer_short", "question")]
        self._long_clips = [_clip(name, 6.0) for name in ("greeting", "account", "refund", "callback")]
        self._new: list[_Call] = []
        self._lock = threading.Lock()
        threading.Thread(target=self._run, daemon=True).start()

    def take(self, call: _Call) -> None:
        with self._lock:
            self._new.append(call)

    def _run(self) -> None:
        due: list[tuple[int, int, _Call]] = []
        number = 0
        while True:
            with self._lock:
                new, self._new = self._new, []
            for call in new:
                number += 1
                heapq.heappush(due, (call.began_ns, number, call))
            if not due:
                time.sleep(0.005)
                continue
            at_ns, order, call = due[0]
            wait_ns = at_ns - time.monotonic_ns()
            if wait_ns > 0:
                time.sleep(min(wait_ns, 5_000_000) / 1e9)
                continue
            if call.over:
                heapq.heappop(due)
                continue
            # It speaks before it listens: what it hears it answers in some tenths of a second.
            call.say(self._quiet)
            call.listen(self._loop)
            call.think(self._long_clips if call.greets else self._clips, time.monotonic_ns())
            heapq.heapreplace(due, (call.due_ns(call.frame), order, call))


def _clip(name: str, longest_s: float) -> Clip:
    pcm, rate = soundfile.read(SPEECH_FOLDER / f"{name}.flac", dtype="float32")
    spoken = prepare_utterance(Speech(samples=pcm, sample_rate_hz=rate), level_dbfs=-23.0)
    return prepare_clip(OPUS, spoken.samples[: round(48_000 * longest_s)])


class Peer:
    """The calls of this process, by name."""

    def __init__(self) -> None:
        self._calls: dict[str, _Call] = {}
        self._connections: set[RTCPeerConnection] = set()
        self._line = Line(asyncio.get_running_loop())

    async def offer(self, request: web.Request) -> web.Response:
        body = await request.json()
        name = (body.get("request_data") or {}).get("name", "")
        pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self._connections.add(pc)

        def on_state() -> None:
            if pc.connectionState == "connected":
                self._take_over(str(name or f"person-{len(self._calls)}"), pc, greets=not name)
            elif pc.connectionState in ("failed", "closed"):
                for call in self._calls.values():
                    call.over = call.over or call.sock.fileno() < 0
                self._connections.discard(pc)

        pc.on("connectionstatechange", on_state)
        await pc.setRemoteDescription(RTCSessionDescription(sdp=body["sdp"], type="offer"))
        sender = pc.addTrack(_Nothing())

        async def drop(data: bytes) -> None:
            return

        # Its reports would be encrypted while the thread encrypts.
        sender.transport._send_rtp = drop  # type: ignore[method-assign]
        await pc.setLocalDescription(await pc.createAnswer())
        return web.json_response({"sdp": pc.localDescription.sdp, "type": "answer"})

    def _take_over(self, name: str, pc: RTCPeerConnection, *, greets: bool) -> None:
        sender = pc.getSenders()[0]
        dtls = sender.transport
        pair = dtls.transport._connection._nominated[1]
        transport = pair.protocol.transport
        sock: socket.socket = transport._sock
        sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        # The event loop reads it no more: what is no media is handed back by the thread.
        asyncio.get_running_loop()._remove_reader(sock.fileno())  # type: ignore[attr-defined]
        codecs = pc.getTransceivers()[0]._codecs
        call = _Call(
            name=name,
            sock=sock,
            remote=pair.remote_addr,
            srtp=dtls._tx_srtp,
            ssrc=sender._ssrc,
            payload_type=next(one.payloadType for one in codecs if one.mimeType.lower() == "audio/opus"),
            protocol=pair.protocol,
            began_ns=time.monotonic_ns() + 1_000_000,
            greets=greets,
        )
        self._calls[name] = call
        self._line.take(call)

    async def status(self, _: web.Request) -> web.Response:
        return web.json_response({"status": "ready"})

    async def log(self, _: web.Request) -> web.Response:
        told = {name: {"answers": call.answers, "heard": call.heard} for name, call in self._calls.items()}
        return web.json_response(told, dumps=json.dumps)


async def serve(port: int) -> None:
    allow_loopback_candidates()
    peer = Peer()
    app = web.Application()
    app.router.add_post("/api/offer", peer.offer)
    app.router.add_get("/status", peer.status)
    app.router.add_get("/log", peer.log)
    await serve_on(port, app)


if __name__ == "__main__":
    sys.setswitchinterval(0.0005)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(int(sys.argv[1])))
