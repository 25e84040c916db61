"""A light peer for load tests: takes SmallWebRTC calls, sends speech without end, decodes nothing."""

from __future__ import annotations

import asyncio
import sys

import numpy as np
import soundfile
from aiohttp import web
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription

from bench.parts.served import serve_on
from fixtures import SPEECH_FOLDER
from harness.transports.base import MediaLog
from harness.transports.codecs.opus import OPUS
from harness.transports.uplink import Uplink, noise_background
from harness.transports.webrtc.loopback import allow_loopback_candidates
from harness.transports.webrtc.paced_track import PacedTrack
from metrics.resample import to_speech_rate


def speech_loop() -> np.ndarray:
    """Some seconds of speech at 48 kHz."""
    pcm, rate = soundfile.read(SPEECH_FOLDER / "account.flac", dtype="float32")
    return np.repeat(to_speech_rate(pcm, rate), 3) * 0.5


async def serve(port: int) -> None:
    allow_loopback_candidates()
    background = noise_background(OPUS, speech_loop())
    connections: list[RTCPeerConnection] = []

    async def offer(request: web.Request) -> web.Response:
        body = await request.json()
        pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        connections.append(pc)
        await pc.setRemoteDescription(RTCSessionDescription(sdp=body["sdp"], type="offer"))
        pc.addTrack(PacedTrack(Uplink(background=background), MediaLog(codec=OPUS.name), asyncio.Event()))
        await pc.setLocalDescription(await pc.createAnswer())

        async def drop(packet: object, arrival_time_ms: int) -> None:
            return

        pc.getTransceivers()[0].receiver._handle_rtp_packet = drop  # type: ignore[method-assign]
        return web.json_response({"sdp": pc.localDescription.sdp, "type": "answer"})

    async def status(_: web.Request) -> web.Response:
        return web.json_response({"status": "ready", "frame_ms": OPUS.frame_s * 1000})

    app = web.Application()
    app.router.add_post("/api/offer", offer)
    app.router.add_get("/status", status)
    await serve_on(port, app)


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
