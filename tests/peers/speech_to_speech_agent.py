"""Hugging Face's ``speech-to-speech`` server (its own router, service and WebRTC session) whose queues are
served by a detector and an actor, or by whoever thinks at ``--brains``; see the package's docstring.

``POST /v1/realtime/calls`` takes a raw offer, its events go over ``oai-events``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import queue
import threading
import urllib.request
from typing import Any

import numpy as np
import uvicorn
import webrtcvad
from fastapi import Request
from speech_to_speech.api.openai_realtime.pipeline_unit import PipelineUnit
from speech_to_speech.api.openai_realtime.service import RealtimeService
from speech_to_speech.api.openai_realtime.websocket_router import create_app
from speech_to_speech.pipeline.cancel_scope import CancelScope
from speech_to_speech.pipeline.control import PipelineControlMessage
from speech_to_speech.pipeline.events import (
    AssistantOutputEvent,
    SpeechStartedEvent,
    SpeechStoppedEvent,
    TranscriptionCompletedEvent,
)
from speech_to_speech.pipeline.messages import AUDIO_RESPONSE_DONE, AudioOutput

from . import wire_log
from .actor import Actor, is_loud
from .truth import truth_of

RATE = 16_000
KEPT_BEFORE_S = 0.5
LAG_S = 0.14
"""Its jitter buffer and its send loop, as measured."""
plans: dict[str, dict[str, Any]] = {}
firsts: dict[str, int] = {}
"""Which connection of this process a planned call is."""


class Pipeline:
    """What stands behind the server's queues, in place of its own models."""

    def __init__(self, brains: str | None) -> None:
        self._brains = brains
        self._wanted: queue.Queue[tuple[str, np.ndarray]] = queue.Queue()
        self._sound = np.zeros(0, np.float32)
        self._heard_samples = 0
        self._hears = False
        prompts: queue.Queue[Any] = queue.Queue()
        listen = threading.Event()
        self.unit = PipelineUnit(
            index=0,
            service=RealtimeService(text_prompt_queue=prompts, should_listen=listen),
            cancel_scope=CancelScope(),
            should_listen=listen,
            response_playing=threading.Event(),
            input_queue=queue.Queue(),
            output_queue=queue.Queue(),
            text_output_queue=queue.Queue(),
            text_prompt_queue=prompts,
            handlers=[],
        )
        self.actor = self._new_actor()
        for work in (self._listen, self._speak):
            threading.Thread(target=work, daemon=True).start()

    def _new_actor(self) -> Actor:
        name = next(reversed(plans), None)
        behaviour = {"quiet_ms": 700} if self._brains else plans.get(name or "", {})
        detector = webrtcvad.Vad(2)

        def voiced(block: np.ndarray) -> bool:
            return bool(detector.is_speech(np.round(block * 32767).astype(np.int16).tobytes(), RATE))

        self._session = name or "call"
        self._sound = np.zeros(0, np.float32)
        return Actor(
            behaviour,
            RATE,
            RATE,
            say=self._say,
            stop=self._told_late,
            on_onset=self._onset,
            on_end=self._ended,
            lag_s=LAG_S,
            voiced=voiced if self._brains else is_loud,
        )

    # --- hearing

    def _listen(self) -> None:
        """In place of VAD and STT."""
        fresh = True
        while True:
            item = self.unit.input_queue.get()
            if isinstance(item, PipelineControlMessage):
                self.unit.output_queue.put(item)
                fresh = True
                continue
            if fresh:
                self.actor, fresh = self._new_actor(), False
            chunk = item[0] if isinstance(item, tuple) else item
            samples = np.frombuffer(chunk, np.int16).astype(np.float32) / 32768
            kept = self._sound if self._hears else self._sound[-round(KEPT_BEFORE_S * RATE) :]
            self._sound = np.concatenate([kept, samples])
            self._heard_samples += len(samples)
            self.actor.hear(samples)

    def _onset(self) -> None:
        self._hears = True
        if self.actor._stop_after_ms is None or not self.actor.speaks:
            self._told_late()

    def _told_late(self) -> None:
        """The server falls silent when it is told that somebody speaks."""
        self.unit.text_output_queue.put(SpeechStartedEvent(audio_start_ms=self._at_ms()))

    def _ended(self) -> None:
        events = self.unit.text_output_queue
        events.put(SpeechStoppedEvent(audio_end_ms=self._at_ms()))
        self._hears = False
        if self._brains is not None:
            threading.Thread(target=self._think, args=(self._sound,), daemon=True).start()

    def _say(self, samples: np.ndarray) -> None:
        self._wanted.put(("a tone", samples))
        self.unit.text_output_queue.put(TranscriptionCompletedEvent(transcript="a tone"))

    def _think(self, sound: np.ndarray) -> None:
        heard, words, speech = self._asked(sound)
        if heard:
            self._wanted.put((words, speech))
            self.unit.text_output_queue.put(TranscriptionCompletedEvent(transcript=heard))

    def _asked(self, sound: np.ndarray) -> tuple[str, str, np.ndarray]:
        """What was heard, what is said to it, and how that sounds."""
        body = np.round(sound * 32767).astype(np.int16).tobytes()
        with urllib.request.urlopen(f"{self._brains}/turn/{self._session}", data=body, timeout=60) as answer:
            told = json.loads(answer.headers["X-Turn"])
            return (
                told["heard"],
                told["reply"],
                np.frombuffer(answer.read(), np.int16).astype(np.float32) / 32768,
            )

    def _at_ms(self) -> int:
        return round(self._heard_samples / RATE * 1000)

    # --- speaking

    def _speak(self) -> None:
        """In place of LLM and TTS."""
        while True:
            request = self.unit.text_prompt_queue.get()
            if isinstance(request, PipelineControlMessage | bytes):
                continue
            if self._brains is not None and self._wanted.empty():
                # Asked to speak first (response.create).
                _, words, samples = self._asked(np.zeros(0, np.float32))
            else:
                words, samples = self._wanted.get()
            generation, key = self.unit.cancel_scope.generation, request.response_key
            out = self.unit.output_queue
            tagged = {"cancel_generation": generation, "response_key": key}
            out.put(AssistantOutputEvent(text=words, **tagged))
            pcm = np.round(samples * 32767).astype(np.int16)
            for start in range(0, len(pcm), 3200):
                out.put(AudioOutput(audio=pcm[start : start + 3200].tobytes(), **tagged))
            out.put(AudioOutput(audio=AUDIO_RESPONSE_DONE, **tagged))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--brains", default=None, help="address of whoever hears, thinks and speaks")
    arguments = parser.parse_args()
    wire_log.install()
    pipeline = Pipeline(arguments.brains)
    app = create_app([pipeline.unit], threading.Event())

    @app.get("/status")
    async def status() -> dict[str, str]:
        return {"status": "ready"}

    @app.post("/plan/{name}")
    async def plan(name: str, request: Request) -> dict[str, str]:
        plans.pop(name, None)
        plans[name] = await request.json()
        firsts[name] = len(wire_log.logs)
        return {"planned": name}

    @app.get("/truth/{name}")
    async def truth(name: str) -> dict[str, Any]:
        return await asyncio.to_thread(truth_of, wire_log.logs[firsts[name]], plans[name])

    uvicorn.run(app, host="127.0.0.1", port=arguments.port, log_level="warning")


if __name__ == "__main__":
    main()
