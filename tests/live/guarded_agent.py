"""An agent behind a door, that tells everybody what they showed at it.

``python -m tests.live.guarded_agent --port PORT``. It speaks tones, and takes an offer

* at ``/header`` with the header ``Authorization: Bearer $CANARY_HEADER``,
* at ``/basic`` with the password ``$CANARY_PASSWORD`` and ``?token=$CANARY_QUERY``,
* at ``/never`` not at all.

Whoever it refuses is told, in the error, everything that they sent; whoever it takes is told so over the data
channel, as agents do that log too much. ``GET /seen`` has what was shown at the door, for the test.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import aioice.ice
from aiohttp import BasicAuth, web

from tests.faults.faulty_peers import Packet, Peer, rtvi

PROCESS_S = 3600.0
_seen: list[str] = []


def _well(_: int, packet: Packet) -> Any:
    yield packet


def _door(request: web.Request) -> bool:
    if request.path == "/header":
        return request.headers.get("Authorization") == f"Bearer {os.environ['CANARY_HEADER']}"
    if request.path == "/basic":
        shown = BasicAuth.decode(request.headers.get("Authorization", "Basic Og=="))
        return (shown.password, request.query.get("token")) == (
            os.environ["CANARY_PASSWORD"],
            os.environ["CANARY_QUERY"],
        )
    return False


async def offer(request: web.Request) -> web.Response:
    body = await request.json()
    sent = body.pop("sdp")
    shown = " ".join([*request.headers.values(), str(request.url), json.dumps(body)])
    _seen.append(shown)
    echo = f"{shown} {quote(shown, safe='')} {base64.b64encode(shown.encode()).decode()}"
    if not _door(request):
        return web.json_response({"error": f"who are you? {echo}"}, status=401)
    peer = Peer(spoil=_well, on_channel=_telling(echo, request.path), tricks_after=5)
    return web.json_response({"sdp": await peer.answer(sent), "type": "answer"})


def _telling(echo: str, door: str) -> Callable[[Any], Any]:
    async def tell(channel: Any) -> None:
        for start in range(0, len(echo), 3000):
            part = echo[start : start + 3600]
            channel.send(rtvi("bot-output", json.dumps({"text": part})))
            channel.send(rtvi("user-transcription", json.dumps({"text": part, "final": True})))
        channel.send(rtvi("error", json.dumps({"error": echo[:400]})))
        shown = os.environ["CANARY_HEADER" if door == "/header" else "CANARY_PASSWORD"]
        about = {"library": shown, "library_version": "1"}
        channel.send(rtvi("bot-ready", json.dumps({"about": about})))

    return tell


async def seen(_: web.Request) -> web.Response:
    return web.json_response(_seen)


async def status(_: web.Request) -> web.Response:
    return web.json_response({"status": "ready"})


async def serve(port: int) -> None:
    aioice.ice.get_host_addresses = lambda use_ipv4, use_ipv6: ["127.0.0.1"]
    app = web.Application()
    for path in ("/header", "/basic", "/never"):
        app.router.add_post(path, offer)
    app.router.add_get("/seen", seen)
    app.router.add_get("/status", status)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    await asyncio.sleep(PROCESS_S)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    asyncio.run(serve(parser.parse_args().port))
