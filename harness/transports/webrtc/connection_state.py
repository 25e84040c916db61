"""Whether a media connection stands, why it could not be set up, and how it ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from aiortc import RTCPeerConnection

from harness.transports.base import ConnectionLost
from harness.transports.webrtc.peer_connection import told


class NotConnected(Exception):
    """A connection that did not come about; the text says why."""


class ConnectionState:
    """Follows one connection.

    Args:
        on_over: Called with how it ended, once it has failed or is closed, before it stood or after; each
            time that aiortc says so. A :class:`~harness.transports.base.ConnectionLost`, unless the other
            side took leave (close_notify of DTLS).
    """

    def __init__(self, on_over: Callable[[str], None]) -> None:
        self._on_over = on_over
        self._known = asyncio.Event()
        self._failure = ""

    def follow(self, pc: RTCPeerConnection) -> None:
        """From now on; before the connection is negotiated."""
        pc.on("connectionstatechange", lambda: self._changed(pc.connectionState))

    async def until_connected(self) -> None:
        """Returns when media can flow.

        Raises:
            NotConnected: It cannot.
        """
        await self._known.wait()
        if self._failure:
            raise NotConnected(self._failure)

    def failed_to_connect(self, error: Exception) -> None:
        """What a :class:`~harness.transports.webrtc.peer_connection.PeerConnection` ran into."""
        how = f"the media connection could not be set up: {told(error)}"
        if not self._known.is_set():
            self._failure = how
            self._known.set()
        self._on_over(ConnectionLost(how))

    def way_lost(self) -> None:
        """Nothing comes any more, and nobody took leave. aiortc may say that it is closed next, as it does of
        a connection that the other side closed."""
        self._on_over(ConnectionLost("nothing is heard any more of the other side of the media connection"))

    def _changed(self, state: str) -> None:
        if state == "connected":
            self._known.set()
        elif state in ("failed", "closed"):
            if not self._known.is_set():
                self._failure = f"media connection {state}"
                self._known.set()
            how = f"the media connection is {state}"
            self._on_over(how if state == "closed" else ConnectionLost(how))
