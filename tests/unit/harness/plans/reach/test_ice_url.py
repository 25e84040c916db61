"""Addresses of STUN and TURN servers."""

from __future__ import annotations

import pytest

from harness.plans.reach.ice_url import IceUrl, ice_url


@pytest.mark.parametrize(
    ("text", "read", "shown"),
    [
        (
            "stun:stun.example",
            IceUrl(kind="stun", host="stun.example", port=3478, transport="udp", tls=False),
            "stun:stun.example:3478",
        ),
        (
            "turn:127.0.0.1:99",
            IceUrl(kind="turn", host="127.0.0.1", port=99, transport="udp", tls=False),
            "turn:127.0.0.1:99?transport=udp",
        ),
        (
            "turn:t.example?transport=tcp",
            IceUrl(kind="turn", host="t.example", port=3478, transport="tcp", tls=False),
            "turn:t.example:3478?transport=tcp",
        ),
        (
            "turns:t.example",
            IceUrl(kind="turn", host="t.example", port=5349, transport="tcp", tls=True),
            "turns:t.example:5349?transport=tcp",
        ),
    ],
)
def test_what_is_left_out_is_as_the_rfcs_have_it(text: str, read: IceUrl, shown: str) -> None:
    assert ice_url(text) == read
    assert read.shown == shown
    assert ice_url(shown) == read


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("http://t.example", "no address of an ICE server"),
        ("turn:", "no address of an ICE server"),
        ("turn:user@t.example", "no address of an ICE server"),
        ("turn:t.example:3478?transport=sctp", "no address of an ICE server"),
        ("turn:t.example:0", "between 1 and 65535"),
        ("turn:t.example:70000", "between 1 and 65535"),
        ("stuns:s.example", "STUN is spoken over UDP"),
        ("stun:s.example?transport=udp", "STUN is spoken over UDP"),
        ("turns:t.example?transport=udp", "TURN over DTLS"),
        ("turn:t.example\nx", "no address of an ICE server"),
    ],
)
def test_what_is_none_is_told(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ice_url(text)
