"""A light agent that knows its caller's lines by their sound alone: for whole suites of probes.

``python -m bench.suites.knowing_agent --port PORT --repertoire FOLDER --log FILE``. ``POST /api/offer`` takes
calls as pipecat's SmallWebRTC agents do. For each line that it hears it writes down what the repertoire says
(:mod:`.repertoire`), tells that as pipecat's agents do, and answers :data:`ANSWERS_AFTER_S` after the line's
end. Of what it is told at dialling it takes the sentences to be read aloud, and nothing else.

The log has a JSON object a line: each line that it heard, when (monotonic seconds), and what it did.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from aiohttp import web

from bench.parts.served import serve_on
from bench.suites.known_lines import CALL_RATE, Heard, KnownLines, Pcm
from bench.suites.repertoire import Line, Repertoire
from fixtures.agents.calibration.behaviour import Behaviour, Speech
from fixtures.agents.calibration.session import CalibrationSession
from fixtures.agents.loopback import use_loopback
from harness.plans.probes.read_aloud import TOLD_AS

ANSWERS_AFTER_S, WRITES_AFTER_S = 0.9, 0.3
PIECE_S, EVERY_S = 0.4, 0.2
SURE, LIKELY = 0.6, 0.35
"""A piece that fits so well is that line; two in a row that fit less well are, where they lie in it as they
follow each other."""
SAME_PLACE_S = 0.01
REMEMBERS_S = 5.0
"""Lines that begin alike ("Please read number ...") are told apart by all of them, when they are over."""
OVER_S = 0.06
NOISY_BELOW = 0.85
"""A line in quiet fits itself better than this through Opus; at 10 dB and less it does not."""
FAINT = 3e-4
GREETING = Behaviour(greeting_after_ms=400, greeting=Speech(clips=("greeting",)), quiet_ms=450)


class KnowingSession(CalibrationSession):
    """One call.

    Args:
        told: What came with the call.
        note: Keeps an entry of the log.
    """

    def __init__(
        self,
        repertoire: Repertoire,
        known: KnownLines,
        told: dict[str, Any],
        note: Callable[[dict[str, Any]], None],
    ) -> None:
        super().__init__(GREETING)
        self._repertoire, self._known_lines, self._keep_note = repertoire, known, note
        self._to_read = {int(one["number"]): str(one["text"]) for one in told.get(TOLD_AS, [])}
        self._blocks: deque[Pcm] = deque()
        self._recent: deque[tuple[float, Pcm]] = deque()
        self._held = self._new = 0
        self._deaf_until_s = 0.0
        self._before: tuple[str, float] | None = None
        self._finding: asyncio.Task[None] | None = None
        self._channel: Any = None
        self._ear.on_sound = self._hear
        self.on_channel(self._take_channel)

    def _take_channel(self, channel: Any) -> None:
        self._channel = channel

    def _hear(self, heard: Pcm, start_s: float) -> None:
        self._recent.append((start_s, heard))
        while start_s - self._recent[0][0] > REMEMBERS_S:
            self._recent.popleft()
        self._blocks.append(heard)
        self._held += len(heard)
        self._new += len(heard)
        while self._held - len(self._blocks[0]) >= PIECE_S * CALL_RATE:
            self._held -= len(self._blocks.popleft())
        end_s = start_s + len(heard) / CALL_RATE
        if self._new < EVERY_S * CALL_RATE or self._held < PIECE_S * CALL_RATE or end_s < self._deaf_until_s:
            return
        if self.mouth.speaking is not None or (self._finding is not None and not self._finding.done()):
            return
        self._new = 0
        piece = np.concatenate(self._blocks)
        if float(np.sqrt(np.mean(np.square(piece)))) >= FAINT:
            self._finding = asyncio.ensure_future(self._find(piece, end_s - len(piece) / CALL_RATE))

    async def _find(self, piece: Pcm, start_s: float) -> None:
        # Beside the loop, which has a mouth to keep in time.
        heard = await asyncio.to_thread(self._known_lines.find, piece)
        if heard is None or heard.fits < LIKELY:
            self._before = None
            return
        first_s = start_s - heard.begins_s
        before, self._before = self._before, (heard.name, first_s)
        again = before is not None and before[0] == heard.name and abs(before[1] - first_s) < SAME_PLACE_S
        if heard.fits >= SURE or again:
            self._before = None
            last_s = first_s + heard.lasts_s
            # What it answers and what it is silent about alike: until then it has nothing else to hear.
            self._deaf_until_s = last_s + OVER_S
            if self._repertoire.lines[heard.name].reads:
                await asyncio.sleep(max(0.0, last_s + OVER_S - time.monotonic()))
                heard, first_s = await self._all_of(heard, first_s)
            self._do(self._repertoire.lines[heard.name], heard, first_s)

    async def _all_of(self, heard: Heard, first_s: float) -> tuple[Heard, float]:
        """The line by all of its sound, and when it began."""
        kept = [one for one in self._recent if one[0] >= first_s]
        if not kept:
            return heard, first_s
        again = await asyncio.to_thread(self._known_lines.find, np.concatenate([pcm for _, pcm in kept]))
        if again is None or again.fits < LIKELY:
            return heard, first_s
        return again, kept[0][0] - again.begins_s

    def _do(self, line: Line, heard: Heard, first_s: float) -> None:
        last_s = first_s + heard.lasts_s
        noisy = heard.fits < NOISY_BELOW
        wrote = line.wrote_in_noise if noisy and line.wrote_in_noise else line.wrote
        reply, tells = line.reply, line.tells
        if line.reads:
            tells = self._to_read.get(line.reads, "")
            reply = self._repertoire.readings.get(tells, "")
        self._keep_note(
            {
                "line": heard.name,
                "fits": round(heard.fits, 3),
                "first_s": first_s,
                "last_s": last_s,
                "wrote": wrote,
                "told": tells,
                "reply": reply,
            }
        )
        now_s = time.monotonic()
        if wrote:
            self._after(last_s + WRITES_AFTER_S - now_s, lambda: self._tell("user-transcription", wrote))
        if not reply:
            return
        sound = self._repertoire.sound(reply)
        self.mouth.say(sound, at=last_s + ANSWERS_AFTER_S, cause=f"line {heard.name}")
        if tells:
            spoken_s = last_s + ANSWERS_AFTER_S + len(sound) / CALL_RATE
            self._after(spoken_s - now_s, lambda: self._tell("bot-output", tells))

    def _tell(self, what: str, text: str) -> None:
        if self._channel is None or self._channel.readyState != "open":
            return
        mine: dict[str, Any] = {"spoken": True, "aggregated_by": "sentence"}
        if what == "user-transcription":
            mine = {"final": True, "user_id": "caller", "timestamp": "1970-01-01T00:00:00.000+00:00"}
        self._channel.send(json.dumps({"label": "rtvi-ai", "type": what, "data": {"text": text, **mine}}))


class Agent:
    """All calls of this process."""

    def __init__(self, repertoire: Repertoire, log: Path) -> None:
        self._repertoire = repertoire
        self._known = KnownLines(
            {name: repertoire.sound(one.sound) for name, one in repertoire.lines.items()}
        )
        self._log = log
        self._sessions: list[KnowingSession] = []

    async def offer(self, request: web.Request) -> web.Response:
        body = await request.json()
        session = KnowingSession(self._repertoire, self._known, body.get("request_data") or {}, self._note)
        answer = await session.answer(body["sdp"])
        self._sessions = [one for one in self._sessions if not one.over.is_set()] + [session]
        return web.json_response({"sdp": answer, "type": "answer"})

    async def status(self, _: web.Request) -> web.Response:
        return web.json_response({"status": "ready"})

    def _note(self, entry: dict[str, Any]) -> None:
        with self._log.open("a", encoding="utf-8") as log:
            log.write(json.dumps(entry, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--repertoire", type=Path, required=True)
    parser.add_argument("--log", type=Path, required=True)
    arguments = parser.parse_args()
    use_loopback()
    agent = Agent(Repertoire.read(arguments.repertoire), arguments.log)
    app = web.Application(client_max_size=1_000_000)
    app.router.add_post("/api/offer", agent.offer)
    app.router.add_get("/status", agent.status)
    asyncio.run(serve_on(arguments.port, app))


if __name__ == "__main__":
    main()
