"""The signalling of LiveKit: protobuf messages over a WebSocket, protocol 16, two peer connections ("v0").

Every server speaks it: LiveKit's cloud, and every one that people run themselves. What comes is a
stranger's: its size and number are bounded, and what cannot be read is dropped and counted."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from ssl import SSLContext
from typing import Any

import aiohttp
from google.protobuf.message import DecodeError
from livekit.protocol import models, rtc

from harness.errors import SetupFailed
from harness.redaction import KNOWN
from harness.transports.livekit.signalling.access import without_tokens
from harness.transports.livekit.signalling.refusal import reason_of
from harness.transports.tls import DISTRUSTED, distrusted
from spoken_language.outside_text import harmless, one_line

PROTOCOL = 16
MAX_MESSAGE_BYTES = 1_000_000
MAX_MESSAGES_PER_S = 500
_QUERY = {"protocol": str(PROTOCOL), "auto_subscribe": "1", "sdk": "python", "version": "1.1.21"}
_PING_S = 5.0
_MOST_PING_S = 60.0
_CLOSE_S = 1.0


class SignalClosed(Exception):
    """The WebSocket is closed; the text says how."""


class _SentOn(aiohttp.ClientError):
    """A redirection, which is a refusal: its text is where to."""

    def __init__(self, where: str, status: int) -> None:
        super().__init__(where)
        self.status = status


def _no_redirections() -> aiohttp.TraceConfig:
    """aiohttp follows them for a WebSocket, whoever asks it not to, and takes all headers but
    ``Authorization`` along to other hosts: an API key of the plan is in one of those."""

    async def refused(session: object, context: object, params: aiohttp.TraceRequestRedirectParams) -> None:
        params.response.close()
        where = params.response.headers.get("Location", "").partition("?")[0]
        raise _SentOn(where, params.response.status)

    traced = aiohttp.TraceConfig()
    traced.on_request_redirect.append(refused)
    return traced


class SignalClient:
    """A connection to a server. Use: :meth:`connect`, then :meth:`run` beside the call.

    Attributes:
        unreadable: How many messages were dropped since they could not be read.
        rtt_ms: How long the last ping took; None until one was answered.
    """

    def __init__(self) -> None:
        self.unreadable = 0
        self.rtt_ms: float | None = None
        self._pinged_s: float | None = None
        self._client: aiohttp.ClientSession | None = None
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._pinging: asyncio.Task[None] | None = None

    async def connect(
        self, server: str, token: str, headers: dict[str, str], *, tls: SSLContext | None, shown: str
    ) -> Any:
        """Opens the WebSocket and waits for the server's word; returns its ``JoinResponse``.

        Args:
            server: ``ws(s)://HOST:PORT``.
            token: In a header, never in the query, which servers log.
            headers: The plan's.
            tls: Whom we trust, for ``wss``.

        Raises:
            SetupFailed: The server does not let us in; the message says why.
        """
        sent = {name: value for name, value in headers.items() if name.lower() != "authorization"}
        sent["Authorization"] = f"Bearer {token}"
        client = self._client = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=tls or True), trace_configs=[_no_redirections()]
        )
        try:
            self._socket = await client.ws_connect(
                f"{server}/rtc",
                params=_QUERY,
                headers=sent,
                max_msg_size=MAX_MESSAGE_BYTES,
                autoping=True,
            )
        except aiohttp.WSServerHandshakeError as error:
            http = "http" + server.removeprefix("ws")
            why = await reason_of(client, http, sent, error.status)
            raise SetupFailed(f"{shown}: {why}") from None
        except _SentOn as error:
            raise SetupFailed(
                f"{shown}: the server sends us on to {_said(error) or 'nowhere'} (HTTP {error.status}). "
                "Nothing of ours goes to an address that was not given: give that one if it is right."
            ) from None
        except aiohttp.ClientConnectorError as error:
            if why := distrusted(error):
                told = f"its certificate is not trusted: {why}; {DISTRUSTED}"
                raise SetupFailed(f"{shown}: {told}") from None
            raise SetupFailed(f"{shown}: nothing answers there ({_said(error)})") from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise SetupFailed(f"{shown}: {type(error).__name__}: {_said(error)}") from None
        return await self._join(shown)

    async def _join(self, shown: str) -> Any:
        try:
            while True:
                message = await self._receive()
                if message is None:
                    continue
                kind = message.WhichOneof("message")
                if kind == "join":
                    return message.join
                if kind == "leave":
                    why = disconnect_reason(message.leave.reason)
                    raise SetupFailed(f"{shown}: the server sent us away at once: {why}")
        except SignalClosed as closed:
            raise SetupFailed(f"{shown}: no LiveKit server, or one that let nobody in: {closed}") from None

    async def run(self, on_message: Callable[[Any], None]) -> None:
        """Hands on every message until the connection is closed.

        Raises:
            SignalClosed: It is closed.
        """
        second, in_second = 0, 0
        while True:
            message = await self._receive()
            now = int(time.monotonic())
            second, in_second = (now, 1) if now != second else (second, in_second + 1)
            if in_second > MAX_MESSAGES_PER_S:
                raise SignalClosed(f"it sent more than {MAX_MESSAGES_PER_S} messages a second")
            if message is None:
                continue
            if message.WhichOneof("message") == "pong_resp":
                # By our own clock: what it sends back as our ping's time is its word.
                if self._pinged_s is not None:
                    self.rtt_ms = (time.monotonic() - self._pinged_s) * 1000
                    self._pinged_s = None
                continue
            on_message(message)

    def keep_alive(self, every_s: float) -> None:
        """Pings from now on; a server closes a connection that does not."""
        self._pinging = asyncio.ensure_future(self._ping(min(max(every_s, 1.0), _MOST_PING_S)))

    async def send(self, **request: Any) -> None:
        """Sends a ``SignalRequest`` with the given field; quietly not, where the connection is gone."""
        if self._socket is None or self._socket.closed:
            return
        if "ping_req" in request:
            self._pinged_s = time.monotonic()
        with contextlib.suppress(ConnectionError, aiohttp.ClientError):
            await self._socket.send_bytes(rtc.SignalRequest(**request).SerializeToString())

    async def close(self) -> None:
        """Within about a second, whatever the server does."""
        if self._pinging is not None:
            self._pinging.cancel()
        with contextlib.suppress(TimeoutError, aiohttp.ClientError, ConnectionError):
            async with asyncio.timeout(_CLOSE_S):
                if self._socket is not None:
                    await self._socket.close()
        if self._client is not None:
            await self._client.close()

    async def _receive(self) -> Any:
        """The next message; None for one that cannot be read."""
        assert self._socket is not None
        received = await self._socket.receive()
        if received.type is aiohttp.WSMsgType.BINARY:
            message = rtc.SignalResponse()
            try:
                message.ParseFromString(received.data)
            except (DecodeError, RecursionError):
                self.unreadable += 1
                return None
            return message
        if received.type is aiohttp.WSMsgType.TEXT:
            self.unreadable += 1
            return None
        code = f" (code {received.data})" if isinstance(received.data, int) else ""
        raise SignalClosed(f"the connection to the server was closed{code}")

    async def _ping(self, every_s: float) -> None:
        rtt = 0
        while True:
            await asyncio.sleep(every_s)
            if self.rtt_ms is not None:
                rtt = round(self.rtt_ms)
            await self.send(ping_req={"timestamp": round(time.time() * 1000), "rtt": rtt})


def name_of(of: Any, number: int) -> str:
    """The name of an enumeration's value, in small letters; its number where it is a new one."""
    try:
        return str(of.Name(number)).lower()
    except ValueError:
        return str(number)


