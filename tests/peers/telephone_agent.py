"""An agent that follows its card, on a telephone of others: ``python -m tests.peers.telephone_agent --port N
--sip-port N --entry ENTRY --whisper FOLDER --piper FOLDER``.

baresip (the package baresip-python) speaks SIP and RTP, Silero in pipecat's hands hears when somebody
speaks, Whisper what is said, ``SopAgent`` finds the answer in the card, Piper says it. It picks up every
call, and ``POST /ring`` with ``{"to": "sip:…"}`` has it call. ``GET /calls`` tells of each call what it heard
and said and when, in seconds of one clock. ``GET /calls/N/heard`` and ``/said`` are the sound that its
telephone played and took (8 kHz, 16 bits), both from the same moment on.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import baresip
import numpy as np
from aiohttp import web
from baresip.runtime import Runtime
from baresip.ua import UserAgent
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.audio.vad.vad_analyzer import VADParams, VADState
from scipy.signal import resample_poly

from fixtures.agents.speech_models import SpeechModels, load_speech_models
from harness.calls.text.agents.sop import SopAgent
from harness.scenarios.folders import load_entries
from harness.scenarios.scenario import Entry
from spoken_language.dialogue import DialogueTurn

RATE_HZ = 8000
WIDTH = 2
TICK_S = 0.02
AHEAD_S = 0.08
"""So much sound waits in the telephone to be sent."""
PAUSE_S = 0.7
"""Quiet after which somebody has finished."""
INTERRUPTS_S = 0.8
"""Who speaks for so long while the agent does is listened to; a shorter word is passed over."""
BEFORE_S = 0.4
"""Sound before a voice is noticed that goes to Whisper with it."""
PATIENCE_S = 8.0
LINGERS_S = 1.5
"""From the last word to hanging up."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


@dataclass(kw_only=True)
class Turn:
    """What one side said, by the agent's own clock; of the agent only what left its mouth.

    Attributes:
        cut: The person spoke in between, and the rest was not said.
    """

    speaker: str
    text: str
    began_s: float
    ended_s: float
    cut: bool = False


