"""Addresses of STUN and TURN servers (RFC 7064, RFC 7065), as browsers and WebRTC libraries take them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_URL = re.compile(
    r"(?P<scheme>stuns?|turns?):(?P<host>[A-Za-z0-9_.-]{1,253})(:(?P<port>\d{1,5}))?"
    r"(\?transport=(?P<transport>udp|tcp))?",
    re.ASCII,
)
_PORTS = {"stun": 3478, "turn": 3478, "turns": 5349}


@dataclass(frozen=True, kw_only=True)
class IceUrl:
    """One address of a server.

    Attributes:
        transport: How the server is spoken to; what it relays is UDP in any case.
        tls: Whether that is by TLS.
    """

    kind: Literal["stun", "turn"]
    host: str
    port: int
    transport: Literal["udp", "tcp"]
    tls: bool

    @property
    def shown(self) -> str:
        """In its usual form, nothing left out; without credentials, which it never has."""
        if self.kind == "stun":
            return f"stun:{self.host}:{self.port}"
        return f"turn{'s' if self.tls else ''}:{self.host}:{self.port}?transport={self.transport}"


def ice_url(text: str) -> IceUrl:
    """Reads an address.

    Raises:
        ValueError: It is none that we can use; the message says what one looks like.
    """
    found = _URL.fullmatch(text)
    if found is None:
        raise ValueError(
            "is no address of an ICE server; write stun:HOST:PORT, turn:HOST:PORT?transport=udp (or tcp), "
            "or turns:HOST:PORT?transport=tcp; credentials stand beside it, and HOST is a name or an IPv4 "
            "address"
        )
    scheme, transport = found["scheme"], found["transport"]
    if scheme == "stuns" or (scheme == "stun" and transport is not None):
        raise ValueError("STUN is spoken over UDP: write stun:HOST:PORT")
    if scheme == "turns" and transport == "udp":
        raise ValueError("TURN over DTLS is not spoken: write turns:HOST:PORT?transport=tcp")
    port = int(found["port"]) if found["port"] else _PORTS[scheme]
    if not 0 < port < 65_536:
        raise ValueError("the port of an ICE server lies between 1 and 65535")
    return IceUrl(
        kind="stun" if scheme == "stun" else "turn",
        host=found["host"],
        port=port,
        transport="tcp" if scheme == "turns" or transport == "tcp" else "udp",
        tls=scheme == "turns",
    )
