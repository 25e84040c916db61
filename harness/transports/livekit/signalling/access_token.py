"""LiveKit's access tokens: JSON Web Tokens (RFC 7519) signed with the API secret by HMAC-SHA256."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness._files.json_file import BadJson, parse_json

LIFE_S = 6 * 3600
"""The server asks for it when somebody joins; a call that stands outlives it."""
_CLOCK_SKEW_S = 10
"""The server's clock may be behind ours: the token begins this much earlier."""
MAX_TOKEN_CHARS = 16_000


def make_token(
    *, key: str, secret: str, grants: Mapping[str, Any], identity: str = "", metadata: str = ""
) -> str:
    """A token of ours.

    Args:
        grants: The claim ``video``: what its bearer may do.
        metadata: What others in the room are told of us.
    """
    now = int(time.time())
    claims: dict[str, Any] = {
        "iss": key,
        "nbf": now - _CLOCK_SKEW_S,
        "exp": now + LIFE_S,
        "video": dict(grants),
    }
    if identity:
        claims |= {"sub": identity, "name": identity}
    if metadata:
        claims["metadata"] = metadata
    signed = f"{_encoded({'alg': 'HS256', 'typ': 'JWT'})}.{_encoded(claims)}"
    signature = hmac.new(secret.encode(), signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{_base64(signature)}"


@dataclass(frozen=True, kw_only=True)
class Claims:
    """What a token says, for messages and for what we may ask; nobody here checks its signature.

    Attributes:
        room: Which one it opens; empty: any.
        expires_s: Unix time; None where it says nothing.
        agents: Names of those who are dispatched when the room is made.
    """

    identity: str = ""
    room: str = ""
    expires_s: float | None = None
    agents: tuple[str, ...] = ()

    @property
    def expired_for_s(self) -> float | None:
        """How long ago it expired; None where it has not."""
        if self.expires_s is None:
            return None
        past = time.time() - self.expires_s
        return past if past > 0 else None


def claims_of(token: str) -> Claims | None:
    """What a token says; None for what is no token."""
    parts = token.split(".")
    if len(token) > MAX_TOKEN_CHARS or len(parts) != 3:
        return None
    try:
        raw = base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4))
        content = parse_json(raw)
    except (ValueError, BadJson):
        return None
    if not isinstance(content, dict):
        return None
    video, config = content.get("video"), content.get("roomConfig")
    grants = video if isinstance(video, dict) else {}
    agents = config.get("agents") if isinstance(config, dict) else None
    expires = content.get("exp")
    return Claims(
        identity=_text(content.get("sub")),
        room=_text(grants.get("room")),
        expires_s=float(expires) if isinstance(expires, int | float) and expires == expires else None,
        agents=tuple(
            _text(one.get("agentName") or one.get("agent_name"))
            for one in (agents if isinstance(agents, list) else [])[:20]
            if isinstance(one, dict)
        ),
    )


def _text(value: Any) -> str:
    return value[:200] if isinstance(value, str) else ""


def _encoded(content: Mapping[str, Any]) -> str:
    return _base64(json.dumps(content, separators=(",", ":")).encode())


def _base64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
