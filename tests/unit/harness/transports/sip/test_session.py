"""One call of ours: when it was taken, and what ends it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from harness.errors import HarnessFault
from harness.plans.call import ConditionsPlan
from harness.plans.on_the_wire import OnTheWire
from harness.transports.base import DialRequest
from harness.transports.clock import CallClock
from harness.transports.codecs.prepared import UNENCODED
from harness.transports.codecs.table import codec_named
from harness.transports.sip import dialling, lost_way
from harness.transports.sip.address import read_destination
from harness.transports.sip.session import SipSession
from harness.transports.sip.signalling.inviting.reaching import NEXT_AFTER_S
from harness.transports.sip.signalling.wire import Place, Unreached
from harness.transports.uplink import Uplink, silence
from tests.unit.harness.transports.sip.signalling.made_peer import MadePeer

AGENT = "sip:agent@127.0.0.1"
ANSWER = b"v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n"


@pytest.fixture
async def session() -> SipSession:
    to = OnTheWire(url=AGENT)
    request = DialRequest(
        agent=AGENT,
        to=to,
        clock=CallClock(),
        uplink=Uplink(background=silence(codec_named(UNENCODED))),
        conditions=ConditionsPlan(),
        seed=1,
        connect_s=1.0,
        on_packet=lambda packet: None,
        on_event=lambda event: None,
    )
    return SipSession(request, read_destination(to, shown=AGENT))


@pytest.mark.parametrize(("early", "expected"), [(True, 4711), (False, None)])
async def test_early_media_ends_when_the_answer_comes(
    session: SipSession, monkeypatch: pytest.MonkeyPatch, early: bool, expected: int | None
) -> None:
    """Not when that is read: what the agent says meanwhile is of the call."""
    told: list[int | None] = []
    placing: Any = SimpleNamespace(answered_ns=4711)
    monkeypatch.setattr(session, "_placing", placing)
    monkeypatch.setattr(session, "_early_media", early)
    monkeypatch.setattr(session, "_read_answer", lambda answer: None)
    monkeypatch.setattr(session, "_connect_media", lambda *, answered_ns: told.append(answered_ns))
    monkeypatch.setattr(session.timer, "agreed", lambda answer: None)
    session._take_answer(SimpleNamespace())  # type: ignore[arg-type]
    assert told == [expected]


async def test_connecting_to_a_place_is_given_up_where_there_is_another(
    session: SipSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[tuple[Place, float | None]] = []
    places = [("192.0.2.1", 5060), ("192.0.2.2", 5060)]

    async def located(*told: Any, **more: Any) -> list[Place]:
        return places

    async def opened(carrier: str, peer: Place, *, within_s: float | None, **more: Any) -> None:
        tried.append((peer, within_s))
        raise Unreached("no connection")

    monkeypatch.setattr(dialling, "locate_all", located)
    monkeypatch.setattr(dialling, "open_wire", opened)
    with pytest.raises(Unreached):
        await session.connect()
    assert tried == [(places[0], NEXT_AFTER_S), (places[1], None)]


async def test_for_a_header_that_cannot_be_sent_nothing_is_opened(
    session: SipSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Place] = []

    async def located(*told: Any, **more: Any) -> list[Place]:
        return [("127.0.0.1", 9)]

    async def open_wire(carrier: str, peer: Place, **more: Any) -> MadePeer:
        opened.append(peer)
        return MadePeer()

    monkeypatch.setattr(dialling, "locate_all", located)
    monkeypatch.setattr(dialling, "open_wire", open_wire)
    to = OnTheWire(url=AGENT, headers={"User-Agent": "mine"})
    monkeypatch.setattr(session, "_request", replace(session._request, to=to))
    with pytest.raises(HarnessFault, match="User-Agent"):
        await session.connect()
    assert opened == []


async def test_only_an_agent_that_has_hung_up_gets_no_bye(session: SipSession) -> None:
    session.end("the agent transferred the call to sip:BYE@192.0.2.1")
    assert not session.peer_left
    session.end("the agent hung up (BYE)", left=True)
    assert session.peer_left


@pytest.mark.parametrize("reliable", [True, False])
async def test_a_lost_connection_does_not_end_a_standing_call(
    session: SipSession, monkeypatch: pytest.MonkeyPatch, reliable: bool
) -> None:
    """Nor does a datagram that found a port closed: the agent is asked, where nothing is heard of it."""
    endpoint: Any = SimpleNamespace(wire=SimpleNamespace(reliable=reliable))
    monkeypatch.setattr(session, "_endpoint", endpoint)
    monkeypatch.setattr(session, "_stands", True)
    session._on_lost("it closed the connection")
    assert not session.ended.done()
    assert len(session._background) == 1
    for task in session._background:
        task.cancel()


async def test_an_agent_is_told_where_we_are_over_another_connection(
    session: SipSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its BYE would go to our old port, where nobody hears."""
    first, second = MadePeer(), MadePeer()
    second.local = ("127.0.0.1", 40_001)
    opened = [first, second]

    async def open_(*told: Any, **more: Any) -> MadePeer:
        return opened.pop(0)

    monkeypatch.setattr(dialling, "open_wire", open_)
    monkeypatch.setattr(lost_way, "open_wire", open_)
    session._destination = replace(session._destination, carrier="tcp")
    placed = asyncio.create_task(session.connect())
    async with asyncio.timeout(5):
        while not first.got:  # noqa: ASYNC110 - it comes with the next turns of the loop
            await asyncio.sleep(0)
        await first.says(200, body=ANSWER)
        await placed
        # Before we have anything to say ourselves.
        first.on_lost("it closed the connection")
        while not second.got:  # noqa: ASYNC110
            await asyncio.sleep(0)
    (told,) = second.got
    assert told.method == "INVITE"
    assert ":40001;" in told.headers["Contact"]
    session.peer_left = True
    await session.close()


async def test_a_connection_that_is_lost_with_the_answer_is_lost_to_the_call(
    session: SipSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = MadePeer(), MadePeer()
    opened = [first, second]

    async def open_(*told: Any, **more: Any) -> MadePeer:
        return opened.pop(0)

    told: list[str] = []
    monkeypatch.setattr(session, "tell", lambda kind, data: told.append(kind))
    monkeypatch.setattr(dialling, "open_wire", open_)
    monkeypatch.setattr(lost_way, "open_wire", open_)
    session._destination = replace(session._destination, carrier="tcp")
    placed = asyncio.create_task(session.connect())
    async with asyncio.timeout(5):
        while not first.got:  # noqa: ASYNC110 - it comes with the next turns of the loop
            await asyncio.sleep(0)
        saying = first.says(200, body=ANSWER)
        # Up to its first pause: it has said it, and nobody has read it.
        saying.send(None)
        first.on_lost("it closed the connection")
        await placed
        saying.close()
        while len(second.got) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0)
    assert [one.method for one in first.got] == ["INVITE"]
    assert [one.method for one in second.got] == ["ACK", "INVITE"]
    assert told.count("signalling-lost") == 1
    session.peer_left = True
    await session.close()


async def test_of_a_call_that_is_over_no_loss_is_told(
    session: SipSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "_stands", True)
    told: list[str] = []
    monkeypatch.setattr(session, "tell", lambda kind, data: told.append(kind))
    session.end("the caller hung up")
    session._on_lost("it closed the connection")
    assert (told, session._background) == ([], set())
