"""SDP over HTTP, against servers on loopback: pipecat's conventions, and everything else that may answer."""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiohttp import web

from harness.errors import SetupFailed
from harness.plans.on_the_wire import IceServer, on_the_wire
from harness.plans.reach.plan import ReachPlan
from harness.plans.secrets import kept_address
from harness.transports.smallwebrtc.signalling import MAX_ANSWER_BYTES, exchange_sdp
from tests.certificates import self_signed

OFFER = "v=0\r\no=- the offer\r\n"
ANSWER = (
    "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\nm=audio 9 UDP/TLS/RTP/SAVPF 96\r\n"
    "a=rtpmap:96 opus/48000/2\r\na=fingerprint:sha-256 AA:BB\r\n"
)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@contextlib.asynccontextmanager
async def _server(routes: dict[str, Handler]) -> AsyncIterator[str]:
    app = web.Application()
    for path, handler in routes.items():
        app.router.add_post(path, handler)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    assert site._server is not None
    port = site._server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        await runner.cleanup()


def _says(content: Any, *, status: int = 200, seen: list[Any] | None = None) -> Handler:
    async def handler(request: web.Request) -> web.StreamResponse:
        if seen is not None:
            seen.append((request.path_qs, await request.json()))
        if isinstance(content, bytes):
            return web.Response(body=content, status=status, content_type="text/html")
        return web.json_response(content, status=status)

    return handler


async def _exchange(agent: str, request_data: dict[str, Any], **headers: str) -> str:
    return await exchange_sdp(on_the_wire(agent, headers, request_data), _offer, shown=kept_address(agent))


async def _offer(servers: Sequence[IceServer]) -> str:
    return OFFER


async def test_the_offer_goes_to_api_offer_with_what_the_agent_is_to_know() -> None:
    seen: list[Any] = []
    answer = {"sdp": ANSWER, "type": "answer", "pc_id": "1"}
    async with _server({"/api/offer": _says(answer, seen=seen)}) as base:
        assert await _exchange(base, {"card": "x"}) == ANSWER
        assert await _exchange(base + "/", {}) == ANSWER
        assert await _exchange(base + "/api/offer?token=t", {}) == ANSWER
    assert seen == [
        ("/api/offer", {"sdp": OFFER, "type": "offer", "request_data": {"card": "x"}}),
        ("/api/offer", {"sdp": OFFER, "type": "offer"}),
        ("/api/offer?token=t", {"sdp": OFFER, "type": "offer"}),
    ]


@pytest.mark.parametrize("path", ["", "/start"])
async def test_a_session_is_started_where_that_is_the_way(path: str) -> None:
    started: list[Any] = []
    offered: list[Any] = []
    routes = {
        "/start": _says({"sessionId": "abc-1"}, seen=started),
        "/sessions/abc-1/api/offer": _says({"sdp": ANSWER, "type": "answer"}, seen=offered),
    }
    async with _server(routes) as base:
        assert await _exchange(base + path, {"card": "x"}) == ANSWER
    asked = {"transport": "webrtc", "createDailyRoom": False, "body": {"card": "x"}}
    assert started == [("/start", asked)]
    assert offered == [("/sessions/abc-1/api/offer", {"sdp": OFFER, "type": "offer"})]


async def test_a_slash_at_the_end_of_a_path_stays() -> None:
    """A server has one or the other, and redirects who comes with the wrong one: that is a refusal."""
    seen: list[Any] = []
    answer = {"sdp": ANSWER, "type": "answer"}
    routes = {
        "/offer/": _says(answer, seen=seen),
        "/v1/start/": _says({"sessionId": "s1"}, seen=seen),
        "/v1/sessions/s1/api/offer": _says(answer, seen=seen),
    }
    async with _server(routes) as base:
        assert await _exchange(base + "/offer/", {}) == ANSWER
        assert await _exchange(base + "/v1/start/", {}) == ANSWER
    assert [path for path, _ in seen] == ["/offer/", "/v1/start/", "/v1/sessions/s1/api/offer"]


async def test_the_offer_is_made_when_the_servers_of_a_session_are_known() -> None:
    named = [{"urls": ["turn:t.example"], "username": "of-the-session", "credential": "canary-session"}]
    routes = {
        "/start": _says({"sessionId": "s", "iceConfig": {"iceServers": named}}),
        "/sessions/s/api/offer": _says({"sdp": ANSWER, "type": "answer"}),
    }
    made: list[list[str]] = []

    async def offer(servers: Sequence[IceServer]) -> str:
        made.append([one.url.shown for one in servers])
        return OFFER

    async with _server(routes) as base:
        for address in (base, base + "/start"):
            assert await exchange_sdp(on_the_wire(address), offer, shown=address) == ANSWER
    # The first address was tried with an offer at once.
    assert made == [[], ["turn:t.example:3478?transport=udp"], ["turn:t.example:3478?transport=udp"]]


