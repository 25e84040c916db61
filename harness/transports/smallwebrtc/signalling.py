"""The HTTP side of dialling a SmallWebRTC agent: an SDP offer goes out, an SDP answer comes back.

Addresses: ``http(s)://host:port`` posts the offer to ``/api/offer``; where there is none, a session is
started at ``/start`` first. A path in the address is taken as it is: one that ends in ``/start`` starts a
session, any other takes the offer. Everything that comes back is untrusted and bounded.
"""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NoReturn
from urllib.parse import urlsplit

import httpx

from harness._files.json_file import BadJson, parse_json
from harness.errors import SetupFailed
from harness.plans.on_the_wire import OnTheWire
from harness.redaction import KNOWN
from spoken_language.outside_text import harmless, one_line

MAX_ANSWER_BYTES = 262_144


async def exchange_sdp(to: OnTheWire, offer: str, *, shown: str) -> str:
    """Posts the offer to the agent and returns the SDP of its answer, which nobody has looked at yet.

    Credentials and headers go to the address that was given and to no other: a redirection is a refusal.

    Args:
        shown: The address as messages have it.

    Raises:
        SetupFailed: Nothing answers, or what answers gives no SDP answer; the message says which.
    """
    path = urlsplit(to.url).path.rstrip("/")
    body: dict[str, Any] = {"sdp": offer, "type": "offer"}
    if to.request_data:
        body["request_data"] = to.request_data
    login = None if to.user is None else httpx.BasicAuth(to.user, to.password)
    # The dial deadline is kept by the caller; a timeout here would only produce a second message.
    async with httpx.AsyncClient(
        timeout=None,
        follow_redirects=False,
        auth=login,
        headers=dict(to.headers),
        verify=await asyncio.to_thread(_certificates) if to.url.startswith("https:") else False,
    ) as client:
        agent = _Agent(client=client, url=to.url, shown=shown)
        if path.endswith("/start"):
            answer = await _start_session(agent, path, offer, to.request_data)
        elif path:
            answer = _answer_of(agent, await agent.post(path, body))
        else:
            response = await agent.post("/api/offer", body)
            if response.status in (404, 405):
                answer = await _start_session(agent, "/start", offer, to.request_data)
            else:
                answer = _answer_of(agent, response)
    return answer


@cache
def _certificates() -> ssl.SSLContext:
    """Whom we trust. Made once, and off the event loop: to read the list takes 20 to 100 ms, in which a call
    that stands beside this one could not send. Over plain HTTP nothing of it is needed."""
    return httpx.create_ssl_context()


@dataclass(frozen=True, kw_only=True)
class _Response:
    """A bounded HTTP response; ``where`` is the address that it came from, as messages have it."""

    where: str
    status: int
    content_type: str
    body: bytes

    def json_object(self) -> dict[str, Any] | None:
        try:
            content = parse_json(self.body)
        except BadJson:
            return None
        return content if isinstance(content, dict) else None


@dataclass(frozen=True, kw_only=True)
class _Agent:
    """Where the requests go: to one server, whatever the path.

    Attributes:
        url: The address that is dialled. For the wire alone.
        shown: The same as messages have it.
    """

    client: httpx.AsyncClient = field(repr=False)
    url: str = field(repr=False)
    shown: str

    async def post(self, path: str, body: dict[str, Any], *, with_query: bool = True) -> _Response:
        """Posts JSON to a path of the agent's server.

        Raises:
            SetupFailed: Nothing answers there, or no end of it.
        """
        url, where = _at(self.url, path, with_query), _at(self.shown, path, with_query)
        try:
            async with self.client.stream("POST", url, json=body) as response:
                content = bytearray()
                async for block in response.aiter_bytes():
                    content += block
                    if len(content) > MAX_ANSWER_BYTES:
                        raise SetupFailed(
                            f"{where}: answered with more than {MAX_ANSWER_BYTES} bytes; not an SDP answer"
                        )
                return _Response(
                    where=where,
                    status=response.status_code,
                    content_type=_content_type(response),
                    body=bytes(content),
                )
        # What httpx says may quote the address.
        except httpx.ConnectError as error:
            raise SetupFailed(f"{where}: nothing answers there ({_said(error)})") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            cause = _said(error) or "the connection broke off"
            raise SetupFailed(f"{where}: {type(error).__name__}: {cause}") from error


def _said(error: Exception) -> str:
    return one_line(KNOWN.scrub(harmless(str(error))), most=200)


def _at(address: str, path: str, with_query: bool) -> str:
    """A path at the same server, with the query of the address."""
    scheme, _, rest = address.partition("://")
    before, mark, query = rest.partition("#")[0].partition("?")
    # Of what is shown, what stands before the host: a password that is named may have a slash in it.
    login, at, host = before.rpartition("@")
    return f"{scheme}://{login}{at}{host.partition('/')[0]}{path}{mark + query if with_query else ''}"


async def _start_session(agent: _Agent, path: str, offer: str, request_data: dict[str, Any]) -> str:
    started = await agent.post(path, {"transport": "webrtc", "body": request_data})
    content = started.json_object()
    if started.status >= 400 or content is None:
        _refuse(agent, started)
    session_id = content.get("sessionId")
    if (
        not isinstance(session_id, str)
        or not 0 < len(session_id) <= 200
        or not (session_id.isascii() and session_id.isprintable())
        or any(sign in session_id for sign in "/?#")
    ):
        raise SetupFailed(f"{agent.shown}: its /start answer names no usable sessionId")
    prefix = path.removesuffix("/start")
    where = f"{prefix}/sessions/{session_id}/api/offer"
    return _answer_of(agent, await agent.post(where, {"sdp": offer, "type": "offer"}, with_query=False))


def _content_type(response: httpx.Response) -> str:
    """What the server says it sends. A header may hold any byte but a line break."""
    named = response.headers.get("content-type", "no type given").partition(";")[0]
    return one_line(KNOWN.scrub(harmless(named)), most=80)


def _answer_of(agent: _Agent, response: _Response) -> str:
    content = response.json_object()
    if response.status >= 400 or content is None:
        _refuse(agent, response)
    sdp = content.get("sdp")
    if content.get("type") != "answer" or not isinstance(sdp, str):
        raise SetupFailed(f"{agent.shown}: {response.where} sent JSON, but no SDP answer in it")
    return sdp


def _refuse(agent: _Agent, response: _Response) -> NoReturn:
    said = ""
    content = response.json_object()
    if content is not None:
        said = next(
            (
                one_line(KNOWN.scrub(f": {content[key]}"), most=200)
                for key in ("error", "detail", "info")
                if key in content
            ),
            "",
        )
    raise SetupFailed(
        f"{agent.shown}: {response.where} answered {response.status} ({response.content_type}){said}. "
        "Is this a SmallWebRTC agent? Give the address of its offer endpoint if it is not /api/offer."
    )
