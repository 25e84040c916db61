"""The ICE servers that an agent names: a stranger's list."""

from __future__ import annotations

from typing import Any

import pytest

from harness.redaction import KNOWN
from harness.transports.smallwebrtc.ice_config import ice_servers_of

LOGIN = {"username": "of-the-session", "credential": "canary-session"}


def _named(*servers: Any) -> list[tuple[str, str | None]]:
    read = ice_servers_of({"sessionId": "s", "iceConfig": {"iceServers": list(servers)}})
    return [(one.url.shown, one.credential) for one in read]


def test_servers_keep_their_order_and_their_credentials() -> None:
    named = _named({"urls": "stun:s.example"}, {"urls": ["turn:t.example:1", "turns:t.example"], **LOGIN})
    assert named == [
        ("stun:s.example:3478", None),
        ("turn:t.example:1?transport=udp", "canary-session"),
        ("turns:t.example:5349?transport=tcp", "canary-session"),
    ]
    assert KNOWN.scrub("refused canary-session") == "refused ***"


@pytest.mark.parametrize(
    "server",
    [
        5,
        {},
        {"urls": 5},
        {"urls": [None, "http://x", "turn:"]},
        {"urls": "turn:t.example"},
        {"urls": "turn:t.example", "username": "u"},
        {"urls": "turn:t.example", "username": "u", "credential": ["x"]},
        {"urls": "turn:t.example", "username": "u", "credential": "x" * 5000},
    ],
)
def test_what_is_no_server_of_ours_is_passed_over(server: Any) -> None:
    assert _named(server, {"urls": "stun:s.example"}) == [("stun:s.example:3478", None)]


@pytest.mark.parametrize("content", [{}, {"iceConfig": 5}, {"iceConfig": {"iceServers": {"urls": "x"}}}])
def test_an_answer_without_servers_names_none(content: dict[str, Any]) -> None:
    assert ice_servers_of(content) == ()


def test_a_list_without_end_is_cut() -> None:
    assert len(_named(*[{"urls": ["stun:s.example"] * 500}] * 500)) == 20
