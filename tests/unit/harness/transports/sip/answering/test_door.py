"""What comes through the door: each message to its own call, strangers' answered and not remembered."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from sipmessage import Request

from harness.errors import UserError
from harness.transports.sip.answering import door as door_module
from harness.transports.sip.answering.door import Door
from harness.transports.sip.answering.line import Line
from harness.transports.sip.signalling.wire import Place, StreamWire, Wire, open_wire

QUIET_S = 0.1
"""Who is not answered by then is not answered."""


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - it comes with the next turns of the loop
            await asyncio.sleep(0.001)


class Agent:
    """A socket of somebody who talks to us."""

    def __init__(self, port: int) -> None:
        self._sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._sock.bind(("127.0.0.1", 0))
        self._sock.connect(("127.0.0.1", port))
        self._sock.setblocking(False)

    @property
    def port(self) -> int:
        return int(self._sock.getsockname()[1])

    def send(self, data: bytes) -> None:
        self._sock.send(data)

    async def codes(self, count: int) -> list[int]:
        """Of what came back, once so many did; of none, after a while."""
        found: list[int] = []
        await until(lambda: len(self._take(found)) >= count)
        await asyncio.sleep(0.0 if count else QUIET_S)
        return self._take(found)

    def _take(self, found: list[int]) -> list[int]:
        while True:
            try:
                found.append(int(self._sock.recv(65_535).split(b" ")[1]))
            except BlockingIOError:
                return found

    def close(self) -> None:
        self._sock.close()


def request(method: str, *, call_id: str = "c1", number: int = 1, tag: str = "", more: str = "") -> bytes:
    return (
        f"{method} sip:b@127.0.0.1 SIP/2.0\r\n"
        f"Via: SIP/2.0/UDP h;rport;branch=z9hG4bK{method}{number}{call_id}\r\n"
        f"From: <sip:a@h>;tag=1\r\nTo: <sip:b@h>{tag}\r\nCall-ID: {call_id}\r\n"
        f"CSeq: {number} {method}\r\n{more}\r\n"
    ).encode()


Opened = Callable[..., Any]


@pytest.fixture
async def opened() -> AsyncIterator[Opened]:
    """Opens a door on loopback, and somebody before it: both, and what was taken and turned away."""
    open_: list[Any] = []

    async def make(admits: bool = True) -> tuple[Door, Agent, list[tuple[Line, Request]], list[Request]]:
        taken: list[tuple[Line, Request]] = []
        away: list[Request] = []

        def on_invite(line: Line, invite: Request, source: Place) -> None:
            taken.append((line, invite))

        door = Door(
            admits=lambda host: admits,
            on_invite=on_invite,
            on_turned_away=lambda invite, source: away.append(invite),
        )
        await door.open("127.0.0.1", 0)
        agent = Agent(door.address[1])
        open_.extend([door, agent])
        return door, agent, taken, away

    yield make
    for one in open_:
        one.close()


async def test_a_call_has_a_line_and_what_follows_goes_there(opened: Opened) -> None:
    _, agent, taken, _ = await opened()
    agent.send(request("INVITE"))
    agent.send(request("INVITE", call_id="c2"))
    await until(lambda: len(taken) == 2)
    assert [invite.headers["Call-ID"] for _, invite in taken] == ["c1", "c2"]
    line, invite = taken[0]
    line.endpoint.reply(invite, 180, to_tag="t")
    heard: list[str] = []
    line.endpoint.on_request = lambda one, source: heard.append(one.method)
    agent.send(request("CANCEL"))
    # A copy of the INVITE gets our answer again, and is no new call.
    agent.send(request("INVITE"))
    assert await agent.codes(2) == [180, 180]
    assert (heard, len(taken)) == (["CANCEL"], 2)


async def test_a_call_that_is_over_does_not_ring_again(opened: Opened) -> None:
    _, agent, taken, _ = await opened()
    agent.send(request("INVITE"))
    await until(lambda: taken)
    taken[0][0].endpoint.close()
    agent.send(request("INVITE"))
    assert await agent.codes(1) == [481]
    assert len(taken) == 1


async def test_whoever_was_refused_may_ask_again_under_the_same_call_id(opened: Opened) -> None:
    _, agent, taken, _ = await opened()
    agent.send(request("INVITE", number=7))
    await until(lambda: taken)
    line, invite = taken[0]
    line.endpoint.reply(invite, 488, to_tag="t")
    line.endpoint.close()
    # A copy of what was refused, and one before it, are no new tries.
    agent.send(request("INVITE", number=7))
    agent.send(request("INVITE", number=6))
    assert await agent.codes(3) == [488, 481, 481]
    agent.send(request("INVITE", number=8))
    await until(lambda: len(taken) == 2)
    assert [one.headers["CSeq"] for _, one in taken] == ["7 INVITE", "8 INVITE"]
    taken[1][0].endpoint.close()
    agent.send(request("INVITE", number=8))
    assert await agent.codes(1) == [481]


async def test_a_second_try_on_the_same_line_counts(opened: Opened) -> None:
    """Whoever is asked for a password asks with a higher CSeq: a late copy of that is no new call either."""
    _, agent, taken, _ = await opened()
    agent.send(request("INVITE", number=1))
    await until(lambda: taken)
    line, _ = taken[0]
    heard: list[Request] = []
    line.endpoint.on_request = lambda one, source: heard.append(one)
    agent.send(request("INVITE", number=2))
    await until(lambda: heard)
    line.endpoint.close()
    agent.send(request("INVITE", number=2))
    assert await agent.codes(1) == [481]
    assert len(taken) == 1


async def test_nobody_begins_a_call_under_the_name_of_a_line_of_our_own(opened: Opened) -> None:
    door, agent, taken, _ = await opened()
    door.line("c1", towards=("127.0.0.1", agent.port)).endpoint.close()
    agent.send(request("INVITE", number=2**32 - 1))
    assert await agent.codes(1) == [481]
    assert taken == []


async def test_whoever_may_not_ring_is_counted_once(opened: Opened) -> None:
    door, agent, taken, away = await opened(admits=False)
    for _ in range(3):
        agent.send(request("INVITE"))
    agent.send(request("OPTIONS", call_id="c3"))
    assert await agent.codes(4) == [403] * 4
    assert (len(away), taken) == (1, [])
    # Nobody is connected with who may not ring.
    reader, writer = await asyncio.open_connection("127.0.0.1", door.address[1])
    assert await reader.read() == b""
    writer.close()


async def test_strangers_are_answered(opened: Opened) -> None:
    door, agent, taken, _ = await opened()
    agent.send(request("OPTIONS"))
    agent.send(request("BYE", tag=";tag=9"))
    agent.send(request("MESSAGE"))
    agent.send(request("ACK"))
    agent.send(b"SIP/2.0 200 OK\r\n" + request("BYE").partition(b"\r\n")[2])
    agent.send(b"\x00\xff nonsense")
    agent.send(b"\r\n\r\n")
    # Who is answered behind all of them: nothing of theirs is still to be read.
    agent.send(request("OPTIONS", call_id="last"))
    assert await agent.codes(4) == [200, 481, 405, 200]
    assert (taken, door.dropped.total()) == ([], 2)


async def test_a_request_that_cannot_be_read_is_refused(opened: Opened) -> None:
    door, agent, taken, _ = await opened()
    agent.send(request("INVITE", more="Content-Length: 99\r\n"))
    assert await agent.codes(1) == [400]
    assert (taken, door.dropped.total()) == ([], 1)
    # Whoever may not ring is told nothing of it.
    _, agent, _, _ = await opened(admits=False)
    agent.send(request("INVITE", more="Content-Length: 99\r\n"))
    assert await agent.codes(0) == []


async def test_too_many_calls_at_once(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_module, "MAX_LINES", 2)
    _, agent, taken, _ = await opened()
    for number in range(3):
        agent.send(request("INVITE", call_id=f"c{number}"))
    assert await agent.codes(1) == [503]
    assert len(taken) == 2


async def test_without_rport_answers_go_to_the_port_that_via_names(opened: Opened) -> None:
    """A peer that sends from one port and hears at another one (RFC 3261, 18.2.2)."""
    door, agent, taken, _ = await opened()
    hears = Agent(door.address[1])

    def of(method: str) -> bytes:
        return request(method).replace(b" h;rport;", f" 127.0.0.1:{hears.port};".encode())

    agent.send(of("OPTIONS"))
    assert (await hears.codes(1), await agent.codes(0)) == ([200], [])
    agent.send(of("INVITE"))
    await until(lambda: taken)
    ((line, invite),) = taken
    line.endpoint.reply(invite, 180, to_tag="t")
    agent.send(of("INVITE"))
    assert (await hears.codes(2), await agent.codes(0)) == ([180, 180], [])
    hears.close()


async def test_over_tcp(opened: Opened) -> None:
    door, _, taken, _ = await opened()
    reader, writer = await asyncio.open_connection("127.0.0.1", door.address[1])
    writer.write(request("INVITE", more="Content-Length: 0\r\n"))
    await until(lambda: taken)
    ((line, invite),) = taken
    assert (line.wire.name, line.wire.reliable) == ("TCP", True)
    line.endpoint.reply(invite, 486, to_tag="t")
    assert (await reader.readuntil(b"\r\n")).startswith(b"SIP/2.0 486")
    lost: list[str] = []
    line.wire.on_lost = lost.append
    writer.close()
    await until(lambda: lost)
    assert len(lost) == 1


async def test_a_connection_opened_for_a_call_belongs_to_it(opened: Opened) -> None:
    """In place of one that the agent closed: what comes over it is the call's, and it ends with that."""
    door, _, taken, _ = await opened()
    reader, writer = await asyncio.open_connection("127.0.0.1", door.address[1])
    writer.write(request("INVITE", more="Content-Length: 0\r\n"))
    await until(lambda: taken)
    ((line, invite),) = taken
    writer.close()
    await until(lambda: line.wire.why_lost)
    connected: asyncio.Queue[Any] = asyncio.Queue()
    server = await asyncio.start_server(lambda *ends: connected.put_nowait(ends), "127.0.0.1", 0)
    place = server.sockets[0].getsockname()[:2]
    line.wire.way = lambda: open_wire("tcp", place, server_name="", ca_file=None, shown="agent")
    heard: list[str] = []
    line.endpoint.on_request = lambda one, source: heard.append(one.method)
    line.endpoint.reply(invite, 180, to_tag="t")
    async with asyncio.timeout(5):
        reader, writer = await connected.get()
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"SIP/2.0 180")
        writer.write(request("BYE", more="Content-Length: 0\r\n"))
        while not heard:  # noqa: ASYNC110 - it comes with the next turns of the loop
            await asyncio.sleep(0)
        assert heard == ["BYE"]
        line.endpoint.close()
        assert await reader.read() == b""
    await door.closed()
    writer.close()
    server.close()


