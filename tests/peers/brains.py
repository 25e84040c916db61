"""Hears, thinks and speaks for a judge whose Python has no models: ``python -m tests.peers.brains --port N
--whisper FOLDER --piper FOLDER``.

``POST /turn/NAME`` with what the caller said (16 kHz, 16 bits; nothing: the agent speaks first) gives what
the agent says to it as sound of the same kind, and in the header ``X-Turn`` both sides' words. What it says
is the card's: the rules of ``fixtures/agents/pipecat_agent``."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path

import numpy as np
from aiohttp import web
from scipy.signal import resample_poly

from fixtures.agents.pipecat_agent.brain import CardBrain
from fixtures.agents.pipecat_agent.card import Card, find_card, known_cards
from fixtures.agents.speech_models import WHISPER_RATE_HZ, SpeechModels, load_speech_models

MAX_SOUND_BYTES = 16_000_000
LEAST_S = 0.2


class Brains:
    """Those of all calls, by their names; an agent that speaks first begins a call anew."""

    def __init__(self, models: SpeechModels, card: Card) -> None:
        self._models = models
        self._card = card
        self._calls: dict[str, CardBrain] = {}

    async def turn(self, request: web.Request) -> web.Response:
        name, sound = request.match_info["name"], await request.read()
        heard, reply, speech = await asyncio.to_thread(self._turn, name, sound)
        told = json.dumps({"heard": heard, "reply": reply})
        return web.Response(body=speech, headers={"X-Turn": told})

    def _turn(self, name: str, sound: bytes) -> tuple[str, str, bytes]:
        if not sound:
            brain = self._calls[name] = CardBrain(self._card)
            reply, heard = brain.open(), ""
        else:
            brain = self._calls.setdefault(name, CardBrain(self._card))
            heard = self._heard(np.frombuffer(sound, np.int16).astype(np.float32) / 32768)
            reply = brain.reply(heard) if heard else ""
        return heard, reply, self._spoken(reply) if reply else b""

    def _heard(self, samples: np.ndarray) -> str:
        if len(samples) < LEAST_S * WHISPER_RATE_HZ:
            return ""
        segments, _ = self._models.whisper.transcribe(samples, language="en")
        return " ".join(segment.text.strip() for segment in segments)

    def _spoken(self, text: str) -> bytes:
        piper = self._models.piper
        whole = np.concatenate([chunk.audio_float_array for chunk in piper.synthesize(text)])
        at_rate = resample_poly(whole, WHISPER_RATE_HZ, int(piper.config.sample_rate))
        return (np.clip(at_rate, -1, 1) * 32767).astype(np.int16).tobytes()


async def _ready(_: web.Request) -> web.Response:
    return web.json_response({"status": "ready"})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--whisper", type=Path, required=True)
    parser.add_argument("--piper", type=Path, required=True)
    parser.add_argument("--card", default="fee_complaint")
    arguments = parser.parse_args()
    _, card = find_card(arguments.card, known_cards())
    brains = Brains(load_speech_models(arguments.whisper, arguments.piper, cpu_threads=1), card)
    app = web.Application(client_max_size=MAX_SOUND_BYTES)
    app.router.add_post("/turn/{name}", brains.turn)
    app.router.add_get("/status", _ready)
    web.run_app(app, host="127.0.0.1", port=arguments.port, print=None)


if __name__ == "__main__":
    main()
