"""Asks a STUN or TURN server whether it would serve us, before a call depends on it.

aiortc says nothing of a server that is dead, or refuses a password: there is no candidate, that is all, and
with some of them the gathering takes five seconds longer.
"""

from __future__ import annotations

import asyncio
import ssl
from typing import Any, cast

from aioice import stun, turn

from harness.plans.on_the_wire import IceServer
from harness.transports.tls import DISTRUSTED, distrusted
from spoken_language.outside_text import harmless, one_line

CHECK_S = 2.0
"""A server that takes longer would spoil more than it mends."""


async def refusal(server: IceServer, tls: ssl.SSLContext | None) -> str:
    """Why a server will not do; empty where it serves us.

    Args:
        tls: For ``turns:``.
    """
    try:
        async with asyncio.timeout(CHECK_S):
            await (_allocated(server, tls) if server.url.kind == "turn" else _bound(server))
    except TimeoutError:
        return f"does not answer within {CHECK_S:g} s"
    except stun.TransactionFailed as error:
        return _refused(error.response)
    except (stun.TransactionError, ConnectionError, OSError, ssl.SSLError, ValueError) as error:
        if why := distrusted(error):
            return f"its certificate is not trusted: {why}; {DISTRUSTED}"
        return f"cannot be reached: {one_line(harmless(str(error) or type(error).__name__), most=200)}"
    return ""


def _refused(response: stun.Message) -> str:
    code, words = response.attributes.get("ERROR-CODE", (0, ""))
    if code in (401, 441):
        return f"refuses the user name or the password ({code})"
    if code == 486:
        return "gives this user no more relays at this time (486)"
    return f"refuses ({code} {one_line(harmless(str(words)), most=80)})"


async def _allocated(server: IceServer, tls: ssl.SSLContext | None) -> None:
    """Takes a relay from a TURN server and gives it back (RFC 8656, 7)."""
    transport, _ = await turn.create_turn_endpoint(
        asyncio.DatagramProtocol,
        (server.url.host, server.url.port),
        username=server.username,
        password=server.credential,
        ssl=tls if server.url.tls else None,
        transport=server.url.transport,
    )
    # Whoever cannot give it back in time leaves it to the server, which takes it back by itself.
    await transport._close()


class _Answer(asyncio.DatagramProtocol):
    """Waits for the answer to one request, which is repeated as RFC 8489 (6.2.1) has it."""

    def __init__(self) -> None:
        self.transactions: dict[bytes, stun.Transaction] = {}
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)

    def send_stun(self, message: stun.Message, addr: tuple[str, int]) -> None:
        if self._transport is not None:
            self._transport.sendto(bytes(message))

    def datagram_received(self, data: bytes, addr: Any) -> None:
        try:
            message = stun.parse_message(data)
        except ValueError:
            return
        if (waiting := self.transactions.get(message.transaction_id)) is not None:
            waiting.response_received(message, addr)


async def _bound(server: IceServer) -> None:
    """Asks a STUN server for our own address (RFC 8489, 2)."""
    address = (server.url.host, server.url.port)
    transport, protocol = await asyncio.get_running_loop().create_datagram_endpoint(
        _Answer, remote_addr=address
    )
    request = stun.Message(message_method=stun.Method.BINDING, message_class=stun.Class.REQUEST)
    transaction = stun.Transaction(request, address, protocol)
    protocol.transactions[request.transaction_id] = transaction
    try:
        await transaction.run()
    finally:
        transport.close()