def disconnect_reason(number: int) -> str:
    """``livekit.DisconnectReason`` in words; its number where it is a new one."""
    try:
        name = models.DisconnectReason.Name(number)
    except ValueError:
        return f"reason {number}"
    return _REASONS.get(name, name.lower().replace("_", " "))


def is_server_s(number: int) -> bool:
    """Whether a ``livekit.DisconnectReason`` is of the server's own or of the network: nobody in the room
    wanted it."""
    return number in _SERVER_S


_SERVER_S = frozenset(
    {
        models.DisconnectReason.SERVER_SHUTDOWN,
        models.DisconnectReason.STATE_MISMATCH,
        models.DisconnectReason.MIGRATION,
        models.DisconnectReason.SIGNAL_CLOSE,
        models.DisconnectReason.CONNECTION_TIMEOUT,
        models.DisconnectReason.MEDIA_FAILURE,
    }
)
_REASONS = {
    "UNKNOWN_REASON": "no reason given",
    "CLIENT_INITIATED": "it left by itself",
    "DUPLICATE_IDENTITY": "somebody joined with the same identity",
    "SERVER_SHUTDOWN": "the server shuts down",
    "PARTICIPANT_REMOVED": "it was removed from the room",
    "ROOM_DELETED": "the room was deleted",
    "STATE_MISMATCH": "the server lost track of it",
    "JOIN_FAILURE": "it could not join",
    "SIGNAL_CLOSE": "its signalling was lost",
    "ROOM_CLOSED": "the room was closed",
    "CONNECTION_TIMEOUT": "its media connection timed out",
    "MEDIA_FAILURE": "its media failed",
    "AGENT_ERROR": "the agent failed",
}


def _said(error: Exception) -> str:
    return one_line(KNOWN.scrub(without_tokens(harmless(str(error)))), most=200)