async def test_a_connection_that_another_took_the_place_of_stays_for_its_calls(opened: Opened) -> None:
    """A registrar that left one renewal unanswered: the calls that it brought by then go on."""
    door, *_ = await opened()
    connected: asyncio.Queue[Any] = asyncio.Queue()
    server = await asyncio.start_server(lambda *ends: connected.put_nowait(ends), "127.0.0.1", 0)
    place = server.sockets[0].getsockname()[:2]
    left = await open_wire("tcp", place, server_name="", ca_file=None, shown="registrar")
    assert isinstance(left, StreamWire)
    lines = [door.line(call_id, left, towards=place) for call_id in ("c1", "c2")]
    lost: list[str] = []
    heard: list[str] = []
    lines[0].endpoint.on_lost = lost.append
    lines[0].endpoint.on_request = lambda one, source: heard.append(one.method)
    async with asyncio.timeout(5):
        reader, writer = await connected.get()
        await door.discard(left)
        lines[1].endpoint.close()
        writer.write(request("BYE", tag=";tag=9", more="Content-Length: 0\r\n"))
        while not heard:  # noqa: ASYNC110 - it comes with the next turns of the loop
            await asyncio.sleep(0)
        assert (heard, lost) == (["BYE"], [])
        # With its last call it is closed, though another line was there before.
        lines[0].endpoint.close()
        assert await reader.read() == b""
    assert door._connections == door._left == set()
    await door.closed()
    writer.close()
    server.close()


