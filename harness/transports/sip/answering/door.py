"""Where calls come in: one socket (UDP) and one port (TCP or TLS) for all, each message to its own call.

What belongs to no call is answered without being remembered, as is a request that cannot be read; what comes
from somebody who may not ring leaves nothing behind but a count.
"""

from __future__ import annotations

import asyncio
import secrets
import ssl
from collections import Counter, OrderedDict
from collections.abc import Callable

from sipmessage import Request, Response

from harness.errors import EXIT_NOT_PLACED, SetupFailed, UserError
from harness.transports.sip.address import in_brackets
from harness.transports.sip.answering.line import Line, LineWire
from harness.transports.sip.signalling.dialog import ALLOW, SUPPORTED
from harness.transports.sip.signalling.message import (
    MAX_MESSAGE_BYTES,
    BadMessage,
    bad_request,
    cseq_of,
    read_message,
    reply_place,
    response_bytes,
    tag_of,
)
from harness.transports.sip.signalling.transactions import PHRASES
from harness.transports.sip.signalling.wire import (
    Place,
    StreamWire,
    UdpWire,
    Wire,
    as_dialled,
    local_address_towards,
)

MAX_LINES = 200
MAX_CONNECTIONS = 100
"""Of callers; those that we opened ourselves are not among them."""
MAX_REMEMBERED = 2000
"""Calls that are over, or were refused: what still comes of them is no new call. But whoever was refused for
what the INVITE asked for may ask for less, under the same Call-ID and a higher CSeq (RFC 3261, 8.1.3.5)."""
HANDSHAKE_S = 10.0
"""So long whoever connects over TLS may take until both know each other."""
EVERYWHERE = ("0.0.0.0", "::")
_NEVER_ASKED = 2**32
"""No CSeq that is read is as high: a line of our own making."""


