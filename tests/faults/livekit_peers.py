"""LiveKit servers that misbehave, and an agent that does: ``python -m tests.faults.livekit_peers --port N``.

The server does what the room is called for. With ``--livekit URL`` an agent ``spoilt`` is a worker of that
real server: it is the calibration agent, and says things over its data channel that no parser expects."""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from aiohttp import web
from livekit.protocol import models, rtc

from fixtures.agents.calibration.behaviour import parse_behaviour
from fixtures.agents.calibration.livekit_worker import LiveKitWorker
from fixtures.agents.calibration.session import CalibrationSession
from fixtures.agents.loopback import use_loopback
from tests.faults.placing import WELL_BEHAVED

LIFE_S = 20.0


async def _mute(socket: web.WebSocketResponse) -> None:
    await asyncio.sleep(LIFE_S)


async def _garbage(socket: web.WebSocketResponse) -> None:
    for garbage in (b"\xff\xff\xff", b"", b"\x0a\xff\xff\xff\x0f", b"\x00" * 1000):
        await socket.send_bytes(garbage)
    await socket.send_str("hello?")
    await socket.close(code=4000)


async def _huge(socket: web.WebSocketResponse) -> None:
    await socket.send_bytes(b"\0" * 2_000_000)
    await asyncio.sleep(LIFE_S)


async def _sent_away(socket: web.WebSocketResponse) -> None:
    leave = rtc.LeaveRequest(reason=models.DisconnectReason.JOIN_FAILURE)
    await socket.send_bytes(rtc.SignalResponse(leave=leave).SerializeToString())
    await asyncio.sleep(LIFE_S)


async def _junk_sdp(socket: web.WebSocketResponse) -> None:
    """Lets in, and offers and answers with what is no SDP."""
    await socket.send_bytes(
        rtc.SignalResponse(
            join=rtc.JoinResponse(room=models.Room(name="x\x1b[2J\ny"), participant=models.ParticipantInfo())
        ).SerializeToString()
    )
    offer = rtc.SessionDescription(type="offer", sdp="v=0\r\nm=audio x\r\n")
    answer = rtc.SessionDescription(type="answer", sdp="\ud83d nonsense".encode("utf-8", "replace").decode())
    trickle = rtc.TrickleRequest(candidateInit="{[", target=rtc.SignalTarget.PUBLISHER)
    for message in (
        rtc.SignalResponse(trickle=trickle),
        rtc.SignalResponse(offer=offer),
        rtc.SignalResponse(track_published=rtc.TrackPublishedResponse()),
        rtc.SignalResponse(answer=answer),
    ):
        await socket.send_bytes(message.SerializeToString())
    await asyncio.sleep(LIFE_S)


ROOMS: dict[str, Callable[[web.WebSocketResponse], Awaitable[None]]] = {
    "mute": _mute,
    "garbage": _garbage,
    "huge": _huge,
    "sent-away": _sent_away,
    "junk-sdp": _junk_sdp,
}
LIMITED = "limited"
"""A room that takes nobody any more."""


async def _signal(request: web.Request) -> web.StreamResponse:
    room = _room_of(request)
    if room == LIMITED:
        return web.Response(status=429, text="limit exceeded\x1b[2J " + request.headers["Authorization"])
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    await ROOMS[room](socket)
    return socket


def _room_of(request: web.Request) -> str:
    claims = request.headers["Authorization"].split(".")[1]
    content = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
    return str(content["video"]["room"])


async def _status(_: web.Request) -> web.Response:
    return web.Response()


JUNK = (
    b"\xff\xff\xff",
    models.DataPacket(
        stream_header=models.DataStream.Header(
            stream_id="1",
            topic="lk.transcription",
            attributes={"lk.transcription_final": "true", "\x1b[2J": "\n"},
        )
    ).SerializeToString(),
    models.DataPacket(
        stream_chunk=models.DataStream.Chunk(stream_id="1", chunk_index=7, content=b"\xff\xfe\x1b[2J\nabc")
    ).SerializeToString(),
    models.DataPacket(stream_trailer=models.DataStream.Trailer(stream_id="1")).SerializeToString(),
    models.DataPacket(
        stream_header=models.DataStream.Header(
            stream_id="2", topic="lk.agent.session", inline_content=b"\xff" * 99
        )
    ).SerializeToString(),
    models.DataPacket(stream_trailer=models.DataStream.Trailer(stream_id="2")).SerializeToString(),
    models.DataPacket(user=models.UserPacket(payload=b"x" * 10_000)).SerializeToString(),
)


async def _talk_junk(session: CalibrationSession) -> None:
    """From the moment on at which its channel stands, until the call is over."""
    while True:
        await asyncio.sleep(0.3)
        channel = None if session.room is None else session.room.messages
        if channel is not None and channel.readyState == "open":
            for junk in JUNK:
                channel.send(junk)


def _spoilt(url: str) -> Callable[[web.Application], AsyncIterator[None]]:
    async def join(data: dict[str, Any], url: str, token: str) -> None:
        session = CalibrationSession(parse_behaviour(WELL_BEHAVED))
        talking = asyncio.create_task(_talk_junk(session))
        try:
            await session.join(url, token)
        finally:
            talking.cancel()
            await session.close()

    async def beside(_: web.Application) -> AsyncIterator[None]:
        key, secret = os.environ["LIVEKIT_API_KEY"], os.environ["LIVEKIT_API_SECRET"]
        worker = LiveKitWorker(url, key=key, secret=secret, agent="spoilt", join=join)
        running = asyncio.create_task(worker.run())
        await asyncio.wait_for(worker.registered.wait(), 20)
        yield
        running.cancel()

    return beside


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--livekit", default=None)
    arguments = parser.parse_args()
    use_loopback()
    app = web.Application()
    app.router.add_get("/rtc", _signal)
    app.router.add_get("/status", _status)
    if arguments.livekit is not None:
        app.cleanup_ctx.append(_spoilt(arguments.livekit))
    web.run_app(app, host="127.0.0.1", port=arguments.port, print=None)


if __name__ == "__main__":
    main()
