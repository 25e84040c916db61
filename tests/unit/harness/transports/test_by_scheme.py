"""Addresses by their scheme: our own, those that another package adds, and what is no address."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import UserError
from harness.transports.by_scheme import SCHEMES, transport_for, transport_name, transport_names
from harness.transports.sip.transport import SipTransport
from harness.transports.smallwebrtc.session import SmallWebRTCTransport
from tests.added_parts import add_package


@pytest.mark.parametrize(
    "agent", ["http://127.0.0.1:7860", "https://example.org/api/offer", "http://[::1]:7860"]
)
def test_addresses_by_their_scheme(agent: str) -> None:
    assert isinstance(transport_for(agent), SmallWebRTCTransport)


@pytest.mark.parametrize(
    "agent",
    ["sip:bob@127.0.0.1", "sip:pbx.example:5070;transport=tcp", "sips:+49301@[::1]?password={env:X}"],
)
def test_sip_addresses_have_no_slashes(agent: str) -> None:
    assert isinstance(transport_for(agent), SipTransport)


@pytest.mark.parametrize(
    "agent",
    [
        "",
        "sip:",
        "sip:bob@",
        "sip:bob@host:0",
        "127.0.0.1:7860",
        "localhost",
        "http://",
        "http:///x",
        "http://[::1",
        "http://x:0",
        "http://x:99999",
    ],
)
def test_what_is_no_address_is_named_with_those_that_are(agent: str) -> None:
    with pytest.raises(UserError, match=r"no agent address.*http://HOST:PORT"):
        transport_for(agent)


def test_what_is_an_agent_and_not_spoken_yet_has_a_way_round() -> None:
    for scheme in ("ws", "wss"):
        with pytest.raises(UserError, match="no agent address") as refused:
            transport_for(f"{scheme}://127.0.0.1:8080/media")
        assert "pipecat: python bot.py -t webrtc" in refused.value.hint
    with pytest.raises(UserError, match="no agent address") as unknown:
        transport_for("ftp://127.0.0.1:1")
    assert unknown.value.hint == ""


def test_the_name_of_a_transport_is_known_without_importing_it() -> None:
    assert transport_name("http://127.0.0.1:7860") == SmallWebRTCTransport.name
    assert transport_name("https://example.org") == SmallWebRTCTransport.name
    assert {SmallWebRTCTransport.name, "livekit"} <= set(transport_names())
    assert transport_name("livekit+wss://host/room") == "livekit"
    assert transport_name("sip:bob@host;transport=tcp") == transport_name("sips:bob@host") == "sip"
    assert transport_name("carrier-pigeon://roof") == "carrier-pigeon"
    assert transport_name("localhost") == transport_name("http://[::1") == "unknown"


def test_another_package_adds_a_scheme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_package(
        tmp_path,
        monkeypatch,
        group="outboundeval.transports",
        name="pigeon",
        module="pigeon_post",
        attribute="Pigeon",
        source="class Pigeon:\n    name, codec = 'post', 'pcmu'\n",
    )
    assert "pigeon" in SCHEMES.names()
    assert transport_for("pigeon://roof:1").name == "post"
    assert transport_name("pigeon://roof:1") == "post"
    assert {"post", "smallwebrtc"} <= set(transport_names())
    with pytest.raises(
        UserError, match=r"known: .*http://HOST:PORT, https://HOST:PORT, .*pigeon://HOST:PORT"
    ):
        transport_for("owl://roof:1")


def test_an_added_transport_that_cannot_be_loaded_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_package(
        tmp_path,
        monkeypatch,
        group="outboundeval.transports",
        name="pigeon",
        module="pigeon_post",
        attribute="Owl",
        source="class Pigeon:\n    name, codec = 'post', 'pcmu'\n",
    )
    with pytest.raises(UserError, match=r"another package .* pigeon:// that cannot be loaded: .*Owl"):
        transport_for("pigeon://roof:1")


def test_an_added_transport_in_an_unknown_codec_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_package(
        tmp_path,
        monkeypatch,
        group="outboundeval.transports",
        name="pigeon",
        module="pigeon_post",
        attribute="Pigeon",
        source="class Pigeon:\n    name, codec = 'post', 'coo'\n",
    )
    with pytest.raises(UserError, match=r"pigeon:// sends 'coo', which is no codec that we know: g722, opus"):
        transport_for("pigeon://roof:1")
