"""FastRTC's own server (``Stream.mount``) with agents of all its manners; see the package's docstring.

``/webrtc/offer`` is an agent that answers and stops as planned (``StreamHandler``); ``/pause/webrtc/offer`` a
stock ``ReplyOnPause``; ``/asks/webrtc/offer`` one whose reply takes an argument, which ``POST /input_hook``
gives; ``/limited/webrtc/offer`` ends each call after two seconds. ``/gradio`` is the page of ``stream.ui``.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from typing import Any

import gradio
import numpy as np
import uvicorn
from fastapi import FastAPI, Request
from fastrtc import AsyncStreamHandler, ReplyOnPause, Stream, wait_for_item

from . import wire_log
from .actor import Actor, tone
from .truth import truth_of

OUT_RATE = 24_000
LAG_S = 0.17
"""Its jitter buffer, its threads and its resampler, as measured."""
plans: dict[str, dict[str, Any]] = {}
firsts: dict[str, int] = {}
"""Which connection of this process a planned call is."""


class Planned(AsyncStreamHandler):
    """Does what the plan of the next call says."""

    def __init__(self) -> None:
        super().__init__(input_sample_rate=16_000, output_sample_rate=OUT_RATE)
        self.out: asyncio.Queue[tuple[int, np.ndarray]] = asyncio.Queue()
        behaviour = plans[next(reversed(plans))] if plans else {}
        self.actor = Actor(behaviour, 16_000, OUT_RATE, say=self._say, stop=self._stop, lag_s=LAG_S)

    def copy(self) -> Planned:
        return Planned()

    async def start_up(self) -> None:
        self.actor.begin()

    async def receive(self, frame: tuple[int, np.ndarray]) -> None:
        _, samples = frame
        self.actor.hear(samples.reshape(-1).astype(np.float32) / 32768)

    async def emit(self) -> tuple[int, np.ndarray] | None:
        return await wait_for_item(self.out)

    def _say(self, samples: np.ndarray) -> None:
        self.out.put_nowait((OUT_RATE, np.round(samples * 32767).astype(np.int16)[None, :]))

    def _stop(self) -> None:
        while not self.out.empty():
            self.out.get_nowait()
        self.clear_queue()


class EnergyVad:
    """In place of Silero, whose weights are not in FastRTC's wheel."""

    def vad(self, audio: tuple[int, np.ndarray], options: Any) -> tuple[float, list[Any]]:
        rate, samples = audio
        samples = samples.reshape(-1).astype(np.float32) / (32768 if samples.dtype == np.int16 else 1)
        blocks = samples[: len(samples) // 480 * 480].reshape(-1, 480)
        voiced = np.sqrt((blocks**2).mean(axis=1)) > 0.01
        return float(voiced.sum() * 480 / rate), []

    def warmup(self) -> None:
        """Nothing to load."""


def reply(audio: tuple[int, np.ndarray]) -> Iterator[tuple[int, np.ndarray]]:
    for _ in range(10):
        yield OUT_RATE, np.round(tone(200, OUT_RATE) * 32767).astype(np.int16)[None, :]


def reply_with(audio: tuple[int, np.ndarray], wanted: Any) -> Iterator[tuple[int, np.ndarray]]:
    yield from reply(audio)


def on_pause(fn: Any) -> ReplyOnPause:
    return ReplyOnPause(fn, model=EnergyVad())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    port = parser.parse_args().port
    wire_log.install()
    app = FastAPI()
    made = {"modality": "audio", "mode": "send-receive"}
    asking = Stream(on_pause(reply_with), **made)
    Stream(Planned(), concurrency_limit=1, **made).mount(app)
    Stream(on_pause(reply), **made).mount(app, path="/pause")
    asking.mount(app, path="/asks")
    Stream(on_pause(reply), time_limit=2.0, **made).mount(app, path="/limited")

    @app.get("/status")
    async def status() -> dict[str, str]:
        return {"status": "ready"}

    @app.post("/plan/{name}")
    async def plan(name: str, request: Request) -> dict[str, str]:
        plans.pop(name, None)
        plans[name] = await request.json()
        firsts[name] = len(wire_log.logs)
        return {"planned": name}

    @app.post("/input_hook")
    async def input_hook(request: Request) -> dict[str, str]:
        body = await request.json()
        asking.set_input(body["webrtc_id"], body["wanted"])
        return {"set": "yes"}

    @app.get("/truth/{name}")
    async def truth(name: str) -> dict[str, Any]:
        return await asyncio.to_thread(truth_of, wire_log.logs[firsts[name]], plans[name])

    app = gradio.mount_gradio_app(app, Stream(on_pause(reply), **made).ui, path="/gradio")
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main()
