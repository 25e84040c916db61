"""Brings an offer to an agent in its dialect, and what hangs up afterwards."""

from __future__ import annotations

import contextlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any, NoReturn
from urllib.parse import urlsplit

from harness.errors import SetupFailed
from harness.transports.offers.gradio import GradioDoor, find_door
from harness.transports.offers.profile import (
    UNSUPPORTED_MEDIA_TYPE,
    Offer,
    Posted,
    Profile,
    at,
    forms_of,
    hook_body,
    is_refused,
    posted,
    reason_in,
)
from harness.transports.offers.server import Response, Server

_MISSING = (404, 405)
_MISSING_OR_A_PAGE = (*_MISSING, 307, 308)
"""A page may be named without the slash at its end."""
_NOT_KNOWN = (401, 403)
_KEY_HINT = "Give its key, named: --header 'Authorization: Bearer {env:NAME}', or headers: in the plan."


@dataclass(frozen=True, kw_only=True)
class Answered:
    """What came of an offer.

    Attributes:
        sdp: The answer, which nobody has looked at yet.
        call_place: Path and query of where the call is at the server; empty where it says nothing of it, or
            names another server.
    """

    sdp: str = field(repr=False)
    call_place: str = field(default="", repr=False)


async def exchange(server: Server, profile: Profile, offer: Offer, *, given_path: str) -> Answered:
    """Posts the offer and gives the agent's answer.

    Args:
        given_path: Of the address.

    Raises:
        SetupFailed: Nothing answers, or it refuses, or it gives no answer; the message says which and why.
    """
    path = profile.path_of(given_path)
    response, query = None, dict(server.query)
    for form in forms_of(profile, offer):
        body = posted(profile, form, offer)
        response = await _post(server, path, body, query)
        if response.status != UNSUPPORTED_MEDIA_TYPE:
            break
    assert response is not None
    if response.status in _MISSING_OR_A_PAGE and profile.says == "fastrtc":
        response = await _through_gradio(server, profile, offer, given_path) or response
    return _answered(server, profile, response, path)


async def hang_up(server: Server, profile: Profile, call_place: str) -> None:
    """Ends the call at the server, where it can be told so. Whatever comes of it: we close the media, too."""
    if profile.hang_up == "none" or not call_place:
        return
    path, _, query = call_place.partition("?")
    with contextlib.suppress(SetupFailed):
        if profile.hang_up == "post":
            done = await server.ask("POST", f"{path}/hangup", query=query)
            if done.status not in _MISSING:
                return
        await server.ask("DELETE", path, query=query)


async def give_inputs(server: Server, profile: Profile, offer: Offer) -> str:
    """Posts the inputs that the agent asked for. What went wrong, or nothing."""
    assert profile.on_input is not None
    try:
        given = await server.ask(
            "POST",
            profile.on_input.path,
            content=hook_body(profile.on_input, offer),
            content_type="application/json",
        )
    except SetupFailed as failure:
        return str(failure)
    return f"{given.where} answered {given.status}" if given.status >= 400 else ""


async def _post(server: Server, path: str, body: Posted, query: dict[str, str]) -> Response:
    return await server.ask(
        "POST", path, content=body.content, content_type=body.content_type, query={**query, **body.query}
    )


async def _through_gradio(server: Server, profile: Profile, offer: Offer, given_path: str) -> Response | None:
    """The answer of a Gradio page, where there is one."""
    door: GradioDoor | None = await find_door(server, given_path)
    if door is None:
        return None
    content = door.body({"sdp": offer.sdp, "type": "offer", "webrtc_id": offer.call_id}, secrets.token_hex(5))
    return await server.ask(
        "POST", door.path, content=json.dumps(content).encode(), content_type="application/json"
    )


def _answered(server: Server, profile: Profile, response: Response, path: str) -> Answered:
    content = response.json() if profile.answer or profile.failed else None
    if response.status >= 400 or 300 <= response.status < 400 or is_refused(profile, content):
        _refuse(server, profile, response)
    if profile.answer:
        sdp = at(content, profile.answer)
        if not isinstance(sdp, str):
            raise SetupFailed(
                f"{server.shown}: {response.where} sent {_what(content)}, but no SDP answer at "
                f"'{'.'.join(profile.answer)}' in it. {profile.hint}".rstrip()
            )
    else:
        sdp = response.body.decode("utf-8", "replace")
    return Answered(sdp=sdp, call_place=server.place_at(response.location, asked=path) or "")


def _what(content: Any) -> str:
    return "JSON" if isinstance(content, dict | list) else "no JSON"


def _refuse(server: Server, profile: Profile, response: Response) -> NoReturn:
    why = reason_in(profile, response.json()) or response.text()
    said = f": {why}" if why else ""
    hint = _KEY_HINT if response.status in _NOT_KNOWN else profile.hint if not why else ""
    how = (
        f"answered {response.status} ({response.content_type})"
        if response.status >= 300
        else "refused the call"
    )
    raise SetupFailed(f"{server.shown}: {response.where} {how}{said}. {hint}".rstrip())


def path_of(url: str) -> str:
    """Of an address."""
    return urlsplit(url).path
