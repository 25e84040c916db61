"""aiortc's peer connection, made to tell what goes wrong in it, and to end when it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from aioice.turn import TurnTransport
from aiortc import RTCDtlsTransport, RTCPeerConnection, RTCSessionDescription
from OpenSSL import SSL

from harness.transports.webrtc.ice.choice import NO_SERVERS, ChosenIce
from harness.transports.webrtc.ice.relayed import client_of
from spoken_language.outside_text import one_line

_MAX_CHARS = 300
_GATHERED_WITHIN_S = 2.0


class PeerConnection(RTCPeerConnection):
    """A connection by the ICE servers that were chosen; without any by its own addresses.

    Args:
        on_connect_failed: Called with what aiortc ran into while it set the media session up. It does that in
            a task that nobody waits for: untold, it would be a traceback on the terminal at some later time,
            and a call that waits for ever.
    """

    def __init__(self, on_connect_failed: Callable[[Exception], None], ice: ChosenIce = NO_SERVERS) -> None:
        super().__init__(ice.configuration)
        self._ice = ice
        self._on_connect_failed = on_connect_failed
        self._closing: asyncio.Task[None] | None = None
        self._describing: asyncio.Task[None] | None = None

    async def _RTCPeerConnection__connect(self) -> None:
        try:
            await super()._RTCPeerConnection__connect()  # type: ignore[misc]
        # Once we have hung up, whatever it ran into is of no interest.
        except Exception as error:
            if self.connectionState != "closed":
                self._on_connect_failed(error)

    async def setLocalDescription(self, sessionDescription: RTCSessionDescription | None = None) -> None:
        """Gathers candidates, and so speaks to the TURN server.

        Goes on where whoever waits for it gives up: a socket that was just being opened would be nobody's.
        """
        if self._ice.turn is not None and self._ice.turn.url.tls and self._ice.tls is not None:
            # aiortc can only be told whether it is TLS, and not whom to trust.
            for transport in vars(self)["_RTCPeerConnection__iceTransports"]:
                transport._connection.turn_ssl = self._ice.tls
        self._describing = asyncio.ensure_future(super().setLocalDescription(sessionDescription))
        self._describing.add_done_callback(_taken_note_of)
        await asyncio.shield(self._describing)

    async def close(self) -> None:
        """Closes once, whoever asks for it and however often; whoever waits for it may give up waiting.

        aiortc closes by itself too when the peer has said goodbye, and takes it ill where somebody who waited
        for that gave up.
        """
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close_what_is_open())
            self._closing.add_done_callback(_taken_note_of)
        await asyncio.shield(self._closing)

    async def _close_what_is_open(self) -> None:
        if self._describing is not None:
            await asyncio.wait({self._describing}, timeout=_GATHERED_WITHIN_S)
        await super().close()

    async def hang_up(self, *, within_s: float) -> bool:
        """Closes the connection. False where it could not be closed in order within that time: then its
        sockets are closed all the same, so that nothing is sent or received any more."""
        try:
            async with asyncio.timeout(within_s):
                await self.close()
        except TimeoutError:
            assert self._closing is not None
            self._closing.cancel()
            for transceiver in self.getTransceivers():
                if transceiver.sender.track is not None:
                    transceiver.sender.track.stop()
                ice = transceiver.receiver.transport.transport._connection
                if ice._query_consent_task is not None:
                    # Else it goes on asking over a socket that is gone.
                    ice._query_consent_task.cancel()
                for protocol in ice._protocols:
                    _abort(protocol.transport)
            return False
        return True


def _abort(transport: asyncio.DatagramTransport | TurnTransport) -> None:
    """A relay that cannot be given back in order is left to its server, which takes it back by itself."""
    if isinstance(transport, TurnTransport):
        client = client_of(transport)
        if client.refresh_task is not None:
            client.refresh_task.cancel()
        client.transport.abort()
    else:
        transport.abort()


def _taken_note_of(task: asyncio.Task[None]) -> None:
    """Nobody may be waiting any more: what it ran into is of no interest then, on the terminal least."""
    if not task.cancelled():
        task.exception()


def shield(
    dtls: RTCDtlsTransport, on_unusable: Callable[[Exception], None], *, on_lost: Callable[[], None]
) -> None:
    """Lets a datagram that aiortc cannot read cost that datagram, and not the whole media connection; and
    tells a connection that is lost from one that the other side closed.

    Args:
        on_unusable: Called with what aiortc ran into: a header extension of a wrong length, text on the data
            channel that is no UTF-8, an empty datagram and the like.
        on_lost: Called where ICE has given up: the other side did not answer any more.
    """
    receive = dtls._recv_next

    async def receive_shielded() -> None:
        try:
            await receive()
        # These two are how aiortc itself learns that the connection has failed or ended. Who says goodbye
        # (close_notify) says so over a way that still is one.
        except ConnectionError:
            if not dtls.transport._connection._nominated:
                on_lost()
            raise
        except SSL.Error:
            raise
        except Exception as error:
            on_unusable(error)

    dtls._recv_next = receive_shielded  # type: ignore[method-assign]


def told(error: Exception) -> str:
    """What aiortc ran into. Its assertions have no text; its other errors may quote what the agent sent."""
    return f"{type(error).__name__}: {one_line(str(error), most=_MAX_CHARS)}".removesuffix(": ")
