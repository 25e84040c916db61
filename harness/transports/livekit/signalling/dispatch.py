"""Requests to a LiveKit server's HTTP interface (Twirp): an agent into a room, and the room closed."""

from __future__ import annotations

from collections.abc import Mapping
from ssl import SSLContext
from typing import Any

import aiohttp

from harness._files.json_file import BadJson, parse_json
from harness.errors import SetupFailed
from harness.redaction import KNOWN
from harness.transports.livekit.signalling.access import Access, without_tokens
from harness.transports.tls import DISTRUSTED, distrusted
from spoken_language.outside_text import harmless, one_line

_MAX_BYTES = 100_000
_ANSWER_S = 10.0


async def dispatch_agent(
    url: str,
    access: Access,
    *,
    agent: str,
    metadata: str,
    headers: Mapping[str, str],
    tls: SSLContext | None,
    shown: str,
) -> None:
    """Has an agent sent into the room.

    Args:
        url: ``http(s)://HOST:PORT`` of the server.
        metadata: Of its job.
        tls: Whom we trust, for ``https``; None: this machine's own authorities.

    Raises:
        SetupFailed: The server does not do it; the message says why.
    """
    body = {"agent_name": agent, "room": access.room, "metadata": metadata}
    try:
        status, said = await _ask(url, "AgentDispatchService/CreateDispatch", access, body, headers, tls)
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        if why := distrusted(error):
            raise SetupFailed(
                f"{shown}: the agent could not be dispatched: "
                f"the certificate is not trusted: {why}; {DISTRUSTED}"
            ) from None
        told = _line(str(error))
        raise SetupFailed(
            f"{shown}: the agent could not be dispatched: {type(error).__name__}: {told}"
        ) from None
    if status >= 400:
        raise SetupFailed(f"{shown}: the server does not dispatch the agent '{agent}': HTTP {status}{said}")


async def close_room(url: str, access: Access, *, headers: Mapping[str, str], tls: SSLContext | None) -> bool:
    """Sends everybody out of the room and closes it. False where the server did not."""
    return await _quietly(url, "RoomService/DeleteRoom", access, {"room": access.room}, headers, tls)


async def send_out(
    url: str, access: Access, *, identity: str, headers: Mapping[str, str], tls: SSLContext | None
) -> bool:
    """Sends one participant out of the room. False where the server did not."""
    body = {"room": access.room, "identity": identity}
    return await _quietly(url, "RoomService/RemoveParticipant", access, body, headers, tls)


async def _quietly(
    url: str,
    method: str,
    access: Access,
    body: dict[str, Any],
    headers: Mapping[str, str],
    tls: SSLContext | None,
) -> bool:
    try:
        status, _ = await _ask(url, method, access, body, headers, tls)
    except (aiohttp.ClientError, TimeoutError, OSError):
        return False
    # Who is gone already needs no sending away.
    return status < 400 or status == 404


async def _ask(
    url: str,
    method: str,
    access: Access,
    body: dict[str, Any],
    headers: Mapping[str, str],
    tls: SSLContext | None,
) -> tuple[int, str]:
    sent = {name: value for name, value in headers.items() if name.lower() != "authorization"}
    sent["Authorization"] = f"Bearer {access.admin_token()}"
    async with (
        aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=tls or True), timeout=aiohttp.ClientTimeout(total=_ANSWER_S)
        ) as client,
        client.post(
            f"{url}/twirp/livekit.{method}", json=body, headers=sent, allow_redirects=False
        ) as answer,
    ):
        raw = await answer.content.read(_MAX_BYTES)
    try:
        content = parse_json(raw)
    except BadJson:
        content = None
    said = content.get("msg") if isinstance(content, dict) else None
    return answer.status, _line(f": {said}") if isinstance(said, str) else ""


def _line(text: str) -> str:
    return one_line(KNOWN.scrub(without_tokens(harmless(text))), most=200)
