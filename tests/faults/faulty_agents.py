"""Agents that do something wrong, each its own way, at ``http://127.0.0.1:PORT/KIND``.

``python -m tests.faults.faulty_agents --port PORT`` serves them all in one process, apart from the harness
that calls them and without a line of it. ``KIND/v1`` is the base of OpenAI's dialect. Whatever they do is
bounded in count and in time, and the process ends by itself.

* Here: what goes wrong before there is an SDP answer. The bare address has nothing at all (404).
* ``broken_answers``: SDP answers that cannot be used, or lead nowhere.
* ``faulty_peers``: calls that stand, and then go wrong in the media or on the data channel.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import gzip
from collections.abc import Awaitable, Callable

import aioice.ice
from aiohttp import web

from tests.faults.broken_answers import ANSWERS
from tests.faults.faulty_peers import PEERS, SENT, speech

PROCESS_S = 3600.0
"""The process ends by itself after this long."""
WAIT_S = 30.0
"""What never comes has not come after this long; then the request is let go."""

OPENAI = "/v1/realtime/calls"
"""The same in OpenAI's dialect: a bare offer, a bare answer."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


async def web_page(_: web.Request) -> web.Response:
    return web.Response(text="<html><body>It works!</body></html>", content_type="text/html")


async def server_error(_: web.Request) -> web.Response:
    return web.Response(status=500, text="oops")


async def refusal_with_tricks(_: web.Request) -> web.Response:
    """A refusal whose reason would clear the reader's screen, colour it, and cannot be written as UTF-8."""
    return web.Response(
        status=503,
        text='{"error": "full \\u001b[2J\\u001b[31mred\\u0007 \\ud800 [bold]markup[/bold]\\nsecond line"}',
        content_type="application/json",
    )


async def redirect(_: web.Request) -> web.Response:
    return web.Response(status=302, headers={"location": "/web-page"})


async def json_without_sdp(_: web.Request) -> web.Response:
    return web.json_response({"status": "ready"})


async def deep_json(_: web.Request) -> web.Response:
    return web.Response(text='{"sdp":' * 20_000, content_type="application/json")


async def body_of_10_mb(_: web.Request) -> web.Response:
    return web.Response(body=b"x" * 10_000_000, content_type="application/json")


async def zip_bomb(_: web.Request) -> web.Response:
    packed = gzip.compress(b"0" * 50_000_000)
    return web.Response(body=packed, headers={"content-encoding": "gzip"}, content_type="application/json")


async def not_http(request: web.Request) -> web.Response:
    """What an SSH server or the like would say."""
    assert request.transport is not None
    # Closed with some of the request unread, the socket would be reset, and what was written might be lost.
    await request.read()
    request.transport.write(b"SSH-2.0-OpenSSH_9.2\r\n\x00\xff\xfe\r\n")
    request.transport.close()
    return web.Response()


async def never_answers(_: web.Request) -> web.Response:
    await asyncio.sleep(WAIT_S)
    return web.Response(status=504)


async def answers_by_the_byte(request: web.Request) -> web.StreamResponse:
    """Never quite silent, so that no timeout between two reads would notice."""
    response = web.StreamResponse(headers={"content-type": "application/json"})
    await response.prepare(request)
    for _ in range(round(WAIT_S / 0.1)):
        await response.write(b" ")
        await asyncio.sleep(0.1)
    return response


async def hangs_up_on_http(request: web.Request) -> web.Response:
    assert request.transport is not None
    request.transport.close()
    return web.Response()


REPLIES: dict[str, Handler] = {
    "web-page": web_page,
    "server-error": server_error,
    "refusal-with-tricks": refusal_with_tricks,
    "redirect": redirect,
    "json-without-sdp": json_without_sdp,
    "deep-json": deep_json,
    "body-of-10-mb": body_of_10_mb,
    "zip-bomb": zip_bomb,
    "not-http": not_http,
    "never-answers": never_answers,
    "answers-by-the-byte": answers_by_the_byte,
    "hangs-up-on-http": hangs_up_on_http,
}
"""What comes back instead of an SDP answer, by the path at which it does."""


def build_app() -> web.Application:
    app = web.Application(client_max_size=1_000_000)
    for kind, reply in REPLIES.items():
        app.router.add_post(f"/{kind}", reply)
        app.router.add_post(f"/{kind}{OPENAI}", reply)
    for kind, make_answer in (ANSWERS | PEERS).items():
        app.router.add_post(f"/{kind}", _answering(make_answer))
        app.router.add_post(f"/{kind}{OPENAI}", _answering_openai(make_answer))
    app.router.add_get("/status", _status)
    app.router.add_get("/sent/{kind}", _sent)
    return app


async def _sent(request: web.Request) -> web.Response:
    """What a peer did in its latest call, for the test."""
    return web.json_response(dataclasses.asdict(SENT[request.match_info["kind"]]))


def _answering(make_answer: Callable[[str], Awaitable[str]]) -> Handler:
    async def handle(request: web.Request) -> web.Response:
        offer = (await request.json())["sdp"]
        return web.json_response({"sdp": await make_answer(offer), "type": "answer"})

    return handle


def _answering_openai(make_answer: Callable[[str], Awaitable[str]]) -> Handler:
    async def handle(request: web.Request) -> web.Response:
        if request.content_type != "application/sdp":
            return web.Response(status=415, text="Content-Type must be application/sdp")
        body = (await make_answer(await request.text())).encode("utf-8", "replace")
        return web.Response(status=201, body=body, content_type="application/sdp")

    return handle


async def _status(_: web.Request) -> web.Response:
    return web.json_response({"status": "ready"})


async def serve(port: int) -> None:
    # Encoded before anybody calls: it would make the first peer late.
    speech()
    aioice.ice.get_host_addresses = lambda use_ipv4, use_ipv6: ["127.0.0.1"]
    runner = web.AppRunner(build_app())
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    await asyncio.sleep(PROCESS_S)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    asyncio.run(serve(parser.parse_args().port))
