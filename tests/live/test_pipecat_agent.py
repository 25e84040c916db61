"""Calls the pipecat reference agent as any stranger would, with bare aiortc and httpx.

The agent greets, is interrupted with its own first words played back to it, understands them and goes on:
with its card, or with what a language model says. It hangs up after its goodbye, or when its process is told
to stop.
"""

from __future__ import annotations

import asyncio
import contextlib
import fractions
import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import aioice.ice
import httpx
import numpy as np
import pytest
from aiortc import MediaStreamTrack, RTCPeerConnection, RTCSessionDescription
from aiortc.mediastreams import MediaStreamError
from av import AudioFrame

from fixtures.agents.pipecat_agent.card import known_cards, render_prompt
from harness._files.shipped import agent_command
from harness.models.served_process import free_port

RATE_HZ = 48_000
FRAME = 960
CARD = "delivery_reschedule"
CLIENT_READY = {
    "label": "rtvi-ai",
    "type": "client-ready",
    "id": "1",
    "data": {"version": "2.2.0", "about": {"library": "test"}},
}

pytestmark = [pytest.mark.live, pytest.mark.alone]


Serve = Callable[..., tuple[str, subprocess.Popen[bytes]]]


@pytest.fixture
def serve(whisper_folder: Path, joe_folder: Path, tmp_path: Path) -> Iterator[Serve]:
    """Starts the agent, waits until it may be called, and gives its address and process."""
    started: list[subprocess.Popen[bytes]] = []
    output = tmp_path / "agent.log"

    def start(*options: str, **variables: str) -> tuple[str, subprocess.Popen[bytes]]:
        port = free_port()
        folders = ["--whisper", str(whisper_folder), "--piper", str(joe_folder)]
        command = agent_command("pipecat_agent", "--port", str(port), *folders)
        kept = {name: value for name, value in os.environ.items() if "AGENT_LLM" not in name}
        with output.open("wb") as log:
            process = subprocess.Popen(
                [*command, *options], stdout=log, stderr=subprocess.STDOUT, env={**kept, **variables}
            )
        started.append(process)
        address = f"http://127.0.0.1:{port}"
        _wait_for_status(address, process)
        return address, process

    yield start
    for process in started:
        process.kill()
        process.wait()
        print(output.read_text(errors="replace"))


def _wait_for_status(address: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"{address}/status", timeout=2).status_code == 200:
                return
        time.sleep(0.2)
    pytest.fail("the agent did not come up")


class Microphone(MediaStreamTrack):
    """Sends silence, or whatever is put into ``speech``, in real time."""

    kind = "audio"

    def __init__(self) -> None:
        super().__init__()
        self.speech = np.zeros(0, dtype=np.int16)
        self._frames = 0
        self._started = time.monotonic()

    async def recv(self) -> AudioFrame:
        await asyncio.sleep(max(0.0, self._started + self._frames * FRAME / RATE_HZ - time.monotonic()))
        samples = np.zeros(FRAME, dtype=np.int16)
        taken, self.speech = self.speech[:FRAME], self.speech[FRAME:]
        samples[: len(taken)] = taken
        frame = AudioFrame.from_ndarray(samples[None], layout="mono")
        frame.sample_rate, frame.pts = RATE_HZ, self._frames * FRAME
        frame.time_base = fractions.Fraction(1, RATE_HZ)
        self._frames += 1
        return frame


class Phone:
    """One call: what was heard, and which messages came."""

    def __init__(self) -> None:
        self.connection = RTCPeerConnection()
        self.microphone = Microphone()
        self.heard: list[np.ndarray] = []
        self.messages: list[dict[str, Any]] = []
        self._listening: asyncio.Task[None] | None = None
        self.connection.addTrack(self.microphone)
        channel = self.connection.createDataChannel("messages")
        channel.on("open", lambda: channel.send(json.dumps(CLIENT_READY)))
        channel.on("message", lambda text: self.messages.append(json.loads(text)))
        self.connection.on("track", self._listen)

    async def dial(self, offer: Callable[[dict[str, str]], Awaitable[httpx.Response]]) -> None:
        await self.connection.setLocalDescription(await self.connection.createOffer())
        description = self.connection.localDescription
        response = await offer({"sdp": description.sdp, "type": description.type})
        answer = response.raise_for_status().json()
        await self.connection.setRemoteDescription(RTCSessionDescription(answer["sdp"], answer["type"]))

    async def hang_up(self) -> None:
        await self.connection.close()
        if self._listening:
            await self._listening

    def texts(self, kind: str) -> list[str]:
        return [message["data"]["text"] for message in self.messages if message["type"] == kind]

    def count(self, kind: str) -> int:
        return sum(message["type"] == kind for message in self.messages)

    def speech(self) -> np.ndarray:
        """All that was heard, from the first voiced sample on."""
        everything = np.concatenate([np.zeros(0, np.int16), *self.heard])
        voiced = np.flatnonzero(np.abs(everything) > 600)
        return everything[voiced[0] :] if len(voiced) else everything[:0]

    async def until(self, condition: Callable[[], bool], what: str, timeout_s: float = 30.0) -> None:
        deadline = time.monotonic() + timeout_s
        while not condition():
            if time.monotonic() > deadline:
                kinds = sorted({str(message["type"]) for message in self.messages})
                pytest.fail(f"waited {timeout_s} s in vain: {what}; messages: {kinds}")
            await asyncio.sleep(0.02)

    def _listen(self, track: MediaStreamTrack) -> None:
        async def listen() -> None:
            with contextlib.suppress(MediaStreamError):
                while True:
                    frame = cast(AudioFrame, await track.recv())
                    channels = len(frame.layout.channels)
                    self.heard.append(frame.to_ndarray().reshape(-1, channels)[:, 0].copy())

        self._listening = asyncio.ensure_future(listen())


