"""An offer and what comes back, against answers of every kind; no network: requests end in a function."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from aiohttp import web

from harness.errors import SetupFailed
from harness.plans.on_the_wire import on_the_wire
from harness.plans.reach.plan import ReachPlan
from harness.redaction import KNOWN
from harness.transports.offers.exchange import Answered, exchange, give_inputs, hang_up
from harness.transports.offers.known import FASTRTC, GPT_LIVE, OPENAI, PLAIN_SDP
from harness.transports.offers.profile import InputHook, Offer, Profile
from harness.transports.offers.server import MAX_ANSWER_BYTES, Server, open_server
from harness.transports.tls import trusted
from tests.certificates import self_signed

SDP = "v=0\r\nthe answer"
OFFER = Offer(sdp="v=0\r\nthe offer", call_id="abc", model="m")
Handler = Callable[[httpx.Request], httpx.Response]


class Asked:
    """A server, and what it was asked."""

    def __init__(self, answer: Handler) -> None:
        self.requests: list[httpx.Request] = []
        self._answer = answer

    def server(self, base: str = "https://agent:8443", query: dict[str, str] | None = None) -> Server:
        client = httpx.AsyncClient(
            transport=httpx.MockTransport(self._handle), headers={"Authorization": "Bearer secret"}
        )
        return Server(
            client=client, base=base, query=query or {}, shown="openai+https://agent:8443/v1?key=***"
        )

    def _handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return self._answer(request)


def _exchanged(profile: Profile, answer: Handler, *, path: str = "", **query: str) -> tuple[Answered, Asked]:
    asked = Asked(answer)
    return asyncio.run(exchange(asked.server(query=query), profile, OFFER, given_path=path)), asked


def _refused(profile: Profile, answer: Handler, *, path: str = "") -> str:
    with pytest.raises(SetupFailed, match=r".") as refusal:
        _exchanged(profile, answer, path=path)
    return str(refusal.value)


def _sdp(request: httpx.Request, location: str = "/v1/realtime/calls/rtc_1") -> httpx.Response:
    return httpx.Response(201, text=SDP, headers={"location": location, "content-type": "application/sdp"})


def test_an_answer_in_the_body_with_its_place() -> None:
    answered, asked = _exchanged(OPENAI, _sdp, path="/v1", region="eu")
    assert answered == Answered(sdp=SDP, call_place="/v1/realtime/calls/rtc_1")
    (request,) = asked.requests
    assert str(request.url) == "https://agent:8443/v1/realtime/calls?region=eu"
    assert request.headers["content-type"].startswith("multipart/form-data")
    assert request.headers["authorization"] == "Bearer secret"


def test_a_server_that_takes_the_bare_offer_alone() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.headers["content-type"] != "application/sdp":
            return httpx.Response(415, text="Content-Type must be application/sdp")
        return _sdp(request)

    answered, asked = _exchanged(OPENAI, answer, path="/v1")
    assert answered.sdp == SDP
    assert asked.requests[-1].url.params["model"] == "m"
    assert asked.requests[-1].content == OFFER.sdp.encode()


async def test_a_server_whose_certificate_nobody_signed_is_shown_no_key(tmp_path: Path) -> None:
    seen: list[str] = []

    async def calls(request: web.Request) -> web.Response:
        seen.append(request.headers["Authorization"])
        return web.Response(status=201, text=SDP, content_type="application/sdp")

    app = web.Application()
    app.router.add_post("/v1/realtime/calls", calls)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=self_signed(tmp_path))
    await site.start()
    address = f"https://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/v1"  # type: ignore[union-attr]
    try:
        for ca_file in (None, tmp_path / "server.pem"):
            to = on_the_wire(
                address, {"Authorization": "Bearer canary-key"}, reach=ReachPlan(ca_file=ca_file)
            )
            server = open_server(to, shown=f"openai+{address}", verify=await trusted(to.reach.ca_file))
            async with server.client:
                if ca_file is not None:
                    assert (await exchange(server, OPENAI, OFFER, given_path="/v1")).sdp == SDP
                    continue
                with pytest.raises(SetupFailed, match=r"not trusted: self-signed .*--ca-file FILE") as failed:
                    await exchange(server, OPENAI, OFFER, given_path="/v1")
                assert "canary" not in str(failed.value)
                assert seen == []
    finally:
        await runner.cleanup()
    assert seen == ["Bearer canary-key"]


def test_an_answer_deep_in_json() -> None:
    answered, _ = _exchanged(
        GPT_LIVE, lambda request: httpx.Response(201, json={"transport": {"type": "webrtc", "sdp": SDP}})
    )
    assert answered.sdp == SDP
    said = _refused(GPT_LIVE, lambda request: httpx.Response(201, json={"transport": {}}))
    assert "no SDP answer at 'transport.sdp'" in said


@pytest.mark.parametrize(
    ("location", "place"),
    [
        ("rtc_1", "/v1/realtime/rtc_1"),
        ("https://agent:8443/v1/realtime/calls/rtc_1", "/v1/realtime/calls/rtc_1"),
        ("https://other.example/v1/realtime/calls/rtc_1", ""),
        # How it writes its own address: the host in capitals, and without the TLS that a proxy speaks for it.
        ("https://AGENT:8443/v1/calls/1", "/v1/calls/1"),
        ("http://agent:8443/v1/calls/1", "/v1/calls/1"),
        ("http://agent/v1/calls/1", "/v1/calls/1"),
        ("http://agent:9000/v1/calls/1", ""),
        ("https://agent/v1/calls/1", ""),
        ("https://agent:x/v1/calls/1", ""),
        ("?action=delete&session=a%2Fb", "/v1/realtime/calls?action=delete&session=a%2Fb"),
        ("//other.example/x", ""),
        ("https://agent:8443@other.example/x", ""),
        ("http://[", ""),
        ("", ""),
    ],
)
def test_a_call_is_hung_up_at_the_server_that_took_it_and_at_no_other(location: str, place: str) -> None:
    answered, asked = _exchanged(OPENAI, lambda request: _sdp(request, location), path="/v1")
    assert answered.call_place == place
    asyncio.run(hang_up(asked.server(), OPENAI, answered.call_place))
    assert {(one.url.scheme, one.url.host, one.url.port) for one in asked.requests} == {
        ("https", "agent", 8443)
    }
    assert len(asked.requests) == (2 if place else 1)


def test_hanging_up_tries_what_servers_know() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(405 if request.method == "POST" else 200)

    asked = Asked(answer)
    asyncio.run(hang_up(asked.server(), OPENAI, "/v1/realtime/calls/rtc_1"))
    assert [(one.method, one.url.path) for one in asked.requests] == [
        ("POST", "/v1/realtime/calls/rtc_1/hangup"),
        ("DELETE", "/v1/realtime/calls/rtc_1"),
    ]
    deleted = Asked(answer)
    asyncio.run(hang_up(deleted.server(), PLAIN_SDP, "/whip/7"))
    assert [one.method for one in deleted.requests] == ["DELETE"]


@pytest.mark.parametrize(
    ("base", "location"),
    [
        ("https://agent", "https://agent:443/whip/7"),
        ("https://agent:443", "https://agent/whip/7"),
        ("http://agent", "http://agent:80/whip/7"),
        ("https://Agent", "https://agent/whip/7"),
    ],
)
def test_a_port_that_goes_without_saying_is_the_same(base: str, location: str) -> None:
    assert Asked(_sdp).server(base).place_at(location, asked="/whip") == "/whip/7"
    assert Asked(_sdp).server(base).place_at(location.replace("agent", "other"), asked="/whip") is None


def test_a_session_that_stands_in_the_query_is_ended() -> None:
    place = "/whip/?action=delete&session=a%2Fb"
    answered, asked = _exchanged(PLAIN_SDP, lambda request: _sdp(request, place), path="/whip", key="k")
    asyncio.run(hang_up(asked.server(query={"key": "k"}), PLAIN_SDP, answered.call_place))
    ended = asked.requests[-1]
    assert (ended.method, str(ended.url)) == ("DELETE", f"https://agent:8443{place}")
    called = Asked(lambda request: httpx.Response(200))
    asyncio.run(hang_up(called.server(), OPENAI, "/calls/1?region=eu"))
    assert str(called.requests[0].url) == "https://agent:8443/calls/1/hangup?region=eu"


@pytest.mark.parametrize("status", [401, 403])
def test_wrong_credentials_are_told_with_what_to_do(status: int) -> None:
    error = {"error": {"code": "invalid_api_key", "message": "Incorrect API key provided."}}
    said = _refused(OPENAI, lambda request: httpx.Response(status, json=error), path="/v1")
    assert said.startswith("openai+https://agent:8443/v1?key=***: ")
    assert f"answered {status} (application/json): invalid_api_key: Incorrect API key provided." in said
    assert "{env:NAME}" in said
    assert "secret" not in said


@pytest.mark.parametrize("before", ["\u200b" * 1330, "x" * 190])
def test_of_a_long_text_no_half_of_a_secret_is_told(before: str) -> None:
    """The former is 3990 bytes of what is not seen, and goes."""
    KNOWN.learn("canary-key-of-the-plan")
    page = before + "canary-key-of-the-plan"
    said = _refused(PLAIN_SDP, lambda request: httpx.Response(500, text=page), path="/whip")
    assert "answered 500" in said
    assert "canary" not in said


def test_a_refusal_that_comes_as_a_success() -> None:
    failed = {"status": "failed", "meta": {"error": "concurrency_limit_reached", "limit": 1}}
    said = _refused(FASTRTC, lambda request: httpx.Response(200, json=failed))
    assert "refused the call: concurrency_limit_reached (limit 1)" in said


@pytest.mark.parametrize(
    ("response", "told"),
    [
        (httpx.Response(302, headers={"location": "https://other.example/"}), "answered 302"),
        (httpx.Response(500, text="oops"), "answered 500 (text/plain): oops"),
        (httpx.Response(404, html="<html>"), "Is the address the API's base"),
        (httpx.Response(200, content=b"x" * (MAX_ANSWER_BYTES + 1)), f"more than {MAX_ANSWER_BYTES} bytes"),
    ],
)
def test_what_is_no_answer_is_told(response: httpx.Response, told: str) -> None:
    assert told in _refused(OPENAI, lambda request: response, path="/v1")


@pytest.mark.parametrize("status", [307, 404, 405])
def test_a_gradio_page_is_dialled_by_its_component(status: int) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        match request.url.path:
            case "/demo/config":
                page = {"api_prefix": "/gradio_api", "components": [{"id": 9, "type": "webrtc"}]}
                return httpx.Response(200, json=page)
            case "/demo/gradio_api/component_server":
                return httpx.Response(200, json={"sdp": SDP, "type": "answer"})
            case _:
                return httpx.Response(status, headers={"location": "/demo/"})

    answered, asked = _exchanged(FASTRTC, answer, path="/demo/")
    assert answered.sdp == SDP
    body = json.loads(asked.requests[-1].content)
    assert body["component_id"] == 9
    assert body["data"] == {"sdp": OFFER.sdp, "type": "offer", "webrtc_id": "abc"}


def test_inputs_are_given_and_what_goes_wrong_is_told() -> None:
    profile = replace(FASTRTC, on_input=InputHook(path="/in", body={"webrtc_id": "{id}", "n": 1}))
    asked = Asked(lambda request: httpx.Response(200))
    assert asyncio.run(give_inputs(asked.server(), profile, OFFER)) == ""
    assert json.loads(asked.requests[0].content) == {"webrtc_id": "abc", "n": 1}
    wrong = Asked(lambda request: httpx.Response(404))
    assert "answered 404" in asyncio.run(give_inputs(wrong.server(), profile, OFFER))