@dataclass(kw_only=True)
class Conversation:
    """One call."""

    call: Any
    agent: SopAgent
    models: SpeechModels
    way: str
    turns: list[Turn] = field(default_factory=list)
    ended: str = ""

    def __post_init__(self) -> None:
        self._zero = time.monotonic()
        self._heard = bytearray()
        self._said = bytearray()
        self._queue: list[tuple[str, np.ndarray]] = []
        self._at = 0
        self._turn: Turn | None = None
        self._quiet_since = self._zero
        self._hangs_up = False

    @property
    def now_s(self) -> float:
        return time.monotonic() - self._zero

    def told(self) -> dict[str, Any]:
        return {"way": self.way, "ended": self.ended, "turns": [asdict(turn) for turn in self.turns]}

    def sound(self, side: str) -> bytes:
        return bytes(self._heard if side == "heard" else self._said)

    async def hold(self) -> None:
        """Until either side has hung up."""
        try:
            await self._hold()
        except (baresip.AudioNotActive, baresip.AudioRestarted, baresip.StaleHandleError):
            self.ended = self.ended or "the other side hung up"
        if self._turn is not None:
            self._cut()

    async def _hold(self) -> None:
        await self.call.wait_established()
        # The package tells of no such event.
        while not (self.call.audio.info().tx_ready and self.call.audio.info().rx_ready):  # noqa: ASYNC110
            await asyncio.sleep(TICK_S)
        self._zero = time.monotonic()
        vad = SileroVADAnalyzer(sample_rate=RATE_HZ, params=VADParams(stop_secs=PAUSE_S, min_volume=0.2))
        vad.set_sample_rate(RATE_HZ)
        thinking: asyncio.Task[None] | None = asyncio.create_task(self._think(b"", 0.0, 0.0))
        voice, spoke_s, over_its_own, speaks = b"", 0.0, False, False
        while True:
            pcm = self.call.audio.read(RATE_HZ * WIDTH)
            at = round(self.now_s * RATE_HZ) * WIDTH - len(pcm)
            # One stream: only what was late before it began leaves a gap.
            self._heard.extend(bytes(max(0, at - len(self._heard))) if not self._heard else b"")
            self._heard.extend(pcm)
            state = await vad.analyze_audio(pcm) if pcm else None
            if state is VADState.SPEAKING:
                if not speaks:
                    speaks, over_its_own = True, self._is_speaking
                    spoke_s = self.now_s - BEFORE_S
                    voice += bytes(self._heard[-round(BEFORE_S * RATE_HZ) * WIDTH :])
                    if thinking is not None and not self._is_speaking:
                        thinking.cancel()
                else:
                    voice += pcm
                if self._is_speaking and self.now_s - spoke_s > INTERRUPTS_S + BEFORE_S:
                    self.call.audio.flush_tx()
                    self._cut()
                    over_its_own = False
            elif speaks and state in (VADState.STOPPING, VADState.QUIET):
                voice += pcm
                if state is VADState.QUIET:
                    speaks = False
                    # A word beneath the agent's own asks for no answer.
                    if not over_its_own:
                        thinking = asyncio.create_task(self._think(voice, spoke_s, self.now_s - PAUSE_S))
                        voice = b""
                    elif not self._is_speaking:
                        voice = b""
                    self._quiet_since = time.monotonic()
            if thinking is not None and thinking.done():
                if not thinking.cancelled():
                    thinking.result()
                    voice = b"" if not speaks else voice
                thinking = None
            self._speak()
            if self._is_speaking or speaks or thinking is not None:
                self._quiet_since = time.monotonic()
            quiet_s = time.monotonic() - self._quiet_since
            if self._hangs_up and quiet_s > LINGERS_S:
                self.ended = "the agent hung up"
                await self.call.hangup()
                return
            if quiet_s > PATIENCE_S:
                thinking = asyncio.create_task(self._think(b"", self.now_s, self.now_s))
            await asyncio.sleep(TICK_S / 2)

    async def _think(self, voice: bytes, began_s: float, ended_s: float) -> None:
        """Understands, finds an answer, and speaks it, sentence by sentence."""
        if voice:
            text = await asyncio.to_thread(self._written, np.frombuffer(voice, np.int16))
            if not text:
                return
            self.turns.append(Turn(speaker="caller", text=text, began_s=began_s, ended_s=ended_s))
        said = [DialogueTurn(speaker=turn.speaker, text=turn.text) for turn in self.turns]  # type: ignore[arg-type]
        reply = await self.agent.reply(said)
        self._hangs_up = reply.hangs_up
        for sentence in _SENTENCE.split(reply.text):
            self._queue.append((sentence, await asyncio.to_thread(self._spoken, sentence)))

    def _written(self, pcm: np.ndarray) -> str:
        wide = resample_poly(pcm.astype(np.float32) / 32768, 2, 1).astype(np.float32)
        segments, _ = self.models.whisper.transcribe(wide, language="en")
        return " ".join(segment.text.strip() for segment in segments).strip()

    def _spoken(self, text: str) -> np.ndarray:
        piper = self.models.piper
        whole = np.concatenate([chunk.audio_float_array for chunk in piper.synthesize(text)])
        narrow = resample_poly(whole, RATE_HZ, int(piper.config.sample_rate))
        return (np.clip(narrow * 0.7, -1, 1) * 32767).astype(np.int16)

    @property
    def _is_speaking(self) -> bool:
        return bool(self._queue)

    def _speak(self) -> None:
        """Gives the telephone what it can take."""
        while self._queue:
            waits_s = self.call.audio.info().tx_buffered / WIDTH / RATE_HZ
            if waits_s > AHEAD_S:
                return
            text, pcm = self._queue[0]
            begins_s = self.now_s + waits_s
            if self._turn is None:
                self._turn = Turn(speaker="agent", text="", began_s=begins_s, ended_s=begins_s)
                self.turns.append(self._turn)
            piece = pcm[self._at : self._at + round(TICK_S * RATE_HZ)]
            taken = self.call.audio.write(piece.tobytes()) // WIDTH
            at = round(begins_s * RATE_HZ) * WIDTH
            self._said.extend(bytes(max(0, at - len(self._said))))
            self._said.extend(piece[:taken].tobytes())
            self._at += taken
            self._turn.ended_s = begins_s + taken / RATE_HZ
            if self._at >= len(pcm):
                self._turn.text = f"{self._turn.text} {text}".strip()
                self._queue.pop(0)
                self._at = 0
                if not self._queue:
                    self._turn = None

    def _cut(self) -> None:
        """Keeps of the turn what was said of it."""
        if self._queue and self._turn is not None:
            text, pcm = self._queue[0]
            words = text.split()
            said = words[: round(len(words) * self._at / max(1, len(pcm)))]
            self._turn.text = f"{self._turn.text} {' '.join(said)}".strip()
            self._turn.cut = True
        self._queue.clear()
        self._turn, self._at = None, 0


