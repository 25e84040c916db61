"""How SIP messages travel: UDP, TCP and TLS (RFC 3261, section 18). One wire a call.

Whoever sends over UDP repeats itself (``transactions``); a stream is cut into messages by Content-Length.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
import re
import socket
import ssl
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from harness.errors import SetupFailed
from harness.transports.sip.address import Carrier
from harness.transports.sip.signalling.message import MAX_MESSAGE_BYTES
from harness.transports.tls import DISTRUSTED, trusted

Place = tuple[str, int]
"""An IP address and a port."""
OnData = Callable[[bytes, Place], None]

CLOSING_S = 0.5
PING_S = 30.0
"""So often a connection that we opened is used, so that no proxy, fence or translator of addresses on the way
takes it for idle (RFC 5626, 4.4.1: at most every 95 to 120 s)."""
_PING, _PONG = b"\r\n\r\n", b"\r\n"
_MAPPED = "::ffff:"
_IP_RECVERR = 11
_IPV6_RECVERR = 25
_MAX_ASKED = 100
"""Places that are remembered, since what comes back of a datagram that was sent there counts."""
_LENGTH = re.compile(rb"^(?:content-length|l)[ \t]*:[ \t]*(\d{1,9})[ \t]*$", re.IGNORECASE | re.MULTILINE)


class Wire(Protocol):
    """Carries messages to and from one peer.

    Attributes:
        name: As Via has it.
        reliable: Whether nothing is lost on it, so that nothing is sent twice.
        local: Our own end.
        on_data: Called with each message, or each datagram, and whence it came.
        on_lost: Called with what went wrong, once, when the peer cannot be reached (any more).
    """

    name: str
    reliable: bool
    local: Place
    on_data: OnData
    on_lost: Callable[[str], None]

    def send(self, data: bytes, to: Place) -> None:
        """Sends a message; over a stream always to the peer that it leads to."""

    def close(self) -> None:
        """Nothing is sent or received any more."""

    async def closed(self) -> None:
        """Returns when that is so, after :data:`CLOSING_S` at the latest."""


class Unreached(SetupFailed):
    """Nobody is there, or who is there takes no calls now: another place of the same host may."""


async def open_wire(
    carrier: Carrier,
    peer: Place,
    *,
    server_name: str,
    ca_file: Path | None,
    shown: str,
    within_s: float | None = None,
) -> Wire:
    """A wire to a peer.

    Args:
        within_s: So long connecting may take, the handshake of TLS with it; None: as long as the system
            tries.
        server_name: Whose certificate is wanted, over TLS.
        ca_file: Whom TLS trusts besides those that this machine trusts.
        shown: The address of the agent, for messages.

    Raises:
        Unreached: There is nobody to connect to.
        SetupFailed: Its certificate is not trusted.
    """
    if carrier == "udp":
        return UdpWire(local_address_towards(peer))
    try:
        context = await trusted(ca_file) if carrier == "tls" else None
        async with asyncio.timeout(within_s):
            reader, writer = await asyncio.open_connection(
                *peer,
                ssl=context,
                server_hostname=server_name if context is not None else None,
                limit=MAX_MESSAGE_BYTES,
            )
    except ssl.SSLCertVerificationError as error:
        raise SetupFailed(
            f"{shown}: its certificate is not trusted: {error.verify_message}; {DISTRUSTED}"
        ) from error
    except TimeoutError as error:
        # Of ours, or of the system's.
        after = "" if within_s is None else f" within {within_s:g} s"
        raise Unreached(f"{shown}: no connection{after}") from error
    except OSError as error:
        raise Unreached(f"{shown}: nothing answers there ({error.strerror or error})") from error
    return StreamWire(carrier.upper(), reader, writer, pings=True)


def local_address_towards(peer: Place) -> str:
    """The address of ours from which a peer is reached.

    Raises:
        SetupFailed: There is no way to it.
    """
    family = socket.AF_INET6 if ":" in peer[0] else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(peer)
        except OSError as error:
            raise SetupFailed(f"{peer[0]}: there is no way there ({error.strerror or error})") from error
        return str(probe.getsockname()[0])


def as_dialled(place: Place) -> Place:
    """An address as people and plans write it: of one that a socket for IPv6 shows of an IPv4 caller
    (``::ffff:192.0.2.1``, RFC 4291, 2.5.5.2) the IPv4 one."""
    host = place[0]
    if host.lower().startswith(_MAPPED) and "." in host:
        host = host[len(_MAPPED) :]
    return host, place[1]


class UdpWire:
    """A UDP socket of its own; see :class:`Wire`.

    It is lost where a request of ours finds nobody. An answer of ours that does says nothing of the peer: it
    went where whoever asked wanted it, a stranger perhaps, or to a port behind a translator of addresses.
    """

    name = "UDP"
    reliable = False

    def __init__(self, address: str, port: int = 0) -> None:
        self._six = six = ":" in address
        self.on_data: OnData = lambda data, source: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self._asked: dict[Place, None] = {}
        self._sock = socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_DGRAM)
        self._sock.setblocking(False)
        try:
            self._sock.bind((address, port))
        except OSError:
            self._sock.close()
            raise
        self.local: Place = (address, self._sock.getsockname()[1])
        if sys.platform.startswith("linux"):
            # Else nobody tells us that there is nobody.
            level, option = (socket.IPPROTO_IPV6, _IPV6_RECVERR) if six else (socket.IPPROTO_IP, _IP_RECVERR)
            with contextlib.suppress(OSError):
                self._sock.setsockopt(level, option, 1)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._sock.fileno(), self._read)

    def send(self, data: bytes, to: Place) -> None:
        if self._sock.fileno() < 0:
            return
        asks = not data.startswith(b"SIP/2.0 ")
        if asks:
            self._remember(to)
        if self._six and ":" not in to[0]:
            to = (_MAPPED + to[0], to[1])
        try:
            self._sock.sendto(data, to)
        except BlockingIOError:
            pass  # as good as lost on the way; it is sent again
        except OSError as error:
            try:
                self._sock.sendto(data, to)
            except BlockingIOError:
                pass
            except OSError as its_own:
                if asks:
                    self._tell_of(its_own)
            else:
                # Of a datagram before this one.
                self._sort(error)

    def close(self) -> None:
        if self._sock.fileno() >= 0:
            self._loop.remove_reader(self._sock.fileno())
            self._sock.close()

    async def closed(self) -> None:
        """At once."""

    def _read(self) -> None:
        try:
            data, source = self._sock.recvfrom(MAX_MESSAGE_BYTES + 1)
        except (BlockingIOError, InterruptedError):
            self._sort(None)
            return
        except OSError as error:
            self._sort(error)
            return
        self.on_data(data, as_dialled((source[0], source[1])))

    def _remember(self, to: Place) -> None:
        self._asked.pop(_written(to), None)
        while len(self._asked) >= _MAX_ASKED:
            del self._asked[next(iter(self._asked))]
        self._asked[_written(to)] = None

    def _sort(self, raised: OSError | None) -> None:
        """What the system keeps of errors, and would wake us by for ever. Those of our requests are told of;
        what it raised is where it keeps none."""
        kept = self._kept_errors()
        ours = [error for place, error in kept if place in self._asked]
        if raised is not None and not kept:
            ours.append(raised)
        if ours:
            self._tell_of(ours[0])

    def _kept_errors(self) -> list[tuple[Place, OSError]]:
        """Each with the place to which the datagram went that it is of (ip(7), IP_RECVERR)."""
        kept: list[tuple[Place, OSError]] = []
        for _ in range(64):
            try:
                _, told, _, place = self._sock.recvmsg(0, 1024, socket.MSG_ERRQUEUE | socket.MSG_DONTWAIT)
            except (OSError, AttributeError):
                break
            number = struct.unpack("=I", told[0][2][:4])[0] if told and len(told[0][2]) >= 4 else 0
            if place:
                kept.append((_written(as_dialled(place[:2])), OSError(number, os.strerror(number))))
        return kept

    def _tell_of(self, error: OSError) -> None:
        self.on_lost(f"nothing answers there ({error.strerror or error})")


def _written(place: Place) -> Place:
    """A place as the system writes it."""
    try:
        return str(ipaddress.ip_address(place[0])), place[1]
    except ValueError:
        return place


class StreamWire:
    """A TCP or TLS connection; see :class:`Wire`.

    Args:
        pings: We opened it, and keep it open.
    """

    reliable = True

    def __init__(
        self,
        name: str,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        pings: bool = False,
    ) -> None:
        self.name = name
        self.on_data: OnData = lambda data, source: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self._writer = writer
        self.local = as_dialled(writer.get_extra_info("sockname")[:2])
        self.peer = as_dialled(writer.get_extra_info("peername")[:2])
        self._pings = pings
        self._next_ping: asyncio.TimerHandle | None = None
        self._task = asyncio.create_task(self._read(reader))
        if pings:
            self._ping_later()

    def send(self, data: bytes, to: Place) -> None:
        if not self._writer.is_closing():
            self._writer.write(data)

    def close(self) -> None:
        self._task.cancel()
        self._hang_up()

    async def closed(self) -> None:
        """TLS takes leave of the peer, which may never answer."""
        try:
            async with asyncio.timeout(CLOSING_S):
                await self._writer.wait_closed()
        except (OSError, TimeoutError):
            self._writer.transport.abort()
            # The socket goes with the next turn of the loop.
            await asyncio.sleep(0)
            await asyncio.sleep(0)

    async def _read(self, reader: asyncio.StreamReader) -> None:
        why = "it closed the connection"
        try:
            while (message := await self._message(reader)) is not None:
                self.on_data(message, self.peer)
        except asyncio.LimitOverrunError:
            why = f"it sent headers of more than {MAX_MESSAGE_BYTES} bytes"
        except asyncio.IncompleteReadError:
            pass
        except ValueError as error:
            why = f"it sent what is no SIP: {error}"
        except OSError as error:
            why = f"the connection broke off ({error.strerror or error})"
        self._hang_up()
        self.on_lost(why)

    def _hang_up(self) -> None:
        if self._next_ping is not None:
            self._next_ping.cancel()
        self._writer.close()

    def _ping_later(self) -> None:
        self._next_ping = asyncio.get_running_loop().call_later(PING_S, self._ping)

    def _ping(self) -> None:
        if not self._writer.is_closing():
            self._writer.write(_PING)
            self._ping_later()

    async def _message(self, reader: asyncio.StreamReader) -> bytes | None:
        head = b""
        while not head.strip():
            # A line of its own keeps the connection open; two of them ask for one (RFC 5626, 3.5.1), but
            # where we ask, they are two answers.
            if head == _PING and not self._pings:
                self._writer.write(_PONG)
            head = await reader.readuntil(b"\r\n\r\n")
        found = _LENGTH.search(head.replace(b"\r\n", b"\n"))
        if found is None:
            raise ValueError("a message without Content-Length")
        length = int(found[1])
        if len(head) + length > MAX_MESSAGE_BYTES:
            raise ValueError(f"a message of more than {MAX_MESSAGE_BYTES} bytes")
        return head + await reader.readexactly(length)
