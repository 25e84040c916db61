"""What an agent tells us: over its channel, in its answer, in its refusal."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
from aiohttp import web
from livekit.protocol import models

from harness.errors import SetupFailed
from harness.transports.livekit.told.roster import Roster
from harness.transports.livekit.told.witness import FINAL, TRANSCRIPTION, Witness
from harness.transports.offers.exchange import exchange
from harness.transports.offers.fastrtc_messages import FastRTCMessages
from harness.transports.offers.inbox import Dialect, Inbox
from harness.transports.offers.known import FASTRTC, OPENAI
from harness.transports.offers.openai_events import OpenAIEvents
from harness.transports.offers.profile import Offer, Profile
from harness.transports.offers.server import Server
from harness.transports.smallwebrtc.rtvi import RtviInbox
from harness.transports.smallwebrtc.signalling import exchange_sdp
from harness.transports.webrtc.answer import check_answer
from harness.transports.webrtc.codec_choice import OFFERABLE
from harness.transports.webrtc.peer_connection import told
from tests.contract.strangers.ways_in import refused, texts, way


def _rtvi(kind: str, **data: Any) -> list[str]:
    inbox = RtviInbox()
    event = inbox.read(json.dumps({"label": "rtvi-ai", "type": kind, "data": data}), t=1.0)
    assert event is not None
    return [*texts(event.data), inbox.agent_name]


@way("what the agent says of its words")
def _words(text: str, folder: Path) -> list[str]:
    return _rtvi("bot-output", text=text, aggregated_by=text, timestamp=text, spoken=True)


@way("what the agent says of the caller's words")
def _transcription(text: str, folder: Path) -> list[str]:
    return _rtvi("user-transcription", text=text, final=True)


@way("the agent's name")
def _name(text: str, folder: Path) -> list[str]:
    return _rtvi("bot-ready", version=text, about={"library": text, "library_version": text})


@way("the agent's error")
def _error(text: str, folder: Path) -> list[str]:
    return _rtvi("error", error=text, fatal=True)


@way("what a LiveKit agent says and hears")
def _livekit_words(text: str, folder: Path) -> list[str]:
    plain = text.encode("utf-8", "replace").decode()
    said: list[str] = []
    for sender in ("me", "bot"):
        witness = Witness("me")
        for value in (
            {"stream_header": {"stream_id": "1", "topic": TRANSCRIPTION, "attributes": {plain: plain}}},
            {"stream_chunk": {"stream_id": "1", "content": plain.encode()}},
            {"stream_trailer": {"stream_id": "1", "attributes": {FINAL: "true"}}},
        ):
            packet = models.DataPacket(participant_identity=sender, **value)
            said += [
                one
                for event in witness.read(packet.SerializeToString(), t=1.0)
                for one in (event.kind, *texts(event.data))
            ]
        said += [one for event in witness.state(plain, t=2.0) for one in texts(event.data)]
    return said


@way("who is in a LiveKit room")
def _livekit_room(text: str, folder: Path) -> list[str]:
    plain = text.encode("utf-8", "replace").decode()
    roster = Roster(own_identity="me", dispatched=False)
    track = models.TrackInfo(sid=plain, type=models.TrackType.AUDIO, mime_type=plain)
    kind = models.ParticipantInfo.Kind.AGENT
    here = models.ParticipantInfo(sid="PA_1", identity=plain, name=plain, kind=kind, tracks=[track])
    told = roster.update([here])
    assert roster.agent is not None
    assert roster.voice is not None
    return [*texts([data for _, data in told]), *roster.others, roster.agent.shown, *texts(roster.voice.told)]


@way("an answer that is no SDP")
def _answer(text: str, folder: Path) -> list[str]:
    said = [asyncio.run(_dialled({"detail": text}, status=status)) for status in (400, 200)]
    return [*said, asyncio.run(_dialled({"type": "answer", "sdp": text}, status=200))]


@way("a header of an answer")
def _header(text: str, folder: Path) -> list[str]:
    # What HTTP itself lets through: C1 and DEL in Latin-1.
    header = "".join(char for char in text if char not in "\r\n\0" and ord(char) < 256)
    return [asyncio.run(_dialled("no", status=500, header=header))]


async def _dialled(content: Any, *, status: int, header: str = "") -> str:
    async def handler(request: web.Request) -> web.StreamResponse:
        body = json.dumps(content).encode()
        if not header:
            return web.Response(body=body, status=status, content_type="application/json")
        # aiohttp refuses such headers, so the answer is written by hand.
        assert request.transport is not None
        head = f"HTTP/1.1 {status} X\r\nContent-Type: {header}\r\nContent-Length: {len(body)}\r\n\r\n"
        request.transport.write(head.encode("latin-1") + body)
        return web.Response()

    app = web.Application()
    app.router.add_post("/{any:.*}", handler)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    assert site._server is not None
    port = site._server.sockets[0].getsockname()[1]  # type: ignore[attr-defined]
    try:
        with refused(SetupFailed) as said:
            await _exchange(f"http://127.0.0.1:{port}")
        return said[0]
    finally:
        await runner.cleanup()


async def _offer(servers: object) -> str:
    return "v=0\r\n"


async def _exchange(address: str) -> None:
    from harness.plans.on_the_wire import on_the_wire
    from harness.plans.secrets import kept_address

    answer = await exchange_sdp(on_the_wire(address, {}, {}), _offer, shown=kept_address(address))
    check_answer(address, answer, offered=OFFERABLE)


# ---- an agent that takes an offer over HTTP


def _over_channel(dialect: Dialect, *messages: dict[str, Any]) -> list[str]:
    inbox = Inbox(dialect=dialect)
    events = [event for message in messages for event in inbox.read(json.dumps(message), t=1.0)]
    events += inbox.close(t=2.0)
    assert events
    return [*(one for event in events for one in texts(event.data)), dialect.agent_name, dialect.over]


@way("oai-events of an agent")
def _openai(text: str, folder: Path) -> list[str]:
    said = {"type": "response.output_audio_transcript.done", "response_id": text, "transcript": text}
    done = {"id": text, "status": text, "status_details": {"reason": text}}
    return _over_channel(
        OpenAIEvents(),
        {"type": "session.created", "session": {"model": text}},
        {"type": "conversation.item.input_audio_transcription.completed", "transcript": text},
        said,
        {"type": "response.done", "response": done},
        {"type": "response.function_call_arguments.done", "name": text},
        {"type": "session.output_transcript.delta", "delta": text},
        {"type": "error", "error": {"message": text, "code": text}},
        {"type": "session.closed", "reason": text},
    )


@way("messages of a FastRTC agent")
def _fastrtc(text: str, folder: Path) -> list[str]:
    return _over_channel(
        FastRTCMessages(), {"type": "error", "message": text}, {"type": "end_stream", "data": text}
    )


@way("a refusal of an offer")
def _offer_refused(text: str, folder: Path) -> list[str]:
    failed = {"status": "failed", "meta": {"error": text, "limit": 1}}
    error = {"error": {"message": text, "code": text}}
    said = [asyncio.run(_offered(FASTRTC, httpx.Response(200, json=_sendable(failed))))]
    said += [
        asyncio.run(_offered(OPENAI, httpx.Response(status, json=_sendable(error)))) for status in (401, 500)
    ]
    plain = text.encode("utf-8", "replace")
    typed = {"content-type": "text/plain"}
    return [*said, asyncio.run(_offered(OPENAI, httpx.Response(415, content=plain, headers=typed)))]


def _sendable(content: Any) -> Any:
    return json.loads(json.dumps(content).replace("\\ud800", ""))


async def _offered(profile: Profile, response: httpx.Response) -> str:
    client = httpx.AsyncClient(transport=httpx.MockTransport(lambda request: response))
    server = Server(client=client, base="http://agent", query={}, shown="openai+http://agent")
    offer = Offer(sdp="v=0", call_id="1")
    with refused(SetupFailed) as said:
        await exchange(server, profile, offer, given_path="/x/realtime/calls")
    return said[0]


@way("what a library quotes of the agent")
def _library(text: str, folder: Path) -> list[str]:
    return [told(ValueError(text)), told(httpx.RemoteProtocolError(text))]
