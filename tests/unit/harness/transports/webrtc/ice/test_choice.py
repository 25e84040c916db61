"""Which server is taken, in which order, and what is said where none will do."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest
from aiortc.rtcconfiguration import RTCIceTransportPolicy

from harness.errors import SetupFailed
from harness.plans.on_the_wire import IceServer
from harness.plans.reach.ice_url import ice_url
from harness.transports.webrtc.ice import choice
from harness.transports.webrtc.ice.choice import NO_SERVERS, ChosenIce, choose_ice

AGENT = "http://a.example"
STUN, FIRST, SECOND = "stun:s.example:3478", "turn:one.example:3478?transport=udp", "turns:two.example:5349"


def _server(url: str) -> IceServer:
    return IceServer(url=ice_url(url), username="u", credential="canary")


async def _chosen(
    monkeypatch: pytest.MonkeyPatch, refusals: Mapping[str, str], *, relay_only: bool = False
) -> ChosenIce:
    asked = []

    async def refusal(server: IceServer, tls: object) -> str:
        asked.append(server.url.shown)
        await asyncio.sleep(0)
        return refusals.get(server.url.host, "")

    monkeypatch.setattr(choice, "refusal", refusal)
    servers = [_server(url) for url in (STUN, FIRST, SECOND)]
    chosen = await choose_ice(servers, relay_only=relay_only, tls=None, agent=AGENT)
    assert len(asked) == (2 if relay_only else 3)
    return chosen


async def test_the_first_of_each_kind_that_serves_us_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = await _chosen(monkeypatch, {})
    assert [server.urls for server in chosen.configuration.iceServers or []] == [STUN, FIRST]
    assert chosen.configuration.iceTransportPolicy is RTCIceTransportPolicy.ALL
    assert chosen.passed_over == ()
    assert "canary" not in repr(chosen)


async def test_one_that_does_not_is_passed_over_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = await _chosen(monkeypatch, {"one.example": "is dead", "s.example": "is dead, too"})
    assert chosen.stun is None
    assert chosen.turn is not None
    assert chosen.turn.url.host == "two.example"
    assert chosen.passed_over == ((STUN, "is dead, too"), (FIRST, "is dead"))


async def test_relayed_only_needs_a_relay(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = await _chosen(monkeypatch, {"one.example": "is dead"}, relay_only=True)
    assert chosen.configuration.iceTransportPolicy is RTCIceTransportPolicy.RELAY
    refusals = {"one.example": "is dead", "two.example": "refuses"}
    with pytest.raises(SetupFailed, match=r"one.example.* is dead; turns:two.example.* refuses") as told:
        await _chosen(monkeypatch, refusals, relay_only=True)
    assert "canary" not in str(told.value)


async def test_nobody_is_asked_where_nobody_is_named() -> None:
    assert await choose_ice([], relay_only=False, tls=None, agent=AGENT) == NO_SERVERS
    with pytest.raises(SetupFailed, match="none is named"):
        await choose_ice([_server(STUN)], relay_only=True, tls=None, agent=AGENT)
