"""Hears, thinks and speaks for ``speech_to_speech_agent`` in a whole call: Whisper, the rules of a card, and
Piper, in our own Python. ``POST /turn/NAME`` takes 16-bit PCM at 16 kHz and gives the reply's, with the words
in ``X-Turn``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path
from typing import Any

import numpy as np
from aiohttp import web
from scipy.signal import resample_poly

from fixtures.agents.pipecat_agent.brain import CardBrain
from fixtures.agents.pipecat_agent.inline_card import read_inline_task
from fixtures.agents.pipecat_agent.speech import load_speech_models

RATE = 16_000


class Brains:
    """One brain for each call."""

    def __init__(self, task: dict[str, Any], whisper: Path, piper: Path) -> None:
        self._card = read_inline_task(task).card
        self._models = load_speech_models(whisper, piper, cpu_threads=1)
        self._brains: dict[str, CardBrain] = {}

    async def turn(self, request: web.Request) -> web.Response:
        pcm = np.frombuffer(await request.read(), np.int16).astype(np.float32) / 32768
        told, sound = await asyncio.to_thread(self._turn, request.match_info["name"], pcm)
        return web.Response(body=sound, headers={"X-Turn": json.dumps(told)})

    def _turn(self, name: str, pcm: np.ndarray[Any, np.dtype[np.float32]]) -> tuple[dict[str, str], bytes]:
        brain = self._brains.setdefault(name, CardBrain(self._card))
        segments, _ = self._models.whisper.transcribe(pcm, language="en")
        heard = " ".join(segment.text.strip() for segment in segments)
        reply = brain.reply(heard) if heard else brain.not_understood()
        chunks = list(self._models.piper.synthesize(reply))
        speech = np.concatenate([chunk.audio_float_array for chunk in chunks])
        at_16k = resample_poly(speech, RATE, chunks[0].sample_rate)
        # The header is ASCII by json's own escapes.
        return {"heard": heard, "reply": reply}, np.round(np.clip(at_16k, -1, 1) * 32767).astype(
            np.int16
        ).tobytes()


async def _status(_: web.Request) -> web.Response:
    return web.json_response({"status": "ready"})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--task", type=Path, required=True, help="request data of a scenario, as JSON")
    parser.add_argument("--whisper", type=Path, required=True)
    parser.add_argument("--piper", type=Path, required=True)
    arguments = parser.parse_args()
    brains = Brains(json.loads(arguments.task.read_text()), arguments.whisper, arguments.piper)
    app = web.Application(client_max_size=20_000_000)
    app.router.add_post("/turn/{name}", brains.turn)
    app.router.add_get("/status", _status)
    web.run_app(app, host="127.0.0.1", port=arguments.port, print=None)


if __name__ == "__main__":
    main()