async def _exchange_relayed(agent: str, made: list[list[str]]) -> str:
    async def offer(servers: Sequence[IceServer]) -> str:
        made.append([one.url.shown for one in servers])
        return OFFER

    to = on_the_wire(agent, {}, {"card": "x"}, ReachPlan(relay_only=True))
    return await exchange_sdp(to, offer, shown=agent)


async def test_where_media_has_to_be_relayed_the_agent_is_asked_first_by_whom() -> None:
    """An offer without a relay could be made at once, and would be in vain."""
    named = [{"urls": ["turn:t.example"], "username": "of-the-session", "credential": "canary-session"}]
    started: list[Any] = []
    offered: list[Any] = []
    routes = {
        "/api/offer": _says({"sdp": "not this one", "type": "answer"}, seen=offered),
        "/start": _says({"sessionId": "s", "iceConfig": {"iceServers": named}}, seen=started),
        "/sessions/s/api/offer": _says({"sdp": ANSWER, "type": "answer"}),
    }
    made: list[list[str]] = []
    async with _server(routes) as base:
        assert await _exchange_relayed(base, made) == ANSWER
    assert started[0][1]["enableDefaultIceServers"] is True
    assert len(made) == 1
    assert made[0][0].startswith("turn:t.example")
    assert offered == []


async def test_an_agent_without_sessions_is_offered_to_all_the_same() -> None:
    made: list[list[str]] = []
    async with _server({"/api/offer": _says({"sdp": ANSWER, "type": "answer"})}) as base:
        assert await _exchange_relayed(base, made) == ANSWER
    assert made == [[]]


async def test_a_start_below_a_prefix_keeps_the_prefix() -> None:
    routes = {
        "/bots/7/start": _says({"sessionId": "s"}),
        "/bots/7/sessions/s/api/offer": _says({"sdp": ANSWER, "type": "answer"}),
    }
    async with _server(routes) as base:
        assert await _exchange(base + "/bots/7/start", {}) == ANSWER


@pytest.mark.parametrize(
    ("content", "status", "message"),
    [
        (b"<html>welcome</html>", 200, r"answered 200 \(text/html\).*Is this a SmallWebRTC agent"),
        (b"", 204, "answered 204"),
        ({"error": "no token"}, 401, "answered 401.*no token.*--header"),
        ({"error": "limit of 2 sessions"}, 429, "answered 429.*limit of 2 sessions.*no more calls"),
        ({"error": "no such card"}, 400, "answered 400.*no such card"),
        ({"detail": [{"msg": "field required"}]}, 422, "answered 422.*field required"),
        ({"error": "x" * 5000}, 500, "answered 500"),
        ({"sdp": ANSWER, "type": "offer"}, 200, "no SDP answer in it"),
        ({"sdp": 5, "type": "answer"}, 200, "no SDP answer in it"),
        ([1, 2], 200, "answered 200"),
        (b"[" * 50_000, 200, "answered 200"),
        (b"x" * (MAX_ANSWER_BYTES + 1), 200, "more than 262144 bytes"),
    ],
)
async def test_what_is_no_usable_answer_is_told_in_words(content: Any, status: int, message: str) -> None:
    async with _server({"/api/offer": _says(content, status=status)}) as base:
        with pytest.raises(SetupFailed, match=f"(?s){message}") as failed:
            await _exchange(base, {})
    assert base in str(failed.value)
    assert len(str(failed.value)) < 600


@pytest.mark.parametrize("session", [None, 5, "", "a/b", "x" * 201, "..\x00", "\ud800"])
async def test_a_session_id_that_cannot_be_one_is_refused(session: Any) -> None:
    content = json.dumps({"sessionId": session}).encode()

    async def start(_: web.Request) -> web.StreamResponse:
        return web.Response(body=content, content_type="application/json")

    async with _server({"/start": start}) as base:
        with pytest.raises(SetupFailed, match="names no usable sessionId"):
            await _exchange(base + "/start", {})


async def test_a_reason_that_no_file_can_hold_is_made_writable() -> None:
    async def refuse(_: web.Request) -> web.StreamResponse:
        return web.Response(body=b'{"error": "a\\ud800b"}', status=500, content_type="application/json")

    async with _server({"/api/offer": refuse}) as base:
        with pytest.raises(SetupFailed, match=r"a\?b") as failed:
            await _exchange(base, {})
    str(failed.value).encode()


