"""How messages travel: connecting, and what becomes of a connection."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator

import pytest

from harness.transports.sip.signalling import wire as wire_module
from harness.transports.sip.signalling.reaching import first_reached
from harness.transports.sip.signalling.wire import (
    Place,
    StreamWire,
    UdpWire,
    Unreached,
    Wire,
    as_dialled,
    open_wire,
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
