"""Provisional responses that are to be acknowledged (RFC 3262): by PRACK, once each, in their own dialogs."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sipmessage import Request, Response

from harness.transports.sip.address import Destination, parse_uri
from harness.transports.sip.signalling.asking import Asking
from harness.transports.sip.signalling.inviting import reliable
from harness.transports.sip.signalling.inviting.placing import Placing, begun
from harness.transports.sip.signalling.login import Login
from harness.transports.sip.signalling.transactions import Endpoint
from tests.unit.harness.transports.sip.signalling.made_peer import HOP, MadePeer

Placed = tuple[Placing, MadePeer, "asyncio.Task[Response]", list[int]]


@asynccontextmanager
async def _placed(user: str = "") -> AsyncIterator[Placed]:
    """A call that is being placed, and the codes that were heeded."""
    peer, heeded = MadePeer(), list[int]()
    endpoint = Endpoint(peer)
    destination = Destination(uri=parse_uri("sip:agent@127.0.0.1"), carrier="tcp")
    asking = Asking(
        endpoint=endpoint,
        destination=destination,
        login=Login(user=user, password=user),
        hop=HOP,
        shown="agent",
        dialog=begun(destination, at=peer.local),
    )
    placing = Placing(
        asking=asking,
        offer=b"v=0\r\n",
        on_provisional=lambda response: heeded.append(response.code),
    )
    endpoint.on_success = placing.confirm
    placed = asyncio.create_task(placing.place())
    await asyncio.sleep(0)
    try:
        yield placing, peer, placed, heeded
    finally:
        placed.cancel()
        placing.close()
        endpoint.close()
        await asyncio.gather(placed, return_exceptions=True)


def _number(request: Request) -> int:
    return int(request.headers["CSeq"].split()[0])


async def test_what_wants_to_be_acknowledged_is_by_the_rule() -> None:
    async with _placed() as (_, peer, _, heeded):
        [invite] = peer.asked("INVITE")
        assert "100rel" in invite.headers["Supported"]
        await peer.says(180, sequence="4711", more=[("Record-Route", "<sip:p2;lr>, <sip:p1;lr>")])
        [prack] = peer.asked("PRACK")
        assert prack.headers["RAck"] == f"4711 {_number(invite)} INVITE"
        assert _number(prack) == _number(invite) + 1
        assert str(prack.uri) == "sip:desk@127.0.0.9:5070"
        assert prack.headers["To"].endswith("tag=a")
        assert prack.headers["Call-ID"] == invite.headers["Call-ID"]
        assert re.findall(r"sip:p\d", " ".join(prack.headers.getlist("Route"))) == ["sip:p1", "sip:p2"]
        assert heeded == [180]


async def test_what_does_not_want_it_is_not() -> None:
    async with _placed() as (_, peer, _, heeded):
        await peer.says(180)
        # A number without the wish, and wishes that nobody can answer.
        await peer.says(181, more=[("RSeq", "1")])
        for broken in ("", "0", "x", "-1", "4294967296", "9" * 40, "١"):
            await peer.says(182, more=[("Require", "100rel"), ("RSeq", broken)])
        assert peer.asked("PRACK") == []
        assert heeded == [180, 181] + 7 * [182]


async def test_copies_and_what_comes_out_of_order_are_passed_over() -> None:
    async with _placed() as (_, peer, _, heeded):
        for code, sequence in ((180, "5"), (180, "5"), (183, "7"), (182, "4"), (181, "6"), (183, "7")):
            await peer.says(code, sequence=sequence)
        acknowledged = [one.headers["RAck"].split()[0] for one in peer.asked("PRACK")]
        assert acknowledged == ["5", "6", "7"]
        assert heeded == [180, 181, 183]
        numbers = [_number(one) for one in peer.asked("PRACK")]
        assert numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2]


async def test_each_phone_that_rings_counts_by_itself() -> None:
    async with _placed() as (placing, peer, placed, _):
        invite = peer.asked("INVITE")[0]
        for tag, sequence in (("a", "1"), ("b", "900"), ("a", "2")):
            await peer.says(180, tag=tag, sequence=sequence)
        assert [_number(one) - _number(invite) for one in peer.asked("PRACK")] == [1, 1, 2]
        await peer.says(200, tag="a", body=b"v=0\r\n")
        await placed
        assert _number(peer.asked("ACK")[0]) == _number(invite)
        hanging_up = asyncio.create_task(placing.asking.bye())
        await asyncio.sleep(0)
        # Behind the PRACKs of this phone.
        assert _number(peer.asked("BYE")[0]) == _number(invite) + 3
        # The other phone was taken, too: it is acknowledged, and hung up behind its own PRACK.
        await peer.says(200, tag="b", body=b"v=0\r\n")
        assert [_number(one) - _number(invite) for one in peer.asked("BYE")] == [3, 2]
        hanging_up.cancel()


async def test_an_answer_that_was_acknowledged_need_not_come_again() -> None:
    async with _placed() as (placing, peer, placed, _):
        await peer.says(183, tag="b", sequence="1", body=b"of another phone")
        await peer.says(183, tag="a", sequence="1", body=b"the answer")
        await peer.says(180, tag="a", sequence="2")
        await peer.says(200, tag="a")
        assert placing.answer_before(await placed) == b"the answer"
    async with _placed() as (placing, peer, placed, _):
        # What was not acknowledged is no answer: the 200 has it.
        await peer.says(183, body=b"early media")
        await peer.says(200)
        assert placing.answer_before(await placed) == b""


async def test_a_server_may_want_to_know_who_acknowledges() -> None:
    async with _placed(user="bob") as (_, peer, _, _):
        await peer.says(180, sequence="1")
        challenge = ("WWW-Authenticate", 'Digest realm="r", nonce="n", algorithm=MD5')
        await peer.says(401, to=peer.asked("PRACK")[0], more=[challenge])
        first, second = peer.asked("PRACK")
        assert 'username="bob"' in second.headers["Authorization"]
        assert second.headers["RAck"] == first.headers["RAck"]
        assert _number(second) == _number(first) + 1


async def test_a_new_invite_begins_anew() -> None:
    async with _placed(user="bob") as (_, peer, _, _):
        await peer.says(180, sequence="8")
        await peer.says(401, more=[("WWW-Authenticate", 'Digest realm="r", nonce="n", algorithm=MD5')])
        await peer.says(180, sequence="8")
        _, again = peer.asked("INVITE")
        assert peer.asked("PRACK")[-1].headers["RAck"] == f"8 {_number(again)} INVITE"
        assert len(peer.asked("PRACK")) == 2


async def test_a_cancel_is_of_the_invite_whatever_was_acknowledged() -> None:
    async with _placed() as (placing, peer, _, _):
        await peer.says(180, sequence="1")
        giving_up = asyncio.create_task(placing.cancel())
        await asyncio.sleep(0)
        assert _number(peer.asked("CANCEL")[0]) == _number(peer.asked("INVITE")[0])
        giving_up.cancel()


async def test_a_flood_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reliable, "MAX_EARLY", 2)
    monkeypatch.setattr(reliable, "MAX_ACKNOWLEDGED", 4)
    async with _placed() as (_, peer, _, heeded):
        for tag in "abc":
            await peer.says(180, tag=tag, sequence="1")
        for sequence in range(2, 9):
            await peer.says(183, tag="a", sequence=str(sequence))
        assert len(peer.asked("PRACK")) == 4
        assert heeded == [180, 180, 183, 183]