async def test_an_answer_without_end_is_cut_off() -> None:
    async def flood(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            while True:
                await response.write(b"v=0 " * 4096)
        return response

    async with _server({"/api/offer": flood}) as base:
        with pytest.raises(SetupFailed, match="not an SDP answer"):
            await _exchange(base, {})


async def test_nobody_there_is_said_so(unused_tcp_port: int) -> None:
    with pytest.raises(SetupFailed, match="nothing answers there"):
        await _exchange(f"http://127.0.0.1:{unused_tcp_port}", {})


async def test_a_server_that_speaks_no_http_is_said_so() -> None:
    async def garbage(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH_9.2\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(garbage, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(SetupFailed, match=f"127.0.0.1:{port}"):
            await _exchange(f"http://127.0.0.1:{port}", {})


async def test_no_redirect_is_followed() -> None:
    hit: list[Any] = []

    async def elsewhere(_: web.Request) -> web.StreamResponse:
        raise web.HTTPTemporaryRedirect("/other")

    async with _server({"/api/offer": elsewhere, "/other": _says({}, seen=hit)}) as base:
        with pytest.raises(SetupFailed, match="answered 307"):
            await _exchange(base, {})
    assert hit == []


def _demands(wanted: dict[str, str], *, seen: list[web.Request]) -> Handler:
    """Takes an offer with these headers, and repeats what came with any other."""

    async def handle(request: web.Request) -> web.StreamResponse:
        seen.append(request)
        if all(request.headers.get(name) == value for name, value in wanted.items()):
            return web.json_response({"sdp": ANSWER, "type": "answer"})
        return web.json_response({"error": f"not you: {dict(request.headers)} {request.url}"}, status=401)

    return handle


async def test_headers_reach_every_request_of_a_call() -> None:
    seen: list[web.Request] = []
    wanted = {"Authorization": "Bearer canary-header", "X-Tenant": "canary-tenant"}

    async def start(request: web.Request) -> web.StreamResponse:
        seen.append(request)
        return web.json_response({"sessionId": "s1"})

    routes = {"/start": start, "/sessions/s1/api/offer": _demands(wanted, seen=seen)}
    async with _server(routes) as base:
        assert await _exchange(base, {}, **wanted) == ANSWER
    assert [request.headers["Authorization"] for request in seen] == ["Bearer canary-header"] * 2


async def test_credentials_of_an_address_are_basic_authentication() -> None:
    wanted = {"Authorization": "Basic Ym9iOmNhbmFyeSBwdw=="}
    async with _server({"/x": _demands(wanted, seen=[])}) as base:
        assert await _exchange(base.replace("//", "//bob:canary%20pw@") + "/x", {}) == ANSWER


async def test_what_a_refusal_repeats_is_told_without_secrets() -> None:
    async with _server({"/x": _demands({"Authorization": "no"}, seen=[])}) as base:
        with pytest.raises(SetupFailed, match=r"http://bob:\*\*\*@.*/x\?token=\*\*\* answered 401") as failed:
            await _exchange(base.replace("//", "//bob:canary%20pw@") + "/x?token=canary-token", {})
        with pytest.raises(SetupFailed, match="answered 401") as headed:
            await _exchange(base + "/x", {}, Authorization="Bearer canary-header")
    for text in (str(failed.value), str(headed.value)):
        assert "canary" not in text
        assert "Ym9iOmNhbmFyeSBwdw" not in text


async def test_no_other_server_is_shown_a_header() -> None:
    hit: list[Any] = []
    async with _server({"/steal": _says({"sdp": ANSWER, "type": "answer"}, seen=hit)}) as other:
        for status in (301, 302, 303, 307, 308):

            async def elsewhere(_: web.Request, status: int = status) -> web.StreamResponse:
                return web.Response(status=status, headers={"location": f"{other}/steal"})

            async with _server({"/api/offer": elsewhere, "/start": elsewhere}) as base:
                for address in (base, f"{base}/start"):
                    with pytest.raises(SetupFailed, match=f"answered {status}"):
                        await _exchange(address, {}, Authorization="Bearer canary-header")
    assert hit == []


async def test_over_plain_http_nobody_reads_a_list_of_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes 20 to 100 ms of the event loop, in which a call beside this one could not send."""

    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("certificates were read")

    monkeypatch.setattr(httpx, "create_ssl_context", never)
    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", never)
    async with _server({"/api/offer": _says({"sdp": ANSWER, "type": "answer"})}) as base:
        assert await _exchange(base, {}) == ANSWER


async def test_a_server_whose_certificate_nobody_signed_is_shown_no_header(tmp_path: Path) -> None:
    seen: list[Any] = []
    app = web.Application()
    app.router.add_post("/api/offer", _says({"sdp": ANSWER, "type": "answer"}, seen=seen))
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=self_signed(tmp_path))
    await site.start()
    assert site._server is not None
    port = site._server.sockets[0].getsockname()[1]
    try:
        address = f"https://127.0.0.1:{port}"
        with pytest.raises(SetupFailed, match=r"certificate is not trusted: self-signed .*--ca-file FILE"):
            await _exchange(address, {}, Authorization="Bearer canary-header")
        assert seen == []
        # Once it is named it is trusted.
        to = on_the_wire(address, reach=ReachPlan(ca_file=tmp_path / "server.pem"))
        assert await exchange_sdp(to, _offer, shown=address) == ANSWER
    finally:
        await runner.cleanup()