@pytest.fixture
async def phone(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Phone]:
    # aioice leaves 127.0.0.1 out, and a test machine may have no other address.
    monkeypatch.setattr(aioice.ice, "get_host_addresses", lambda use_ipv4, use_ipv6: ["127.0.0.1"])
    phone = Phone()
    yield phone
    await phone.hang_up()


async def test_a_call_with_a_card(serve: Serve, phone: Phone) -> None:
    address, process = serve("--max-sessions", "1")
    card = known_cards()[CARD]
    async with httpx.AsyncClient(base_url=address, timeout=10) as client:
        refused = await client.post("/start", json={"transport": "webrtc", "body": {"card": "nonsense"}})
        assert refused.status_code == 400
        assert CARD in refused.json()["detail"]
        start = await client.post("/start", json={"transport": "webrtc", "body": {"card": CARD}})
        session = start.raise_for_status().json()["sessionId"]
        await phone.dial(lambda offer: client.post(f"/sessions/{session}/api/offer", json=offer))

        await phone.until(lambda: phone.count("bot-ready") == 1, "bot-ready")
        await phone.until(lambda: phone.count("bot-started-speaking") == 1, "the greeting")
        assert phone.texts("bot-llm-text") == [card.opening]
        busy = await client.post("/api/offer", json={"sdp": "v=0", "type": "offer"})
        assert busy.status_code == 503

    await break_in_with_its_own_words(phone, 2.2)  # "Hi, am I speaking with Ms. Liu Fang?"
    await phone.until(lambda: phone.count("bot-stopped-speaking") == 1, "stops when interrupted", 2.0)
    await asyncio.sleep(0.4)  # what was under way: jitter buffer and the agent's own queue
    quiet_from = len(phone.heard)
    await asyncio.sleep(0.3)
    assert max(int(np.abs(frame).max()) for frame in phone.heard[quiet_from:]) < 300

    await phone.until(lambda: phone.count("user-transcription") == 1, "the agent's transcript of the caller")
    assert "speaking" in phone.texts("user-transcription")[0].lower()
    await phone.until(lambda: phone.count("bot-started-speaking") == 2, "the next step")
    step = card.steps[0].say
    assert phone.texts("bot-llm-text") == [card.opening, step]
    await phone.until(lambda: phone.texts("bot-output")[-1] in step, "the step is spoken")

    process.send_signal(signal.SIGTERM)  # in the middle of a sentence
    await phone.until(lambda: phone.count("signalling") == 1, "the agent hangs up")
    assert process.wait(30) == 0


@pytest.mark.long
async def test_a_call_with_a_language_model(serve: Serve, phone: Phone) -> None:
    with serving_a_language_model(["Saturday it", " is, thank", " you. Good", "bye."]) as model:
        address, _ = serve(OUTBOUNDEVAL_AGENT_LLM_BASE_URL=model.base_url)
        async with httpx.AsyncClient(base_url=address, timeout=10) as client:
            session_data = {"request_data": {"card": CARD}}
            await phone.dial(lambda offer: client.post("/api/offer", json={**offer, **session_data}))
        await phone.until(lambda: phone.count("bot-started-speaking") == 1, "the greeting")
        await break_in_with_its_own_words(phone, 2.2)
        await phone.until(lambda: phone.count("bot-started-speaking") == 2, "the model's reply")
        await phone.until(lambda: phone.count("signalling") == 1, "the agent hangs up after its goodbye")
    card = known_cards()[CARD]
    assert card.opening.startswith(phone.texts("bot-output")[0])
    assert phone.texts("bot-llm-text") == model.pieces
    assert phone.texts("bot-tts-text")[-1] == "Goodbye."
    (request,) = model.requests
    assert request["model"] == "tiny"
    system, *_, last = request["messages"]
    assert (system["role"], system["content"]) == ("system", render_prompt(card))
    assert last["role"] == "user"
    assert "speaking" in last["content"].lower()


async def break_in_with_its_own_words(phone: Phone, seconds: float) -> None:
    """Speaks over the agent with the first seconds of what it has said, which must be audible speech."""
    await phone.until(lambda: len(phone.speech()) > seconds * RATE_HZ, "audible speech")
    first_words = phone.speech()[: int(seconds * RATE_HZ)]
    assert np.sqrt(np.mean(np.square(first_words / 32768.0))) > 10 ** (-40 / 20)
    phone.microphone.speech = first_words


class LanguageModelServer(ThreadingHTTPServer):
    """Speaks OpenAI's chat completions; its one model always streams the same pieces."""

    def __init__(self, pieces: list[str]) -> None:
        super().__init__(("127.0.0.1", 0), _LanguageModelHandler)
        self.pieces = pieces
        self.requests: list[dict[str, Any]] = []
        self.base_url = f"http://127.0.0.1:{self.server_port}/v1"


class _LanguageModelHandler(BaseHTTPRequestHandler):
    server: LanguageModelServer

    def do_GET(self) -> None:
        self._send("application/json", json.dumps({"data": [{"id": "tiny"}]}))

    def do_POST(self) -> None:
        self.server.requests.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        about = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "tiny"}
        chunks = [
            {**about, "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]}
            for piece in self.server.pieces
        ]
        chunks.append({**about, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
        self._send("text/event-stream", "".join([*lines, "data: [DONE]\n\n"]))

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def _send(self, kind: str, text: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())


@contextlib.contextmanager
def serving_a_language_model(pieces: list[str]) -> Iterator[LanguageModelServer]:
    with LanguageModelServer(pieces) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
