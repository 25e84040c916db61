"""Addresses of LiveKit agents: which server, which room, and whom to call into it.

::

    livekit+wss://HOST/ROOM                      join the room and wait for whoever speaks there
    livekit+wss://HOST/ROOM?agent=NAME           have the agent of that name dispatched into the room
    livekit+wss://HOST/demo-*?agent=NAME         a room of its own for each call: * becomes letters by chance
    livekit+wss://HOST?agent=NAME                the same, in rooms called outboundeval-*
    livekit+wss://HOST/ROOM?identity=NAME        what we are called there (default: outboundeval-*)

``ws`` in the place of ``wss`` is without TLS, for a server on this machine. Credentials: ``access``.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from harness.errors import SetupFailed

SCHEMES = {"livekit+ws": "ws", "livekit+wss": "wss"}
OWN_NAMES = "outboundeval-*"
MAX_NAME_CHARS = 128
MAX_PARAMETERS = 16
_PARAMETERS = frozenset({"agent", "identity", "token", "access_token"})


@dataclass(frozen=True, kw_only=True)
class LiveKitAddress:
    """An address as it is dialled in one call.

    Attributes:
        server: ``ws(s)://HOST:PORT``.
        room: Its name.
        own_room: It was made up for this call: nobody else has any business in it.
        agent: Who is to be dispatched; empty: whoever comes.
        identity: What we are called.
        token: Where it stands in the address; for the wire alone.
    """

    server: str
    room: str
    own_room: bool
    agent: str
    identity: str
    token: str

    @property
    def http(self) -> str:
        """Where the server's HTTP interface is: the same host and port."""
        return "http" + self.server.removeprefix("ws")


def read_address(url: str, *, shown: str) -> LiveKitAddress:
    """The address of one call; a name with ``*`` is another one each time.

    Args:
        url: With the values of what it names; ``shown`` is what messages have of it.

    Raises:
        SetupFailed: It is none; the message says what is wrong.
    """
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES or not parts.netloc:
        raise SetupFailed(f"{shown}: no address of a LiveKit room: livekit+wss://HOST/ROOM is wanted")
    room = unquote(parts.path.strip("/"))
    if "/" in room:
        raise SetupFailed(f"{shown}: a room's name has no / in it: livekit+wss://HOST/ROOM is wanted")
    try:
        given = dict(parse_qsl(parts.query, keep_blank_values=True, max_num_fields=MAX_PARAMETERS))
    except ValueError:
        raise SetupFailed(f"{shown}: more than {MAX_PARAMETERS} parameters") from None
    if unknown := sorted(given.keys() - _PARAMETERS):
        known = ", ".join(sorted(_PARAMETERS))
        raise SetupFailed(f"{shown}: unknown parameter '{unknown[0][:40]}'; known: {known}")
    pattern = room or OWN_NAMES
    return LiveKitAddress(
        server=f"{SCHEMES[parts.scheme]}://{parts.netloc}",
        room=_named(pattern, "the room", shown),
        own_room="*" in pattern,
        agent=_checked(given.get("agent", ""), "the agent", shown),
        identity=_named(given.get("identity") or OWN_NAMES, "the identity", shown),
        token=given.get("token", "") or given.get("access_token", ""),
    )


def _named(pattern: str, what: str, shown: str) -> str:
    return _checked(pattern.replace("*", secrets.token_hex(5)), what, shown)


def _checked(name: str, what: str, shown: str) -> str:
    if len(name) > MAX_NAME_CHARS or not name.isprintable():
        raise SetupFailed(
            f"{shown}: {what} has a name of more than {MAX_NAME_CHARS} characters, or none of text"
        )
    return name