class Telephone:
    """All calls of the process; each about the same entry."""

    def __init__(self, entry: Entry, models: SpeechModels, sip_port: int) -> None:
        self._entry, self._models, self._port = entry, models, sip_port
        self._calls: list[Conversation] = []
        self._held: set[asyncio.Task[None]] = set()

    async def start(self, _: web.Application) -> None:
        self._runtime = Runtime()
        await self._runtime.start(
            baresip.Config(
                net_interface="127.0.0.1",
                extra_config_text=f"sip_listen 127.0.0.1:{self._port}\nausrc_srate {RATE_HZ}\n"
                f"auplay_srate {RATE_HZ}\nausrc_channels 1\nauplay_channels 1\n",
            )
        )
        account = baresip.Account("agent", f"127.0.0.1:{self._port}", "", reg_interval=0)
        self._agent = await UserAgent.create(self._runtime, account)
        self._agent.on_incoming(self._rung)

    def _rung(self, call: Any) -> None:
        self._hold(call, "in", call.answer())

    async def ring(self, request: web.Request) -> web.Response:
        to = (await request.json())["to"]
        self._hold(await self._agent.dial(to), "out", asyncio.sleep(0))
        return web.json_response({"rings": to})

    def _hold(self, call: Any, way: str, first: Any) -> None:
        kept = Conversation(call=call, agent=SopAgent(self._entry), models=self._models, way=way)
        self._calls.append(kept)

        async def hold() -> None:
            await first
            await kept.hold()

        task = asyncio.create_task(hold())
        self._held.add(task)
        task.add_done_callback(self._held.discard)

    async def calls(self, _: web.Request) -> web.Response:
        return web.json_response([one.told() for one in self._calls])

    async def sound(self, request: web.Request) -> web.Response:
        kept = self._calls[int(request.match_info["number"])]
        return web.Response(body=kept.sound(request.match_info["side"]))


async def _ready(_: web.Request) -> web.Response:
    return web.json_response({"status": "ready"})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--sip-port", type=int, required=True)
    parser.add_argument("--entry", required=True)
    parser.add_argument("--whisper", type=Path, required=True)
    parser.add_argument("--piper", type=Path, required=True)
    arguments = parser.parse_args()
    os.nice(5)
    models = load_speech_models(arguments.whisper, arguments.piper, cpu_threads=1)
    entry = load_entries([arguments.entry])[arguments.entry]
    telephone = Telephone(entry, models, arguments.sip_port)
    app = web.Application()
    app.on_startup.append(telephone.start)
    app.router.add_get("/status", _ready)
    app.router.add_post("/ring", telephone.ring)
    app.router.add_get("/calls", telephone.calls)
    app.router.add_get("/calls/{number:\\d+}/{side:heard|said}", telephone.sound)
    web.run_app(app, host="127.0.0.1", port=arguments.port, print=None)


if __name__ == "__main__":
    main()
