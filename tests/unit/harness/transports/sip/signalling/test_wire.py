"""How messages travel: connecting, and what becomes of a connection."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator

import pytest

from harness.transports.sip.signalling import wire as wire_module
from harness.transports.sip.signalling.inviting.reaching import first_reached
from harness.transports.sip.signalling.transactions import Endpoint
from harness.transports.sip.signalling.wire import (
    OnData,
    Place,
    StreamWire,
    UdpWire,
    Unreached,
    Wire,
    as_dialled,
    open_wire,
)

HOP = ("192.0.2.1", 5060)
BROKEN = (
    b"OPTIONS sip:us@192.0.2.9 SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.66:9;branch=z9hG4bKx\r\n"
    b"From: <sip:a@h>;tag=1\r\nTo: <sip:us@h>\r\nCall-ID: c\r\nCSeq: 1 OPTIONS\r\n"
    b"Content-Length: 99\r\n\r\nx"
)


@pytest.fixture
def deaf() -> Iterator[Place]:
    """Where a connection comes about and nobody says a word over it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()


@pytest.fixture
def hearing() -> Iterator[Place]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()


@contextlib.contextmanager
def closed_port(address: str) -> Iterator[Place]:
    """Where nobody listens. The port of a connected socket is closed to all but its peer, and given to nobody
    else meanwhile."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as sock:
        sock.bind((address, 0))
        sock.connect((address, 9))
        yield sock.getsockname()[:2]


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - it comes with the next turns of the loop
            await asyncio.sleep(0.001)


async def test_connecting_has_its_limit(deaf: Place) -> None:
    with pytest.raises(Unreached, match=r"agent: no connection within 0\.05 s"):
        await open_wire("tls", deaf, server_name="h", ca_file=None, shown="agent", within_s=0.05)


async def test_the_second_place_is_tried_where_the_first_never_connects(deaf: Place, hearing: Place) -> None:
    left: list[Place] = []

    async def call_at(place: Place, unheard_s: float | None) -> Wire:
        carrier = "tls" if place == deaf else "tcp"
        within_s = None if unheard_s is None else unheard_s / 80
        return await open_wire(
            carrier, place, server_name="h", ca_file=None, shown="agent", within_s=within_s
        )

    async def on_next(place: Place, following: Place, why: Unreached) -> None:
        left.append(place)

    wire = await first_reached([deaf, hearing], call_at, on_next=on_next)
    assert isinstance(wire, StreamWire)
    assert (left, wire.peer) == ([deaf], hearing)
    wire.close()
    await wire.closed()


async def test_a_connection_that_we_opened_is_kept_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire_module, "PING_S", 0.02)
    got: list[bytes] = []
    pinged, gone = asyncio.Event(), asyncio.Event()

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError):
            while True:
                got.append(await reader.readexactly(4))
                writer.write(b"\r\n")
                if len(got) == 4:
                    # Its answers are no message, and nothing to be answered.
                    writer.write(b"SIP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n")
                    pinged.set()
        writer.close()
        gone.set()

    server = await asyncio.start_server(proxy, "127.0.0.1", 0)
    place = server.sockets[0].getsockname()[:2]
    wire = await open_wire("tcp", place, server_name="", ca_file=None, shown="agent")
    heard: list[bytes] = []
    wire.on_data = lambda data, source: heard.append(data)
    async with asyncio.timeout(5):
        await pinged.wait()
        while not heard:  # noqa: ASYNC110 - it comes with the next turns of the loop
            await asyncio.sleep(0)
        wire.close()
        await wire.closed()
        await gone.wait()
    assert set(got) == {b"\r\n\r\n"}
    assert heard[0].strip().startswith(b"SIP/2.0 200 OK")
    server.close()


def test_an_ipv4_caller_is_told_by_the_address_that_people_know() -> None:
    assert as_dialled(("::ffff:192.0.2.1", 5060)) == ("192.0.2.1", 5060)
    assert as_dialled(("::FFFF:192.0.2.1", 5060)) == ("192.0.2.1", 5060)
    for same in (("2001:db8::1", 5060), ("::ffff:1", 5060), ("192.0.2.1", 5060)):
        assert as_dialled(same) == same


async def test_whoever_calls_by_ipv4_where_both_are_taken_is_known_and_answered() -> None:
    wire = UdpWire("::")
    heard: asyncio.Queue[tuple[bytes, Place]] = asyncio.Queue()
    wire.on_data = lambda data, source: heard.put_nowait((data, source))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as caller:
        caller.bind(("127.0.0.1", 0))
        caller.settimeout(5.0)
        caller.sendto(b"hello", ("127.0.0.1", wire.local[1]))
        async with asyncio.timeout(5):
            data, source = await heard.get()
        assert (data, source) == (b"hello", caller.getsockname())
        wire.send(b"answer", source)
        assert caller.recv(100) == b"answer"
    wire.close()


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
async def test_only_a_request_of_ours_that_finds_nobody_is_a_loss(address: str) -> None:
    """An answer goes where a stranger, or a peer behind a translator of addresses, says that it listens."""
    wire = UdpWire(address)
    lost: list[str] = []
    wire.on_lost = lost.append
    with closed_port(address) as nobody, closed_port(address) as hop:
        for _ in range(3):
            wire.send(b"SIP/2.0 400 Bad Request\r\n\r\n", nobody)
            await asyncio.sleep(0.02)
        assert lost == []
        wire.send(b"OPTIONS sip:a SIP/2.0\r\n\r\n", hop)
        await until(lambda: bool(lost))
        assert lost == ["nothing answers there (Connection refused)"]
        # Told of while something else is sent.
        wire.send(b"OPTIONS sip:a SIP/2.0\r\n\r\n", hop)
        wire.send(b"SIP/2.0 200 OK\r\n\r\n", nobody)
        wire.send(b"SIP/2.0 200 OK\r\n\r\n", nobody)
        await until(lambda: len(lost) > 1)
        assert set(lost) == {"nothing answers there (Connection refused)"}
    wire.close()


async def test_what_cannot_be_sent_at_all_is_a_loss_where_it_asks() -> None:
    wire = UdpWire("127.0.0.1")
    lost: list[str] = []
    wire.on_lost = lost.append
    too_long = bytes(70_000)
    wire.send(b"SIP/2.0 200 OK" + too_long, ("127.0.0.1", 9))
    assert lost == []
    wire.send(b"OPTIONS" + too_long, ("127.0.0.1", 9))
    assert lost == ["nothing answers there (Message too long)"]
    wire.close()


class Kept:
    """A wire that keeps what is sent."""

    local: Place = ("192.0.2.9", 40_000)

    def __init__(self, *, reliable: bool) -> None:
        self.name, self.reliable = "TCP" if reliable else "UDP", reliable
        self.on_data: OnData = lambda data, source: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self.sent: list[bytes] = []

    def send(self, data: bytes, to: Place) -> None:
        self.sent.append(data)

    def close(self) -> None:
        return

    async def closed(self) -> None:
        return


@pytest.mark.parametrize(
    ("source", "reliable", "answered"),
    [
        (HOP, False, True),
        # A peer may send from another port than it hears at.
        ((HOP[0], 40_001), False, True),
        (("192.0.2.66", 5060), False, False),
        # At the other end of a connection there is nobody else.
        (("192.0.2.66", 5060), True, True),
    ],
)
async def test_only_whom_we_speak_with_is_told_that_a_request_cannot_be_read(
    source: Place, reliable: bool, answered: bool
) -> None:
    wire = Kept(reliable=reliable)
    endpoint = Endpoint(wire)
    endpoint.ask(b"INVITE", to=HOP, method="INVITE", branch="z9hG4bKa")
    wire.sent.clear()
    wire.on_data(BROKEN, source)
    assert [one[:12] for one in wire.sent] == [b"SIP/2.0 400 "] * answered
    assert sum(endpoint.dropped.values()) == 1
    endpoint.close()
