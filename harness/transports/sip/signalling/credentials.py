"""Whoever rings shows who they are: digest authentication from the server's side (RFC 7616, RFC 8760)."""

from __future__ import annotations

import hmac
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Literal

from sipmessage import Request

from harness.transports.sip.signalling.digest import (
    MAX_CHALLENGE_CHARS,
    Challenge,
    answer,
    read_parameters,
)

NONCE_S = 60.0
MAX_NONCES = 1000
ALGORITHMS = ("MD5", "SHA-256")
"""MD5 first: many telephones read the first challenge and no other; whoever knows SHA-256 may take it."""

Verdict = Literal["right", "wrong", "none", "stale"]


@dataclass(kw_only=True)
class Credentials:
    """What one user has to show.

    Attributes:
        realm: Named in the challenge.
    """

    user: str = field(repr=False)
    password: str = field(repr=False)
    realm: str = "outboundeval"
    _nonces: OrderedDict[str, tuple[float, set[int]]] = field(default_factory=OrderedDict, repr=False)

    def challenge(self, *, stale: bool = False) -> tuple[tuple[str, str], ...]:
        """Headers of a 401: one challenge for each algorithm."""
        nonce = secrets.token_hex(16)
        self._nonces[nonce] = (time.monotonic(), set())
        while len(self._nonces) > MAX_NONCES:
            self._nonces.popitem(last=False)
        told = f'Digest realm="{self.realm}", nonce="{nonce}", qop="auth"'
        return tuple(
            ("WWW-Authenticate", f"{told}, algorithm={one}" + (", stale=true" if stale else ""))
            for one in ALGORITHMS
        )

    def check(self, request: Request) -> Verdict:
        """What a request shows: ``none`` for nothing, ``stale`` for the right password and an old nonce."""
        shown = (request.headers.get("Authorization") or "")[:MAX_CHALLENGE_CHARS]
        scheme, _, rest = shown.strip().partition(" ")
        if not shown:
            return "none"
        told = read_parameters(rest)
        algorithm = told.get("algorithm", "MD5")
        if scheme.lower() != "digest" or algorithm.upper() not in ALGORITHMS:
            return "wrong"
        count = told.get("nc", "")
        try:
            number = int(count, 16) if len(count) == 8 else 0
        except ValueError:
            return "wrong"
        if told.get("qop") != "auth" or number < 1:
            return "wrong"
        expected = answer(
            Challenge(realm=self.realm, nonce=told.get("nonce", ""), algorithm=algorithm.lower(), qop=True),
            method=request.method,
            # What the digest was made over; proxies rewrite the request's own address.
            uri=told.get("uri", ""),
            user=self.user,
            password=self.password,
            count=number,
            cnonce=told.get("cnonce", ""),
        )
        right = read_parameters(expected.partition(" ")[2])["response"]
        same = hmac.compare_digest(
            right.encode(), told.get("response", "").lower().encode("utf-8", "replace")
        )
        if not same or told.get("username") != self.user or told.get("realm") != self.realm:
            return "wrong"
        made_s, used = self._nonces.get(told.get("nonce", ""), (-NONCE_S, set()))
        if time.monotonic() - made_s > NONCE_S or number in used:
            return "stale"
        used.add(number)
        return "right"
