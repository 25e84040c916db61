"""A real worker of livekit-agents that does as it is told and says when it meant to: ``python -m
tests.peers.livekit_worker --port N --livekit URL``, dispatched by the name ``truth``.

Its sound goes through LiveKit's SDK as any worker's does (``AudioSource.capture_frame``); ``GET
/truth/NAME`` has when the SDK was given the first and the last voiced frame of each answer. When these were
on the wire is known to nobody in this process."""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from typing import Any

import numpy as np
from aiohttp import web
from livekit import rtc
from livekit.agents import AgentServer, JobContext, JobExecutorType

from .actor import Actor

NAME = "truth"
RATE = 48_000
FRAME = RATE // 100
QUEUE_MS = 200
truths: dict[str, dict[str, Any]] = {}


class Voice:
    """What the worker says, given to the SDK frame by frame; silence in between, as a session gives it."""

    def __init__(self, spoke: list[dict[str, Any]]) -> None:
        self.source = rtc.AudioSource(RATE, 1, queue_size_ms=QUEUE_MS)
        self._spoke = spoke
        self._waiting: list[np.ndarray] = []
        self._current: dict[str, Any] | None = None

    def say(self, samples: np.ndarray) -> None:
        """From the next frame on."""
        self._waiting = [samples[start : start + FRAME] for start in range(0, len(samples), FRAME)]
        self._current = {"asked_s": time.monotonic(), "cut": False}
        self._spoke.append(self._current)

    def stop(self) -> None:
        """Falls silent, and throws away what the SDK has not sent."""
        if self._current is not None and self._waiting:
            self._waiting = []
            self._current |= {"cut": True, "cleared_s": time.monotonic()}
            self.source.clear_queue()

    async def run(self) -> None:
        """Gives frames to the SDK for as long as the call lasts."""
        while True:
            block = np.zeros(FRAME, np.float32)
            speaks = bool(self._waiting)
            if speaks:
                samples = self._waiting.pop(0)
                block[: len(samples)] = samples
            now_s = time.monotonic()
            if speaks and self._current is not None:
                self._current.setdefault("first_captured_s", now_s)
                self._current["last_captured_s"] = now_s
            pcm = np.round(np.clip(block, -1, 1) * 32767).astype(np.int16)
            await self.source.capture_frame(rtc.AudioFrame(pcm.tobytes(), RATE, 1, FRAME))


async def take(job: JobContext) -> None:
    """One call."""
    data = json.loads(job.job.metadata or "{}")
    truth: dict[str, Any] = {"spoke": [], "over": False}
    truths[str(data.get("session", "call"))] = truth
    voice = Voice(truth["spoke"])
    actor = Actor(data.get("behaviour", {}), RATE, RATE, say=voice.say, stop=voice.stop)
    heard: list[asyncio.Task[None]] = []

    async def listen(track: rtc.Track) -> None:
        async for event in rtc.AudioStream(track, sample_rate=RATE, num_channels=1):
            actor.hear(np.frombuffer(event.frame.data, np.int16).astype(np.float32) / 32768)

    def on_track(track: rtc.Track, *_: Any) -> None:
        if track.kind == rtc.TrackKind.KIND_AUDIO:
            heard.append(asyncio.ensure_future(listen(track)))

    job.room.on("track_subscribed", on_track)
    await job.connect()
    track = rtc.LocalAudioTrack.create_audio_track("voice", voice.source)
    await job.room.local_participant.publish_track(track)
    speaking = asyncio.ensure_future(voice.run())
    actor.begin()
    gone = asyncio.Event()
    job.room.on("participant_disconnected", lambda _: gone.set())
    job.room.on("disconnected", lambda _: gone.set())
    await gone.wait()
    truth["over"] = True
    for task in (*heard, speaking):
        task.cancel()
    job.shutdown("the caller has left")


async def _serve(arguments: argparse.Namespace) -> None:
    server = AgentServer(
        job_executor_type=JobExecutorType.THREAD,
        ws_url=arguments.livekit,
        host="127.0.0.1",
        port=0,
        num_idle_processes=0,
        load_fnc=lambda: 0.0,
        drain_timeout=1,
    )
    server.rtc_session(take, agent_name=NAME)
    registered = asyncio.Event()
    server.on("worker_registered", lambda *_: registered.set())

    async def status(_: web.Request) -> web.Response:
        return web.json_response({}, status=200 if registered.is_set() else 503)

    async def truth(request: web.Request) -> web.Response:
        return web.json_response(truths.get(request.match_info["name"], {}))

    app = web.Application()
    app.router.add_get("/status", status)
    app.router.add_get("/truth/{name}", truth)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", arguments.port).start()
    await server.run()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--livekit", required=True)
    asyncio.run(_serve(parser.parse_args()))


if __name__ == "__main__":
    main()
