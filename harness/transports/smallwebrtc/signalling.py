"""The HTTP side of dialling a SmallWebRTC agent: an SDP offer goes out, an SDP answer comes back.

Addresses: ``http(s)://host:port`` posts the offer to ``/api/offer``; where there is none, and where media
has to be relayed by a server that only the agent can name, a session is started at ``/start`` first. A path
in the address is taken as it is: one that ends in ``/start`` starts a session (as pipecat's cloud has it:
``https://api.pipecat.daily.co/v1/public/AGENT/start``), any other takes the offer. A session may come with
ICE servers, so the offer is made when they are known. Everything that comes back is untrusted and bounded.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn
from urllib.parse import urlsplit

import httpx

from harness._files.json_file import BadJson, parse_json
from harness.errors import SetupFailed
from harness.plans.on_the_wire import IceServer, OnTheWire
from harness.redaction import KNOWN
from harness.transports.smallwebrtc.ice_config import ice_servers_of
from harness.transports.tls import DISTRUSTED, distrusted, trusted
from spoken_language.outside_text import harmless, one_line

MAX_ANSWER_BYTES = 262_144
_LOGIN = "It wants to know who calls: --header 'Authorization: Bearer {env:NAME}', or headers in the plan."
_HINTS = {
    401: _LOGIN,
    403: _LOGIN,
    429: "It takes no more calls at this time: place fewer at once, or wait.",
}
"""What to do about a refusal, where its status tells."""
_NOWHERE = (404, 405)
"""There is no such way in."""

MakeOffer = Callable[[Sequence[IceServer]], Awaitable[str]]
"""Makes the SDP of an offer by the ICE servers that the agent names; of none, where it names none."""


async def exchange_sdp(to: OnTheWire, make_offer: MakeOffer, *, shown: str) -> str:
    """Posts an offer to the agent and returns the SDP of its answer, which nobody has looked at yet.

    Credentials and headers go to the address that was given and to no other: a redirection is a refusal.

    Args:
        make_offer: Is asked for the offer; a second time, where only then servers are known.
        shown: The address as messages have it.

    Raises:
        SetupFailed: Nothing answers, or what answers gives no SDP answer; the message says which.
    """
    # Posted to as it was written: a server that has it with a slash at its end redirects who comes without.
    given = urlsplit(to.url).path
    path = given if given.rstrip("/") else ""
    login = None if to.user is None else httpx.BasicAuth(to.user, to.password)
    # The dial deadline is kept by the caller; a timeout here would only produce a second message.
    async with httpx.AsyncClient(
        timeout=None,
        follow_redirects=False,
        auth=login,
        headers=dict(to.headers),
        verify=await trusted(to.reach.ca_file) if to.url.startswith("https:") else False,
    ) as client:
        agent = _Agent(client=client, url=to.url, shown=shown)
        if path.rstrip("/").endswith("/start"):
            return await _in_session(agent, path, await _started(agent, path, to), make_offer)
        if not path and to.reach.relay_only and not to.reach.ice_servers:
            # An offer has to name the relay, and only the agent can say which one that is.
            started = await _started(agent, "/start", to)
            if started.status not in _NOWHERE:
                return await _in_session(agent, "/start", started, make_offer)
        body: dict[str, Any] = {"sdp": await make_offer(()), "type": "offer"}
        if to.request_data:
            body["request_data"] = to.request_data
        response = await agent.post(path or "/api/offer", body)
        if not path and response.status in _NOWHERE:
            return await _in_session(agent, "/start", await _started(agent, "/start", to), make_offer)
        return _answer_of(agent, response)


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
            if why := distrusted(error):
                raise SetupFailed(f"{where}: its certificate is not trusted: {why}; {DISTRUSTED}") from error
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


async def _started(agent: _Agent, path: str, to: OnTheWire) -> _Response:
    """What ``/start`` says to a session with us."""
    asked: dict[str, Any] = {"transport": "webrtc", "createDailyRoom": False, "body": to.request_data}
    if to.reach.relay_only or not _is_here(agent.url):
        asked["enableDefaultIceServers"] = True
    return await agent.post(path, asked)


async def _in_session(agent: _Agent, path: str, started: _Response, make_offer: MakeOffer) -> str:
    """Offers to the session that ``/start`` began."""
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
    prefix = path.rstrip("/").removesuffix("/start")
    where = f"{prefix}/sessions/{session_id}/api/offer"
    offer = await make_offer(ice_servers_of(content))
    return _answer_of(agent, await agent.post(where, {"sdp": offer, "type": "offer"}, with_query=False))


def _is_here(url: str) -> bool:
    """Whether an agent is on this machine, where no server has to tell us our address."""
    host = urlsplit(url).hostname or ""
    return host == "localhost" or host.startswith("127.")


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
                for key in ("error", "detail", "info", "message")
                if key in content
            ),
            "",
        )
    raise SetupFailed(
        f"{agent.shown}: {response.where} answered {response.status} ({response.content_type}){said}. "
        + _HINTS.get(
            response.status,
            "Is this a SmallWebRTC agent? Give the address of its offer endpoint if it is not /api/offer.",
        )
    )