async def test_what_waits_for_another_connection_hears_of_one_loss_once(opened: Opened) -> None:
    """Else a BYE that waits would be given up when the lost connection is put away."""
    door, *_ = await opened()
    connected: asyncio.Queue[Any] = asyncio.Queue()
    server = await asyncio.start_server(lambda *ends: connected.put_nowait(ends), "127.0.0.1", 0)
    place = server.sockets[0].getsockname()[:2]
    first = await open_wire("tcp", place, server_name="", ca_file=None, shown="registrar")
    assert isinstance(first, StreamWire)
    line = door.line("c1", first, towards=place)
    may_open = asyncio.Event()

    async def way() -> Wire:
        await may_open.wait()
        return await open_wire("tcp", place, server_name="", ca_file=None, shown="agent")

    line.wire.way = way
    lost: list[str] = []
    line.endpoint.on_lost = lost.append
    async with asyncio.timeout(5):
        (await connected.get())[1].close()
        while not lost:  # noqa: ASYNC110 - it comes with the next turns of the loop
            await asyncio.sleep(0)
        asked = line.endpoint.ask(request("BYE"), to=place, method="BYE", branch="b")
        await door.discard(first)
        may_open.set()
        reader, writer = await connected.get()
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"BYE")
    assert (lost, asked.is_broken_off) == (["it closed the connection"], False)
    line.endpoint.close()
    await door.closed()
    writer.close()
    server.close()


async def test_a_port_that_is_somebody_elses(opened: Opened) -> None:
    door, *_ = await opened()
    other = Door(
        admits=lambda host: True,
        on_invite=lambda line, invite, source: None,
        on_turned_away=lambda invite, source: None,
    )
    with pytest.raises(UserError, match="--listen: calls cannot be taken at"):
        await other.open("127.0.0.1", door.address[1])
