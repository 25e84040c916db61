"""By what right a room is joined: a token that was given, or one made from API key and secret.

In this order: the header ``Authorization: Bearer …`` of the plan; ``?token=`` or user and password (API key
and secret) of the address; ``LIVEKIT_TOKEN`` of the environment; ``LIVEKIT_API_KEY`` and
``LIVEKIT_API_SECRET`` there. Nothing of it is kept."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.errors import SetupFailed
from harness.plans.on_the_wire import OnTheWire
from harness.redaction import HIDDEN, KNOWN
from harness.transports.livekit.signalling.access_token import Claims, claims_of, make_token
from harness.transports.livekit.signalling.address import LiveKitAddress

TOKEN_VARIABLE = "LIVEKIT_TOKEN"
KEY_VARIABLE = "LIVEKIT_API_KEY"
SECRET_VARIABLE = "LIVEKIT_API_SECRET"
_TOKEN = re.compile(r"eyJ[\w-]{5,}(\.[\w-]*){0,2}", re.ASCII)
MAX_METADATA_BYTES = 60_000
"""The server refuses more than 64 KB."""


@dataclass(frozen=True, kw_only=True)
class Access:
    """The right to join one room.

    Attributes:
        token: For the wire alone.
        claims: What it says.
        room: Which one it opens.
        key, secret: Where it was made here: whoever has them may also have agents dispatched, and rooms
            closed.
    """

    token: str = field(repr=False)
    claims: Claims
    room: str
    key: str = field(default="", repr=False)
    secret: str = field(default="", repr=False)

    @property
    def may_administrate(self) -> bool:
        return bool(self.secret)

    def admin_token(self) -> str:
        """A token to dispatch agents into the room, and to close it."""
        grants = {"roomAdmin": True, "roomCreate": True, "room": self.room}
        return make_token(key=self.key, secret=self.secret, grants=grants)


def access_to(
    address: LiveKitAddress, to: OnTheWire, *, shown: str, environment: Mapping[str, str] = os.environ
) -> Access:
    """The right to join the address' room.

    Raises:
        SetupFailed: There is none, or the token at hand cannot be one for that room.
    """
    given = _bearer(to.headers) or address.token
    key, secret = to.user or "", to.password
    if not given and not secret:
        given = environment.get(TOKEN_VARIABLE, "").strip()
        if not given:
            key = environment.get(KEY_VARIABLE, "").strip()
            secret = environment.get(SECRET_VARIABLE, "").strip()
    if given:
        return _given(_learnt(given), address, shown)
    if not (key and secret):
        raise SetupFailed(
            f"{shown}: no right to join: set {KEY_VARIABLE} and {SECRET_VARIABLE}, or {TOKEN_VARIABLE}, "
            "or give a header 'Authorization: Bearer {env:NAME}'"
        )
    _learnt(secret)
    return _made(address, key, secret, metadata_of(to, shown=shown))


def metadata_of(to: OnTheWire, *, shown: str) -> str:
    """What the agent is told with its job: the plan's ``request_data`` as JSON; empty where there is none.

    Raises:
        SetupFailed: It is more than a server takes.
    """
    text = json.dumps(to.request_data, ensure_ascii=False) if to.request_data else ""
    if len(text.encode()) > MAX_METADATA_BYTES:
        raise SetupFailed(
            f"{shown}: request_data of more than {MAX_METADATA_BYTES} bytes is no LiveKit metadata"
        )
    return text


def _made(address: LiveKitAddress, key: str, secret: str, metadata: str) -> Access:
    grants = {
        "roomJoin": True,
        "room": address.room,
        "canPublish": True,
        "canSubscribe": True,
        "canPublishData": True,
    }
    token = make_token(
        key=key,
        secret=secret,
        grants=grants,
        identity=address.identity,
        # A dispatched agent has it from its job; any other finds it with us.
        metadata="" if address.agent else metadata,
    )
    return Access(
        token=token,
        claims=Claims(identity=address.identity, room=address.room),
        room=address.room,
        key=key,
        secret=secret,
    )


def _given(token: str, address: LiveKitAddress, shown: str) -> Access:
    claims = claims_of(token)
    if claims is None:
        raise SetupFailed(f"{shown}: the token that was given is none of LiveKit's (a JSON Web Token)")
    if (past_s := claims.expired_for_s) is not None:
        raise SetupFailed(f"{shown}: the token that was given expired {_ago(past_s)} ago")
    if claims.room and claims.room != address.room and not address.own_room:
        raise SetupFailed(
            f"{shown}: the token that was given is for the room '{claims.room}', not for '{address.room}'"
        )
    if address.agent and address.agent not in claims.agents:
        raise SetupFailed(
            f"{shown}: the token that was given dispatches no agent '{address.agent}' (its roomConfig names "
            f"{', '.join(claims.agents) or 'none'}): leave ?agent= away, or set {KEY_VARIABLE} and "
            f"{SECRET_VARIABLE}"
        )
    # A token names its room by itself: an address without one is enough then.
    return Access(token=token, claims=claims, room=claims.room or address.room)


def _bearer(headers: Mapping[str, str]) -> str:
    value = next((value for name, value in headers.items() if name.lower() == "authorization"), "")
    kind, _, token = value.partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def _ago(seconds: float) -> str:
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            n = int(seconds // length)
            return f"{n} {unit}{'s' if n > 1 else ''}"
    return f"{seconds:.0f} s"


def without_tokens(text: str) -> str:
    """A server's text without any JSON Web Token."""
    return _TOKEN.sub(HIDDEN, text)


def _learnt(secret: str) -> str:
    KNOWN.learn(secret)
    return secret
