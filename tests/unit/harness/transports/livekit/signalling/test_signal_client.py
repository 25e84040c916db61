"""The signalling client, against servers of a few lines."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from livekit.protocol import models, rtc

from harness.errors import SetupFailed
from harness.transports.livekit.signalling import signal_client
from harness.transports.livekit.signalling.signal_client import SignalClient, SignalClosed, disconnect_reason
from harness.transports.tls import trusted
from tests.certificates import self_signed

TOKEN = "a.secret.token"
Said = Callable[[web.WebSocketResponse], Awaitable[None]]


def _response(**message: Any) -> bytes:
    return rtc.SignalResponse(**message).SerializeToString()


JOIN = _response(join=rtc.JoinResponse(room=models.Room(name="blue"), ping_interval=5))


@contextlib.asynccontextmanager
async def _server(
    says: Said | None = None,
    *,
    refuses: tuple[int, str] = (401, ""),
    kind: str = "text/plain",
    tls: ssl.SSLContext | None = None,
) -> AsyncIterator[str]:
    """A server that lets in and says something, or that refuses and says why at ``/rtc/validate``."""
    seen: dict[str, Any] = {}

    async def signal(request: web.Request) -> web.StreamResponse:
        seen["query"] = dict(request.query)
        assert request.headers["Authorization"] == f"Bearer {TOKEN}"
        if says is None:
            return web.Response(status=refuses[0])
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await says(socket)
        return socket

    async def validate(request: web.Request) -> web.Response:
        return web.Response(status=refuses[0], text=refuses[1], content_type=kind)

    app = web.Application()
    app.router.add_get("/rtc", signal)
    app.router.add_get("/rtc/validate", validate)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls)
    await site.start()
    assert site._server is not None
    port = site._server.sockets[0].getsockname()[1]  # type: ignore[attr-defined]
    try:
        yield f"{'ws' if tls is None else 'wss'}://127.0.0.1:{port}"
        assert TOKEN not in str(seen), "a token in a query is logged by servers"
    finally:
        await runner.cleanup()


async def _connected(client: SignalClient, url: str) -> Any:
    return await client.connect(url, TOKEN, {"X-Tenant": "a"}, tls=None, shown="AGENT")


async def test_it_joins_and_hands_on_what_the_server_says() -> None:
    async def says(socket: web.WebSocketResponse) -> None:
        await socket.send_bytes(b"\xff\xff")
        await socket.send_bytes(JOIN)
        await socket.send_str("text")
        await socket.send_bytes(_response(pong_resp=rtc.Pong(last_ping_timestamp=1)))
        await socket.send_bytes(_response(leave=rtc.LeaveRequest()))
        await socket.close(code=4001)

    client, got = SignalClient(), []
    async with _server(says) as url:
        join = await _connected(client, url)
        with pytest.raises(SignalClosed, match=r"closed \(code 4001\)"):
            await client.run(got.append)
        await client.send(ping_req={"timestamp": 1})
        await client.close()
    assert join.room.name == "blue"
    assert [message.WhichOneof("message") for message in got] == ["leave"]
    assert client.unreadable == 2
    assert client.rtt_ms is None, "nobody asked for that pong"


async def test_how_long_a_ping_took_is_told_by_our_own_clock() -> None:
    async def says(socket: web.WebSocketResponse) -> None:
        await socket.send_bytes(JOIN)
        await socket.receive()
        await socket.send_bytes(_response(pong_resp=rtc.Pong(last_ping_timestamp=1)))
        await socket.close(code=4001)

    client = SignalClient()
    async with _server(says) as url:
        await _connected(client, url)
        await client.send(ping_req={"timestamp": 1})
        with pytest.raises(SignalClosed):
            await client.run(lambda _: None)
        await client.close()
    assert client.rtt_ms is not None
    assert 0 < client.rtt_ms < 5_000


@pytest.mark.parametrize(
    ("status", "said", "says"),
    [
        (401, f"invalid token: {TOKEN}, error: token is expired", "the token has expired (HTTP 401)"),
        (401, "signature is invalid", "is the API secret the server's? (HTTP 401)"),
        (401, "invalid API key: K", "does not know the API key"),
        (404, "could not find object", "there is no such room"),
        (429, f"limit exceeded {TOKEN}", "a limit of the server is reached"),
        (401, f"\x1b[2J{TOKEN}\nsomething new", "the server does not accept the token (HTTP 401)"),
        (502, "<html>", "perhaps no LiveKit server (HTTP 502)"),
    ],
)
async def test_a_refusal_is_told_in_words_of_ours(status: int, said: str, says: str) -> None:
    client = SignalClient()
    async with _server(refuses=(status, said)) as url:
        with pytest.raises(SetupFailed) as refused:  # noqa: PT011 - its text is compared below
            await _connected(client, url)
        await client.close()
    assert str(refused.value).startswith("AGENT: ")
    assert says in str(refused.value)
    assert TOKEN not in str(refused.value)
    assert "\x1b" not in str(refused.value)


@pytest.mark.parametrize(
    ("kind", "status", "said", "says"),
    [
        ("text/html", 404, "<p>Unlimited hosting. invalid token</p>", "no such room, or no LiveKit server"),
        ("text/plain", 404, "no limits here", "no such room, or no LiveKit server"),
        ("text/plain", 503, "unlimited", "takes nobody at present"),
        ("text/plain", 503, "rate limit reached", "a limit of the server is reached (HTTP 503)"),
        ("text/plain", 500, "node has exceeded its configured limit", "a limit of the server is reached"),
        ("application/json", 401, '{"error": "invalid API key: K"}', "does not know the API key"),
        ("text/plain", 401, "x" * 20_000 + "invalid API key", "does not accept the token"),
        ("text/plain", 401, "invalid API key" + "x" * 20_000, "does not accept the token"),
    ],
)
async def test_only_what_a_livekit_server_says_is_looked_into(
    kind: str, status: int, said: str, says: str
) -> None:
    client = SignalClient()
    async with _server(refuses=(status, said), kind=kind) as url:
        with pytest.raises(SetupFailed) as refused:  # noqa: PT011 - its text is compared below
            await _connected(client, url)
        await client.close()
    assert says in str(refused.value)


async def test_a_server_whose_certificate_nobody_signed_is_shown_no_token(tmp_path: Path) -> None:
    joined: list[int] = []

    async def says(socket: web.WebSocketResponse) -> None:
        joined.append(1)
        await socket.send_bytes(JOIN)

    async with _server(says, tls=self_signed(tmp_path)) as url:
        client = SignalClient()
        with pytest.raises(
            SetupFailed, match=r"AGENT: .*not trusted: self-signed .*--ca-file FILE"
        ) as failed:
            await client.connect(url, TOKEN, {}, tls=await trusted(None), shown="AGENT")
        await client.close()
        assert TOKEN not in str(failed.value)
        assert joined == []
        # Once it is named it is trusted.
        client = SignalClient()
        tls = await trusted(tmp_path / "server.pem")
        join = await client.connect(url, TOKEN, {}, tls=tls, shown="AGENT")
        assert join.room.name == "blue"
        await client.close()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_nothing_of_ours_goes_where_a_server_sends_us_on_to(status: int) -> None:
    """Also not the plan's own headers, which aiohttp takes along to any host."""
    asked: list[str] = []

    async def elsewhere(request: web.Request) -> web.Response:
        asked.append(request.headers.get("X-Tenant", ""))
        return web.Response(status=404)

    async def sends_on(request: web.Request) -> web.Response:
        return web.Response(status=status, headers={"Location": f"{other}/rtc?token=of-somebody"})

    runners, urls = [], []
    for handler in (elsewhere, sends_on):
        app = web.Application()
        app.router.add_get("/{path:.*}", handler)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        runners.append(runner)
        urls.append(f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}")  # type: ignore[union-attr]
    other, first = urls
    client = SignalClient()
    with pytest.raises(SetupFailed, match=rf"AGENT: the server sends us on to {other}/rtc \(HTTP {status}\)"):
        await _connected(client, first.replace("http", "ws"))
    await client.close()
    for runner in runners:
        await runner.cleanup()
    assert asked == []


