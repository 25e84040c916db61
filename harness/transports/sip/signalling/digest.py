"""Digest authentication of requests (RFC 7616, RFC 8760): MD5 and SHA-256, with and without qop."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

_ALGORITHMS: dict[str, Callable[[bytes], str]] = {
    "sha-256": lambda data: hashlib.sha256(data).hexdigest(),
    "md5": lambda data: hashlib.md5(data, usedforsecurity=False).hexdigest(),
}
"""The stronger first: of several challenges the first one in this order is answered."""
_PARAMETER = re.compile(r'([A-Za-z0-9_-]{1,40})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))')
MAX_CHALLENGE_CHARS = 4_000


class NoChallenge(ValueError):
    """Nothing in it that we could answer; the message says what it asks for."""


@dataclass(frozen=True, kw_only=True)
class Challenge:
    """What a server asks for.

    Attributes:
        stale: Only the nonce was too old: the password was right.
    """

    realm: str
    nonce: str
    algorithm: str
    opaque: str | None = None
    qop: bool = False
    stale: bool = False
    named: bool = field(default=True)


def read_challenge(headers: Sequence[str]) -> Challenge:
    """The best of the challenges of a response that we can answer.

    Raises:
        NoChallenge: There is none.
    """
    found = [one for header in headers if (one := _challenge(header[:MAX_CHALLENGE_CHARS])) is not None]
    for algorithm in _ALGORITHMS:
        for one in found:
            if one.algorithm == algorithm:
                return one
    raise NoChallenge("it asks for no digest with MD5 or SHA-256")


def answer(
    challenge: Challenge,
    *,
    method: str,
    uri: str,
    user: str,
    password: str,
    count: int = 1,
    cnonce: str | None = None,
) -> str:
    """The value of ``Authorization`` or ``Proxy-Authorization``.

    Args:
        uri: Of the request.
        count: How often this nonce was used, from 1.
    """
    digest = _ALGORITHMS[challenge.algorithm]

    def hashed(*parts: str) -> str:
        return digest(":".join(parts).encode())

    secret = hashed(user, challenge.realm, password)
    request = hashed(method, uri)
    parts: dict[str, str] = {
        "username": _quoted(user),
        "realm": _quoted(challenge.realm),
        "nonce": _quoted(challenge.nonce),
        "uri": _quoted(uri),
    }
    if challenge.qop:
        number, client = f"{count:08x}", cnonce or secrets.token_hex(8)
        response = hashed(secret, challenge.nonce, number, client, "auth", request)
        parts |= {"qop": "auth", "nc": number, "cnonce": _quoted(client)}
    else:
        response = hashed(secret, challenge.nonce, request)
    parts["response"] = _quoted(response)
    if challenge.named:
        parts["algorithm"] = challenge.algorithm.upper()
    if challenge.opaque is not None:
        parts["opaque"] = _quoted(challenge.opaque)
    return "Digest " + ", ".join(f"{name}={value}" for name, value in parts.items())


def read_parameters(header: str) -> Mapping[str, str]:
    """The parameters of a challenge or of credentials, by their names in lower case, without quotes."""
    return {
        name.lower(): re.sub(r"\\(.)", r"\1", quoted) if quoted or not plain else plain
        for name, quoted, plain in _PARAMETER.findall(header)
    }


def _challenge(header: str) -> Challenge | None:
    scheme, _, rest = header.strip().partition(" ")
    told = read_parameters(rest)
    algorithm = told.get("algorithm", "md5").lower()
    if scheme.lower() != "digest" or algorithm not in _ALGORITHMS or "nonce" not in told:
        return None
    qop = [one.strip().lower() for one in told.get("qop", "").split(",")]
    if "qop" in told and "auth" not in qop:
        return None
    if any(not sign.isprintable() for value in told.values() for sign in value):
        return None
    return Challenge(
        realm=told.get("realm", ""),
        nonce=told["nonce"],
        algorithm=algorithm,
        opaque=told.get("opaque"),
        qop="qop" in told,
        stale=told.get("stale", "").lower() == "true",
        named="algorithm" in told,
    )


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
