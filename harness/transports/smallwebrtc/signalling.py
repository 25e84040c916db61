"""The HTTP side of dialling a SmallWebRTC agent: an SDP offer goes out, an SDP answer comes back.

Addresses: ``http(s)://host:port`` posts the offer to ``/api/offer``; where there is none, a session is
started at ``/start`` first. A path in the address is taken as it is: one that ends in ``/start`` starts a
session, any other takes the offer. Everything that comes back is untrusted and bounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import urlsplit, urlunsplit

import httpx

from harness._files.json_file import BadJson, parse_json
from harness.errors import SetupFailed
from spoken_language.outside_text import one_line

MAX_ANSWER_BYTES = 262_144
MAX_CANDIDATES = 64


async def exchange_sdp(agent: str, offer: str, request_data: dict[str, Any]) -> str:
    """Posts the offer to the agent and returns the SDP of its answer.

    Raises:
        SetupFailed: Nothing answers, or what answers is no usable SDP answer; the message says which.
    """
    parts = urlsplit(agent)
    base = urlunsplit((parts.scheme, parts.netloc, "", "", ""))
    path = parts.path.rstrip("/")
    query = f"?{parts.query}" if parts.query else ""
    body: dict[str, Any] = {"sdp": offer, "type": "offer"}
    if request_data:
        body["request_data"] = request_data
    # The dial deadline is kept by the caller; a timeout here would only produce a second message.
    async with httpx.AsyncClient(timeout=None, follow_redirects=False) as client:
        if path.endswith("/start"):
            answer = await _start_session(client, agent, base, path + query, offer, request_data)
        elif path:
            answer = _answer_of(agent, await _post(client, base + path + query, body))
        else:
            response = await _post(client, f"{base}/api/offer{query}", body)
            if response.status in (404, 405):
                answer = await _start_session(client, agent, base, f"/start{query}", offer, request_data)
            else:
                answer = _answer_of(agent, response)
    _check_answer(agent, answer)
    return answer


@dataclass(frozen=True, kw_only=True)
class _Response:
    """A bounded HTTP response."""

    url: str
    status: int
    content_type: str
    body: bytes

    def json_object(self) -> dict[str, Any] | None:
        try:
            content = parse_json(self.body)
        except BadJson:
            return None
        return content if isinstance(content, dict) else None


async def _start_session(
    client: httpx.AsyncClient,
    agent: str,
    base: str,
    start_path: str,
    offer: str,
    request_data: dict[str, Any],
) -> str:
    started = await _post(client, base + start_path, {"transport": "webrtc", "body": request_data})
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
        raise SetupFailed(f"{agent}: its /start answer names no usable sessionId")
    prefix = start_path.partition("?")[0].removesuffix("/start")
    url = f"{base}{prefix}/sessions/{session_id}/api/offer"
    return _answer_of(agent, await _post(client, url, {"sdp": offer, "type": "offer"}))


async def _post(client: httpx.AsyncClient, url: str, body: dict[str, Any]) -> _Response:
    try:
        async with client.stream("POST", url, json=body) as response:
            content = bytearray()
            async for block in response.aiter_bytes():
                content += block
                if len(content) > MAX_ANSWER_BYTES:
                    raise SetupFailed(
                        f"{url}: answered with more than {MAX_ANSWER_BYTES} bytes; not an SDP answer"
                    )
            return _Response(
                url=url,
                status=response.status_code,
                content_type=_content_type(response),
                body=bytes(content),
            )
    except httpx.ConnectError as error:
        raise SetupFailed(f"{url}: nothing answers there ({one_line(str(error), most=200)})") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        cause = one_line(str(error), most=200) or "the connection broke off"
        raise SetupFailed(f"{url}: {type(error).__name__}: {cause}") from error


def _content_type(response: httpx.Response) -> str:
    """What the server says it sends. A header may hold any byte but a line break."""
    named = response.headers.get("content-type", "no type given").partition(";")[0]
    return one_line(named, most=80)


def _answer_of(agent: str, response: _Response) -> str:
    content = response.json_object()
    if response.status >= 400 or content is None:
        _refuse(agent, response)
    sdp = content.get("sdp")
    if content.get("type") != "answer" or not isinstance(sdp, str):
        raise SetupFailed(f"{agent}: {response.url} sent JSON, but no SDP answer in it")
    return sdp


def _refuse(agent: str, response: _Response) -> NoReturn:
    said = ""
    content = response.json_object()
    if content is not None:
        said = next(
            (
                one_line(f": {content[key]}", most=200)
                for key in ("error", "detail", "info")
                if key in content
            ),
            "",
        )
    raise SetupFailed(
        f"{agent}: {response.url} answered {response.status} ({response.content_type}){said}. "
        "Is this a SmallWebRTC agent? Give the address of its offer endpoint if it is not /api/offer."
    )


def _check_answer(agent: str, sdp: str) -> None:
    if not sdp.startswith("v=0"):
        raise SetupFailed(f"{agent}: its SDP answer is no SDP: it does not begin with v=0")
    if sdp.count("a=candidate:") > MAX_CANDIDATES:
        raise SetupFailed(f"{agent}: its SDP answer names more than {MAX_CANDIDATES} candidates")
    if "m=audio" not in sdp or "m=audio 0 " in sdp:
        raise SetupFailed(f"{agent}: its SDP answer accepts no audio (we offer Opus)")
    if "opus/48000" not in sdp.lower():
        raise SetupFailed(f"{agent}: its SDP answer accepts no codec that we offered (Opus)")
    if "a=fingerprint:" not in sdp:
        raise SetupFailed(
            f"{agent}: its SDP answer has no DTLS fingerprint, so its audio cannot be decrypted"
        )
