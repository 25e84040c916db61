"""Timestamps at a TCP socket: when what was read from a stream had really come.

The kernel stamps the segments of a stream as it stamps datagrams, and tells the stamp of the last one that a
reading took from (``SO_TIMESTAMPNS``, Linux since 4.17). What was held back until a busy event loop came to
it is so known to be older. Where one reading takes several segments, the earlier ones count as come with the
last.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any

from harness.transports.kernel_stamps import TIMESPEC, arrival_ns_of, enable_kernel_timestamps


class StampedStream:
    """Stands in for the socket inside an asyncio stream transport; everything else is passed through to it.

    Attributes:
        arrived_ns: When the last of what was read last had come (monotonic); None before anything was read.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self.arrived_ns: int | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def recv(self, size: int) -> bytes:
        """As ``socket.recv``."""
        data, ancillary, _, _ = self._sock.recvmsg(size, socket.CMSG_SPACE(TIMESPEC.size))
        self.arrived_ns = arrival_ns_of(ancillary)
        return data

    def recv_into(self, buffer: Any) -> int:
        """As ``socket.recv_into``."""
        count, ancillary, _, _ = self._sock.recvmsg_into([buffer], socket.CMSG_SPACE(TIMESPEC.size))
        self.arrived_ns = arrival_ns_of(ancillary)
        return count


def stamped_stream(transport: asyncio.BaseTransport) -> StampedStream | None:
    """Puts a :class:`StampedStream` under an open asyncio stream transport, or the one below its TLS.

    Returns:
        None where the kernel does not stamp, or the transport is not of asyncio's own selector loop.
    """
    below: Any = getattr(getattr(transport, "_ssl_protocol", None), "_transport", transport)
    sock = getattr(below, "_sock", None)
    if not isinstance(sock, socket.socket) or not enable_kernel_timestamps(sock):
        return None
    stream = StampedStream(sock)
    below._sock = stream
    return stream
