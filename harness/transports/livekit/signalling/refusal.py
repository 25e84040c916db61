"""Why a LiveKit server did not let us in, in words of ours.

The server tells by ``GET /rtc/validate``. Its text may quote the whole token, so none of it is passed on: it
is told by phrases that are known. A page for people is no such text: what stands in it is of something else
that answers there."""

from __future__ import annotations

import re

import aiohttp

_MAX_BYTES = 10_000
"""What quotes the longest token that a header can hold is shorter."""
_TYPES = ("text/plain", "application/json")
_ASKING_S = 5.0
_LIMIT = "a limit of the server is reached"
_BUSY = (429, 503)
"""With these a limit may be told of in any words."""
_KNOWN = (
    ("token is expired", "the token has expired"),
    ("token is not valid yet", "the token is not valid yet: do the two clocks agree?"),
    ("signature is invalid", "the token's signature is wrong: is the API secret the server's?"),
    ("invalid API key", "the server does not know the API key"),
    ("permissions denied", "the token does not allow to join a room (grant roomJoin)"),
    ("no room name", "the token names no room"),
    ("identity cannot be empty", "the token names no identity (sub)"),
    ("requested room does not exist", "there is no such room, and the server makes none by itself"),
    ("could not find object", "there is no such room, and the server makes none by itself"),
    ("has exceeded its configured limit", _LIMIT),
    ("invalid authorization token", "the server takes the token for none"),
    ("invalid token", "the server takes the token for none"),
)
_STATUS = {
    401: "the server does not accept the token",
    403: "the server does not allow it",
    404: "there is no such room, or no LiveKit server",
    429: _LIMIT,
    503: "the server takes nobody at present",
}


async def reason_of(client: aiohttp.ClientSession, url: str, headers: dict[str, str], status: int) -> str:
    """Why the server answered ``status`` in the place of opening a WebSocket.

    Args:
        url: ``http(s)://HOST:PORT`` of the server.
    """
    told = _STATUS.get(status, "this is perhaps no LiveKit server")
    try:
        async with (
            client.get(
                f"{url}/rtc/validate",
                headers=headers,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=_ASKING_S),
            ) as answer,
        ):
            said = await _text(answer)
    except (aiohttp.ClientError, TimeoutError, ValueError):
        said = ""
    for phrase, meaning in _KNOWN:
        if phrase in said:
            return f"{meaning} (HTTP {status})"
    if status in _BUSY and re.search(r"\blimits?\b", said):
        told = _LIMIT
    return f"{told} (HTTP {status})"


async def _text(answer: aiohttp.ClientResponse) -> str:
    """A short text; empty where the answer is anything else."""
    if answer.content_type not in _TYPES:
        return ""
    raw = bytearray()
    async for block in answer.content.iter_any():
        raw += block
        if len(raw) > _MAX_BYTES:
            return ""
    return raw.decode("utf-8", "replace")