async def test_who_is_sent_away_at_once_is_told_why() -> None:
    async def says(socket: web.WebSocketResponse) -> None:
        leave = rtc.LeaveRequest(reason=models.DisconnectReason.JOIN_FAILURE)
        await socket.send_bytes(_response(leave=leave))

    client = SignalClient()
    async with _server(says) as url:
        with pytest.raises(SetupFailed, match="sent us away at once: it could not join"):
            await _connected(client, url)
        await client.close()


async def test_a_server_that_hangs_up_lets_nobody_in() -> None:
    async def says(socket: web.WebSocketResponse) -> None:
        await socket.close(code=1011)

    client = SignalClient()
    async with _server(says) as url:
        with pytest.raises(SetupFailed, match=r"let nobody in: .*code 1011"):
            await _connected(client, url)
        await client.close()


async def test_a_flood_closes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal_client, "MAX_MESSAGES_PER_S", 20)

    async def says(socket: web.WebSocketResponse) -> None:
        await socket.send_bytes(JOIN)
        for _ in range(200):
            await socket.send_bytes(_response(pong=1))
        await asyncio.sleep(1)

    client = SignalClient()
    async with _server(says) as url:
        await _connected(client, url)
        with pytest.raises(SignalClosed, match="more than 20 messages a second"):
            await client.run(lambda message: None)
        await client.close()


async def test_nobody_there_is_said() -> None:
    client = SignalClient()
    with pytest.raises(SetupFailed, match="AGENT: nothing answers there"):
        await _connected(client, "ws://127.0.0.1:9")
    await client.close()


def test_reasons_that_nobody_knows_yet_are_numbers() -> None:
    assert disconnect_reason(2) == "somebody joined with the same identity"
    assert disconnect_reason(999) == "reason 999"
