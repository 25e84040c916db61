"""Tokens: ours are read by another library, and other libraries' by us."""

from __future__ import annotations

import base64
import json
import time

import jwt
import pytest

from harness.transports.livekit.signalling.access_token import claims_of, make_token

SECRET = "a secret of more than thirty-two characters"


def test_another_library_takes_our_token() -> None:
    token = make_token(
        key="K", secret=SECRET, grants={"roomJoin": True, "room": "r"}, identity="me", metadata="{}"
    )
    claims = jwt.decode(token, SECRET, algorithms=["HS256"])
    assert (claims["iss"], claims["sub"], claims["metadata"]) == ("K", "me", "{}")
    assert claims["video"] == {"roomJoin": True, "room": "r"}
    assert claims["nbf"] < time.time() < claims["exp"]


def test_a_wrong_secret_is_noticed_by_the_other_library() -> None:
    token = make_token(key="K", secret=SECRET, grants={})
    with pytest.raises(jwt.InvalidSignatureError, match="Signature"):
        jwt.decode(token, SECRET + "!", algorithms=["HS256"])


def test_what_another_library_made_is_read() -> None:
    claims = {
        "sub": "ann",
        "exp": time.time() - 90,
        "video": {"room": "blue"},
        "roomConfig": {"agents": [{"agentName": "nurse"}, "x", {}]},
    }
    read = claims_of(jwt.encode(claims, SECRET, algorithm="HS256"))
    assert read is not None
    assert (read.identity, read.room, read.agents) == ("ann", "blue", ("nurse", ""))
    assert read.expired_for_s == pytest.approx(90, abs=5)


def _with(claims: bytes) -> str:
    return f"e30.{base64.urlsafe_b64encode(claims).decode().rstrip('=')}.x"


@pytest.mark.parametrize(
    "token",
    [
        "", "abc", "a.b", "a.b.c", "a.é.c", "x" * 20_000, _with(b"[]"), _with(b"\xff"), _with(b"[" * 5000),
        _with(b'{"a":'),
    ],
)  # fmt: skip
def test_what_is_no_token_is_none(token: str) -> None:
    assert claims_of(token) is None


def test_claims_of_wrong_kinds_are_left_out() -> None:
    read = claims_of(_with(json.dumps({"sub": 5, "exp": "x", "video": [], "roomConfig": 1}).encode()))
    assert read is not None
    assert (read.identity, read.room, read.expires_s, read.agents) == ("", "", None, ())
