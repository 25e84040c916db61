"""A wire outlives its connection: what is to be sent goes over another one."""

from __future__ import annotations

import asyncio

import pytest

from harness.transports.sip.answering.line import LineWire
from harness.transports.sip.signalling import lasting as lasting_module
from harness.transports.sip.signalling.lasting import LastingWire
from harness.transports.sip.signalling.wire import OnData, Place, Unreached, Wire

TO = ("127.0.0.1", 5060)


class Under:
    """A connection, or a socket."""

    def __init__(self, port: int, *, reliable: bool = True) -> None:
        self.name = "TCP" if reliable else "UDP"
        self.reliable = reliable
        self.local: Place = ("127.0.0.1", port)
        self.on_data: OnData = lambda data, source: None
        self.on_lost = lambda why: None
        self.sent: list[bytes] = []
        self.is_closed = False

    def send(self, data: bytes, to: Place) -> None:
        self.sent.append(data)

    def close(self) -> None:
        self.is_closed = True

    async def closed(self) -> None:
        return


async def _settled() -> None:
    for _ in range(6):
        await asyncio.sleep(0)


async def test_what_is_sent_after_the_loss_goes_over_another_connection() -> None:
    first, second = Under(1), Under(2)
    opened: list[int] = []
    may_open = asyncio.Event()

    async def way() -> Wire:
        opened.append(1)
        await may_open.wait()
        return second

    wire = LastingWire(first)
    lost: list[str] = []
    heard: list[bytes] = []
    wire.on_lost, wire.way = lost.append, way
    wire.on_data = lambda data, source: heard.append(data)
    wire.send(b"1", TO)
    first.on_lost("it closed the connection")
    assert (lost, opened) == (["it closed the connection"], [])
    assert wire.why_lost == "it closed the connection"
    wire.send(b"2", TO)
    wire.send(b"3", TO)
    await _settled()
    may_open.set()
    await _settled()
    wire.send(b"4", TO)
    second.on_data(b"answer", TO)
    assert (first.sent, second.sent, opened, heard) == ([b"1"], [b"2", b"3", b"4"], [1], [b"answer"])
    assert (wire.local, wire.why_lost) == (("127.0.0.1", 2), "")
    # It is lost, too.
    second.on_lost("again")
    assert lost[1:] == ["again"]
    wire.close()
    wire.send(b"5", TO)
    await _settled()
    assert (second.is_closed, opened) == (True, [1])


async def test_where_nobody_is_any_more_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lasting_module, "MAX_HELD_BACK", 2)
    first = Under(1)
    wire = LastingWire(first)
    lost: list[str] = []
    wire.on_lost = lost.append
    first.on_lost("closed")
    # Before the call stands nothing is opened.
    wire.send(b"1", TO)
    await _settled()
    assert (lost, first.sent) == (["closed"], [])
    tried: list[int] = []

    async def way() -> Wire:
        tried.append(1)
        raise Unreached("nothing answers there")

    wire.way = way
    for _ in range(9):
        wire.send(b"2", TO)
    await _settled()
    assert (lost[1:], tried) == (["nothing answers there"], [1])
    # Whoever asks later tries again.
    wire.send(b"3", TO)
    await _settled()
    assert tried == [1, 1]


async def test_a_datagram_that_nobody_took_is_not_the_last_one() -> None:
    socket = Under(1, reliable=False)
    wire = LastingWire(socket)
    lost: list[str] = []
    wire.on_lost = lost.append
    socket.on_lost("nothing answers there")
    wire.send(b"1", TO)
    assert (lost, socket.sent) == (["nothing answers there"], [b"1"])


async def test_on_a_line_the_peer_may_be_the_first_to_connect_again() -> None:
    first, theirs, ours = Under(1), Under(2), Under(3)
    adopted: list[Wire] = []
    may_open = asyncio.Event()

    async def way() -> Wire:
        await may_open.wait()
        return ours

    wire = LineWire(first, ("127.0.0.1", 5060), lambda: None, adopted.append)
    wire.way = way
    wire.lost("closed")
    wire.send(b"1", TO)
    await _settled()
    wire.moves_to(theirs)
    may_open.set()
    await _settled()
    assert (theirs.sent, ours.sent, wire.local) == ([b"1"], [], ("127.0.0.1", 5060))
    # What comes over ours is brought here all the same, and it is closed with the line.
    assert adopted == wire.opened == [ours]
