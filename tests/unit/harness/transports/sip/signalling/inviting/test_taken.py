"""A call that is taken: acknowledged at once, and taken at the moment when its answer came."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sipmessage import Response

from harness.transports.sip.address import Destination, parse_uri
from harness.transports.sip.signalling import asking as asking_module
from harness.transports.sip.signalling.asking import Asking
from harness.transports.sip.signalling.inviting.placing import Placing, begun
from harness.transports.sip.signalling.login import Login
from harness.transports.sip.signalling.transactions import Endpoint
from harness.transports.sip.signalling.wire import Place
from tests.unit.harness.transports.sip.signalling.made_peer import HOP, MadePeer

FOUND = ("127.0.0.77", 5077)


@asynccontextmanager
async def _placed(peer: MadePeer) -> AsyncIterator[tuple[Placing, asyncio.Task[Response]]]:
    endpoint = Endpoint(peer)
    destination = Destination(uri=parse_uri("sip:agent@127.0.0.1"), carrier="udp")
    asking = Asking(
        endpoint=endpoint,
        destination=destination,
        login=Login(user="", password=""),
        hop=HOP,
        shown="agent",
        dialog=begun(destination, at=peer.local),
    )
    placing = Placing(
        asking=asking,
        offer=b"v=0\r\n",
    )
    endpoint.on_success = placing.confirm
    placed = asyncio.create_task(placing.place())
    await asyncio.sleep(0)
    try:
        yield placing, placed
    finally:
        placed.cancel()
        placing.close()
        endpoint.close()
        await asyncio.gather(placed, return_exceptions=True)


class Names:
    """Stands in for DNS: answers when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.answer = asyncio.Event()
        monkeypatch.setattr(asking_module, "locate", self._locate)

    async def _locate(self, host: str, port: int | None, carrier: str, *, shown: str) -> Place:
        if host == "slow.example":
            await self.answer.wait()
            return FOUND
        return (host, port or 5060)


NAMED = [("Record-Route", "<sip:slow.example;lr>")]


async def test_the_acknowledgement_waits_for_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    names, peer = Names(monkeypatch), MadePeer(reliable=False)
    async with _placed(peer) as (placing, placed):
        await peer.says(200, more=NAMED, body=b"v=0\r\n")
        assert placed.done()
        assert [one.method for one in peer.got] == ["INVITE", "ACK"]
        # Where the INVITE went; the name is the proxy's, which stood on the way.
        assert peer.went == [HOP, HOP]
        names.answer.set()
        for _ in range(4):
            await asyncio.sleep(0)
        # It asks again, and is acknowledged where its proxy is by now.
        await peer.says(200, more=NAMED, body=b"v=0\r\n")
        assert [one.method for one in peer.got] == ["INVITE", "ACK", "ACK"]
        assert peer.went[-1] == placing.asking.hop == FOUND


async def test_an_address_is_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    Names(monkeypatch)
    peer = MadePeer(reliable=False)
    async with _placed(peer):
        await peer.says(200, body=b"v=0\r\n")
        assert peer.went == [HOP, ("127.0.0.9", 5070)]


@pytest.mark.parametrize("found", [True, False])
async def test_hanging_up_waits_a_moment_for_a_name(monkeypatch: pytest.MonkeyPatch, found: bool) -> None:
    monkeypatch.setattr(asking_module, "NAME_S", 5.0 if found else 0.0)
    names, peer = Names(monkeypatch), MadePeer(reliable=False)
    async with _placed(peer) as (placing, placed):
        await peer.says(200, more=NAMED, body=b"v=0\r\n")
        await placed
        placing.close()
        hanging_up = asyncio.create_task(placing.asking.bye())
        await asyncio.sleep(0)
        if found:
            names.answer.set()
        for _ in range(10):
            await asyncio.sleep(0)
        assert peer.got[-1].method == "BYE"
        assert peer.went[-1] == (FOUND if found else HOP)
        await peer.says(200, to=peer.got[-1])
        await hanging_up


async def test_a_call_is_taken_when_its_answer_comes_and_not_when_that_is_read() -> None:
    peer = MadePeer()
    async with _placed(peer) as (placing, placed):
        before_ns = time.monotonic_ns()
        saying = peer.says(200, body=b"v=0\r\n")
        # Up to its first pause: it has said it, and nobody has read it.
        saying.send(None)
        after_ns = time.monotonic_ns()
        assert not placed.done()
        await placed
        assert before_ns <= placing.answered_ns <= after_ns
        saying.close()
