"""What a call in a LiveKit room makes of what its parts find, with no server at the other end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from aioice.turn import TurnClientUdpProtocol, TurnTransport

from harness.plans.call import ConditionsPlan
from harness.plans.on_the_wire import on_the_wire
from harness.records.call import Event
from harness.transports.base import DialRequest
from harness.transports.clock import CallClock
from harness.transports.codecs.opus import OPUS
from harness.transports.livekit.session import LiveKitSession
from harness.transports.uplink import Uplink, silence

AGENT = "livekit+ws://127.0.0.1:1/room"
KEYED = "livekit+ws://key:a-secret-of-32-characters-at-least@127.0.0.1:1/room"


def _session(events: list[Event] | None = None) -> LiveKitSession:
    told = [] if events is None else events
    return LiveKitSession(
        DialRequest(
            agent=AGENT,
            to=on_the_wire(KEYED),
            clock=CallClock(),
            uplink=Uplink(background=silence(OPUS)),
            conditions=ConditionsPlan(),
            seed=0,
            connect_s=1.0,
            on_packet=lambda packet: None,
            on_event=told.append,
        )
    )


class _Done:
    """A publisher that has published, and a subscriber that hears, by one way."""

    def __init__(self, transport: object) -> None:
        pair = SimpleNamespace(protocol=SimpleNamespace(transport=transport))
        ice = SimpleNamespace(_nominated={1: pair})
        self.dtls = SimpleNamespace(transport=SimpleNamespace(_connection=ice))

    async def publish(self, signal: object) -> None:
        return

    async def until_heard(self) -> None:
        return


@pytest.mark.parametrize("relayed", [False, True])
async def test_which_way_the_agent_s_packets_come_is_noted(
    monkeypatch: pytest.MonkeyPatch, relayed: bool
) -> None:
    """By it a call gets its error bar: a relayed one has not that of a clean network."""

    async def there(self: LiveKitSession) -> None:
        return

    monkeypatch.setattr(LiveKitSession, "_until_agent", there)
    session = _session()
    client = TurnClientUdpProtocol(("127.0.0.1", 1), "u", "p", 600, 500)
    done: Any = _Done(TurnTransport(client) if relayed else object())
    await session._set_up(done, done)
    assert session.log.path == ("relay-udp" if relayed else "direct")
