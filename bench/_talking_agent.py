"""A light agent that takes calls, talks in turns, lets go of them, and logs them: for soak and kills.

``python -m bench._talking_agent --port PORT [--log FILE]``. Speech comes from packets encoded at the start,
so that a call costs about one per cent of a core. It speaks for :data:`SPEAKS_S` and is quiet for
:data:`QUIET_S`, again and again, and tells its words over the data channel. ``request_data``: ``name`` (of
the call, for the log), ``hang_up_after_s`` (default: it never does), ``speaks_s`` and ``quiet_s``.

The log has a line for each thing that happens to a call, written at once: ``{"at": monotonic seconds, "name",
"what": "placed" | "connected" | "over" | "gone"}``. It is the agent's own, whatever becomes of its caller.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
from aiohttp import web
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription

from bench.parts.served import serve_on
from fixtures import SPEECH_FOLDER
from harness.transports.base import MediaLog
from harness.transports.codecs.opus import OPUS
from harness.transports.uplink import Background, Uplink, noise_background
from harness.transports.webrtc.loopback import allow_loopback_candidates
from harness.transports.webrtc.paced_track import PacedTrack
from metrics.resample import to_speech_rate

SPEAKS_S, QUIET_S = 2.0, 2.6
GONE_S = 20.0
"""A caller that was killed says no goodbye: so long without a packet, and its call is over."""


class Agent:
    """All calls of this process; what is over is let go of."""

    def __init__(self, log: Path | None) -> None:
        self._log = log
        self._backgrounds: dict[tuple[float, float], Background] = {}
        self._calls: set[asyncio.Task[None]] = set()

    async def offer(self, request: web.Request) -> web.Response:
        body = await request.json()
        asked = body.get("request_data") or {}
        name = str(asked.get("name", ""))
        self._note(name, "placed")
        turns = float(asked.get("speaks_s", SPEAKS_S)), float(asked.get("quiet_s", QUIET_S))
        pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        heard = [time.monotonic()]
        over = asyncio.Event()
        self._tell_words(pc)

        def on_state() -> None:
            if pc.connectionState == "connected":
                self._note(name, "connected")
            elif pc.connectionState in ("failed", "closed"):
                over.set()

        pc.on("connectionstatechange", on_state)
        await pc.setRemoteDescription(RTCSessionDescription(sdp=body["sdp"], type="offer"))
        uplink = Uplink(background=self._background(*turns))
        pc.addTrack(PacedTrack(uplink, _Forgetful(codec=OPUS.name), asyncio.Event()))
        await pc.setLocalDescription(await pc.createAnswer())

        async def drop(packet: object, arrival_time_ms: int) -> None:
            heard[0] = time.monotonic()

        pc.getTransceivers()[0].receiver._handle_rtp_packet = drop  # type: ignore[method-assign]
        lasts_s = float(asked.get("hang_up_after_s", 3600.0))
        task = asyncio.create_task(self._keep(name, pc, over, heard, lasts_s))
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)
        return web.json_response({"sdp": pc.localDescription.sdp, "type": "answer"})

    async def status(self, _: web.Request) -> web.Response:
        return web.json_response({"status": "ready", "calls": len(self._calls)})

    async def _keep(
        self, name: str, pc: RTCPeerConnection, over: asyncio.Event, heard: list[float], lasts_s: float
    ) -> None:
        until = time.monotonic() + lasts_s
        while not over.is_set() and (left_s := min(until, heard[0] + GONE_S) - time.monotonic()) > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(over.wait(), left_s)
        # Whether it was hung up by either side, or fell silent for good.
        self._note(name, "over" if over.is_set() or time.monotonic() >= until else "gone")
        await pc.close()

    def _tell_words(self, pc: RTCPeerConnection) -> None:
        @pc.on("datachannel")
        def on_channel(channel: Any) -> None:
            @channel.on("message")
            def on_message(message: str | bytes) -> None:
                for kind, data in (
                    ("bot-ready", {}),
                    ("bot-transcription", {"text": "Your account is safe."}),
                ):
                    channel.send(json.dumps({"label": "rtvi-ai", "type": kind, "id": "1", "data": data}))

    def _background(self, speaks_s: float, quiet_s: float) -> Background:
        turns = (speaks_s, quiet_s)
        if turns not in self._backgrounds:
            self._backgrounds[turns] = noise_background(OPUS, _turns(*turns))
        return self._backgrounds[turns]

    def _note(self, name: str, what: str) -> None:
        if self._log is not None:
            with self._log.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"at": time.monotonic(), "name": name, "what": what}) + "\n")


class _Forgetful(MediaLog):
    """The log of a sender whose lateness nobody asks for."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.lateness_s = _Nothing()


class _Nothing(list[float]):
    def append(self, value: float) -> None:
        return


def _turns(speaks_s: float, quiet_s: float) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Speech and quiet, once, at 48 kHz."""
    pcm, rate = soundfile.read(SPEECH_FOLDER / "account.flac", dtype="float32")
    speech = np.resize(np.repeat(to_speech_rate(pcm, rate), 3) * 0.5, round(speaks_s * 48_000))
    return np.concatenate([speech, np.zeros(round(quiet_s * 48_000))]).astype(np.float32)


async def serve(port: int, log: Path | None) -> None:
    allow_loopback_candidates()
    agent = Agent(log)
    app = web.Application()
    app.router.add_post("/api/offer", agent.offer)
    app.router.add_get("/status", agent.status)
    await serve_on(port, app)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--log", type=Path)
    given = parser.parse_args()
    asyncio.run(serve(given.port, given.log))