class Door:
    """See the module's docstring.

    Args:
        admits: Whether whoever is at an address may ring at all.
        on_invite: Called with the first INVITE of a call, its line, and whence it came; what comes after it
            goes to the line's endpoint.
        on_turned_away: Called once for each call of somebody who may not ring.
    """

    def __init__(
        self,
        *,
        admits: Callable[[str], bool],
        on_invite: Callable[[Line, Request, Place], None],
        on_turned_away: Callable[[Request, Place], None],
    ) -> None:
        self.dropped: Counter[str] = Counter()
        self.address: Place = ("", 0)
        self._admits = admits
        self._on_invite = on_invite
        self._on_turned_away = on_turned_away
        self._lines: dict[str, Line] = {}
        self._asked: dict[str, int] = {}
        """By Call-ID of a line: the highest CSeq of an INVITE that was to begin the call."""
        self._over: OrderedDict[str, int] = OrderedDict()
        self._connections: set[StreamWire] = set()
        self._of_callers: set[StreamWire] = set()
        self._left: set[StreamWire] = set()
        self._closing: list[StreamWire] = []
        self._udp: UdpWire | None = None
        self._server: asyncio.Server | None = None

    async def open(self, host: str, port: int, *, tls: ssl.SSLContext | None = None) -> None:
        """Takes calls from now on.

        Args:
            tls: Calls come over TLS, and by no other way; None: over UDP and TCP.

        Raises:
            UserError: The port is somebody else's, or the address is not ours.
        """
        last: OSError | None = None
        for _ in range(20 if port == 0 else 1):
            try:
                self._server = await self._served(host, port, tls)
                break
            except OSError as error:
                if self._udp is not None:
                    self._udp.close()
                    self._udp = None
                last = error
        if self._server is None:
            why = "" if last is None else last.strerror or str(last)
            raise UserError(
                f"--listen: calls cannot be taken at {in_brackets(host)}:{port}: {why}",
                exit_code=EXIT_NOT_PLACED,
            )
        if (udp := self._udp) is not None:
            udp.on_data = lambda data, source: self._take(udp, data, source)

    async def _served(self, host: str, port: int, tls: ssl.SSLContext | None) -> asyncio.Server:
        """The port of streams; over UDP the same one is open."""
        if tls is None:
            self._udp = UdpWire(host, port)
            self.address = self._udp.local
            return await asyncio.start_server(self._connected, host, self.address[1], limit=MAX_MESSAGE_BYTES)
        server = await asyncio.start_server(
            self._connected,
            host,
            port,
            limit=MAX_MESSAGE_BYTES,
            ssl=tls,
            ssl_handshake_timeout=HANDSHAKE_S,
        )
        self.address = (host, server.sockets[0].getsockname()[1])
        return server

    def line(self, call_id: str, under: Wire | None = None, *, towards: Place) -> Line:
        """A line of our own making, for a call or a registration; over UDP, unless another wire is given.

        Raises:
            SetupFailed: There is no way there.
        """
        if under is None:
            assert self._server is not None, "the door is not open"
            if self._udp is None:
                raise SetupFailed("calls are taken over TLS alone (sips:), and so nothing goes out over UDP")
            under = self._udp
        if isinstance(under, StreamWire) and under not in self._connections:
            self._adopt(under)
        host, port = self.address if isinstance(under, UdpWire) else under.local
        if host in EVERYWHERE:
            host = local_address_towards(towards)
        line = Line(LineWire(under, (host, port), lambda: self._forget(call_id), self._adopt_opened))
        self._lines[call_id] = line
        return line

    async def discard(self, connection: StreamWire) -> None:
        """Closes a connection of ours that another one has taken the place of: at once, and then returns when
        it is closed, soon; where calls came by it, when the last of them is over."""
        if connection in self._connections and self._is_used(connection):
            self._left.add(connection)
            return
        self._connections.discard(connection)
        connection.close()
        await connection.closed()

    def close(self) -> None:
        for line in list(self._lines.values()):
            line.endpoint.close()
        if self._server is not None:
            self._server.close()
        self._closing += self._connections
        for connection in self._closing:
            connection.close()
        if self._udp is not None:
            self._udp.close()

    async def closed(self) -> None:
        """Returns when all connections are closed: over TLS each takes leave, which may last a moment."""
        closing, self._closing = self._closing, []
        await asyncio.gather(*(connection.closed() for connection in closing))

    def _forget(self, call_id: str) -> None:
        line = self._lines.pop(call_id, None)
        self._remember(call_id, self._asked.pop(call_id, _NEVER_ASKED))
        for opened in [] if line is None else line.wire.opened:
            if isinstance(opened, StreamWire) and opened in self._connections:
                self._close(opened)
        self._close_what_was_left()

    def _remember(self, call_id: str, number: int) -> None:
        self._over[call_id] = max(number, self._over.get(call_id, 0))
        if len(self._over) > MAX_REMEMBERED:
            self._over.popitem(last=False)

    # --- connections

    def _is_used(self, connection: StreamWire) -> bool:
        return any(line.wire.is_on(connection) for line in self._lines.values())

    def _close_what_was_left(self) -> None:
        for connection in [one for one in self._left if not self._is_used(one)]:
            self._close(connection)

    def _close(self, connection: StreamWire) -> None:
        self._connections.discard(connection)
        self._left.discard(connection)
        self._closing.append(connection)
        connection.close()

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = as_dialled(writer.get_extra_info("peername")[:2])
        if len(self._of_callers) >= MAX_CONNECTIONS or not self._admits(peer[0]):
            self.dropped["a connection of somebody who may not ring"] += 1
            writer.close()
            return
        name = "TCP" if writer.get_extra_info("ssl_object") is None else "TLS"
        connection = StreamWire(name, reader, writer)
        self._of_callers.add(connection)
        self._adopt(connection)

    def _adopt_opened(self, connection: Wire) -> None:
        if isinstance(connection, StreamWire):
            self._adopt(connection)

    def _adopt(self, connection: StreamWire) -> None:
        def lost(why: str) -> None:
            self._connections.discard(connection)
            self._of_callers.discard(connection)
            self._left.discard(connection)
            self._tell_lines(connection, why)

        self._connections.add(connection)
        connection.on_data = lambda data, source: self._take(connection, data, source)
        connection.on_lost = lost

    def _tell_lines(self, connection: StreamWire, why: str) -> None:
        for line in list(self._lines.values()):
            if line.wire.is_on(connection):
                line.wire.lost(why)

    # --- messages

    def _take(self, under: Wire, data: bytes, source: Place) -> None:
        if not data.strip():
            return
        try:
            message = read_message(data)
        except BadMessage as error:
            self.dropped[str(error)] += 1
            if self._admits(source[0]) and (refusal := bad_request(data, source)) is not None:
                under.send(*refusal)
            return
        call_id = message.headers["Call-ID"]
        line = self._lines.get(call_id)
        if line is not None:
            if isinstance(message, Request):
                if _begins(message):
                    self._asked[call_id] = max(cseq_of(message).number, self._asked.get(call_id, 0))
                line.wire.moves_to(under)
                self._close_what_was_left()
            line.wire.on_data(data, source)
        elif isinstance(message, Response):
            self.dropped["a response to nothing that was asked"] += 1
        elif _begins(message):
            self._invited(under, message, data, source, call_id)
        else:
            self._answer_stranger(under, message, source)

    def _invited(self, under: Wire, invite: Request, data: bytes, source: Place, call_id: str) -> None:
        if not self._admits(source[0]):
            if call_id not in self._over:
                self._remember(call_id, cseq_of(invite).number)
                self._on_turned_away(invite, source)
            self._say(under, invite, source, 403)
            return
        number = cseq_of(invite).number
        if number <= self._over.get(call_id, -1):
            # A copy that was long on its way; whoever sent it has its answer, or has given up.
            self._say(under, invite, source, 481)
            return
        if len(self._lines) >= MAX_LINES:
            self.dropped["a call beside too many others"] += 1
            self._say(under, invite, source, 503)
            return
        try:
            line = self.line(call_id, under, towards=source)
        except SetupFailed:
            self.dropped["from where no way leads back"] += 1
            return
        self._asked[call_id] = number
        line.endpoint.on_request = lambda request, place: self._on_invite(line, request, place)
        line.wire.on_data(data, source)

    def _answer_stranger(self, under: Wire, request: Request, source: Place) -> None:
        if request.method == "ACK":
            return
        if not self._admits(source[0]):
            self._say(under, request, source, 403)
        elif request.method == "OPTIONS" and not tag_of(request.headers["To"]):
            self._say(under, request, source, 200, headers=(("Accept", "application/sdp"),))
        elif request.method in ALLOW.split(", "):
            self._say(under, request, source, 481)
        else:
            self._say(under, request, source, 405)

    def _say(
        self,
        under: Wire,
        request: Request,
        source: Place,
        code: int,
        *,
        headers: tuple[tuple[str, str], ...] = (),
    ) -> None:
        """A response that is not remembered: a copy of the request gets it anew."""
        if code in (200, 405):
            headers = (("Allow", ALLOW), ("Supported", SUPPORTED), *headers)
        under.send(
            response_bytes(
                request,
                code,
                PHRASES.get(code, "Refused"),
                to_tag=secrets.token_hex(4),
                headers=headers,
                source=source,
            ),
            reply_place(request, source),
        )


def _begins(request: Request) -> bool:
    """Whether a request is to begin a call, or is one more try to."""
    return request.method == "INVITE" and not tag_of(request.headers["To"])
