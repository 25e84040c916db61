"""A stream's arrivals are the kernel's: who reads late knows all the same when the bytes had come."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from harness.selfcheck.relay import write_certificate
from harness.transports.webrtc.stream_socket import StampedStream, stamped_stream

HELD_UP_S = 0.03
PATIENCE_S = 20.0


def hold_up() -> None:
    """Nothing of the event loop runs meanwhile."""
    time.sleep(HELD_UP_S)


class Reader(asyncio.Protocol):
    """Notes for each piece that is read when it was read, and when it had come."""

    def __init__(self) -> None:
        self.stream: StampedStream | None = None
        self.read: list[tuple[bytes, float, float]] = []
        self.gone = asyncio.Event()

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone.set()

    def data_received(self, data: bytes) -> None:
        assert self.stream is not None
        assert self.stream.arrived_ns is not None
        self.read.append((data, time.monotonic(), self.stream.arrived_ns / 1e9))

    async def has_read(self, data: bytes) -> None:
        """Returns when so much was read in all."""
        async with asyncio.timeout(PATIENCE_S):
            while b"".join(piece for piece, _, _ in self.read) != data:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.001)


@contextlib.asynccontextmanager
async def reading(tls: Path | None) -> AsyncIterator[tuple[Reader, asyncio.StreamWriter]]:
    """One who reads from a stream, and the other end of it."""
    there: asyncio.Future[asyncio.StreamWriter] = asyncio.get_running_loop().create_future()
    theirs, ours = None, None
    if tls is not None:
        write_certificate(tls / "cert.pem", tls / "key.pem")
        theirs = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        theirs.load_cert_chain(tls / "cert.pem", tls / "key.pem")
        ours = ssl.create_default_context(cafile=str(tls / "cert.pem"))
    server = await asyncio.start_server(
        lambda _, writer: there.set_result(writer), host="127.0.0.1", port=0, ssl=theirs
    )
    port = server.sockets[0].getsockname()[1]
    transport, reader = await asyncio.get_running_loop().create_connection(
        Reader, host="127.0.0.1", port=port, ssl=ours
    )
    reader.stream = stamped_stream(transport)
    writer = await there
    try:
        yield reader, writer
    finally:
        transport.close()
        writer.close()
        server.close()
        async with asyncio.timeout(PATIENCE_S):
            await reader.gone.wait()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


@pytest.mark.parametrize("over", ["tcp", "tls"])
async def test_what_a_busy_loop_reads_late_had_come_before(over: str, tmp_path: Path) -> None:
    async with reading(tmp_path if over == "tls" else None) as (reader, writer):
        written = b""
        for number in range(5):
            writes_s = time.monotonic()
            writer.write(b"packet %d" % number)
            written_s = time.monotonic()
            hold_up()
            written += b"packet %d" % number
            await reader.has_read(written)
            data, read_s, came_s = reader.read[-1]
            assert data == b"packet %d" % number
            assert read_s - written_s >= HELD_UP_S
            # Whatever held us up while we wrote is not the reader's.
            assert writes_s <= came_s < written_s + HELD_UP_S / 2
    assert len(reader.read) == 5


async def test_of_what_is_read_at_once_the_last_piece_counts() -> None:
    async with reading(None) as (reader, writer):
        writer.write(b"one")
        hold_up()
        last_s = time.monotonic()
        writer.write(b"two")
        await reader.has_read(b"onetwo")
    _, read_s, came_s = reader.read[-1]
    assert last_s <= came_s <= read_s


async def test_a_transport_without_a_socket_is_left_alone() -> None:
    assert stamped_stream(asyncio.Transport()) is None
