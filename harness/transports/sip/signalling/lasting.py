"""A wire that outlives its connection: what is to be sent when that is lost opens another one.

Proxies close connections on which nothing passes for a while; a call goes on meanwhile (RFC 3261, 18).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from harness.errors import SetupFailed
from harness.transports.sip.signalling.wire import OnData, Place, Wire

MAX_HELD_BACK = 20
"""Messages that wait for a connection which is being opened."""


class LastingWire:
    """A :class:`~harness.transports.sip.signalling.wire.Wire` over another one.

    Attributes:
        way: Opens a connection in place of one that was lost; None: there is no other.
        opened: The connections that it opened.
        why_lost: What became of the connection, where it is lost and there is no other yet; else empty.
    """

    def __init__(self, under: Wire) -> None:
        self.name = under.name
        self.reliable = under.reliable
        self.local = under.local
        self.on_data: OnData = lambda data, source: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self.way: Callable[[], Awaitable[Wire]] | None = None
        self.opened: list[Wire] = []
        self._under = under
        self.why_lost = ""
        self._is_lost = False
        self._is_closed = False
        self._held_back: list[tuple[bytes, Place]] = []
        self._opening: asyncio.Task[None] | None = None
        self.hear(under)

    def hear(self, under: Wire) -> None:
        """What comes over a connection comes to us, and we are told when it is lost."""
        under.on_data = self._came
        under.on_lost = self.lost

    def lost(self, why: str) -> None:
        """The connection is; a datagram that nobody took is not the last one."""
        self._is_lost = self.reliable
        self.why_lost = why if self._is_lost else ""
        self.on_lost(why)

    def moves_to(self, under: Wire) -> None:
        """The peer is spoken with over another connection from now on."""
        self._under, self._is_lost, self.why_lost = under, False, ""
        self.name, self.reliable = under.name, under.reliable

    def send(self, data: bytes, to: Place) -> None:
        if self._is_closed:
            return
        if not self._is_lost:
            self._under.send(data, to)
        elif self.way is not None and len(self._held_back) < MAX_HELD_BACK:
            self._held_back.append((data, to))
            self.open_again()

    def open_again(self) -> bool:
        """Opens another connection where the one before is lost, though nothing waits to be sent; says
        whether it does."""
        if not self._is_lost or self._is_closed or self.way is None:
            return False
        if self._opening is None:
            self._opening = asyncio.ensure_future(self._open(self.way))
        return True

    def close(self) -> None:
        self._stop()
        self._under.close()

    async def closed(self) -> None:
        await self._under.closed()

    def _came(self, data: bytes, source: Place) -> None:
        self.on_data(data, source)

    def _stop(self) -> None:
        self._is_closed = True
        if self._opening is not None:
            self._opening.cancel()

    async def _open(self, way: Callable[[], Awaitable[Wire]]) -> None:
        try:
            under = await way()
        except SetupFailed as error:
            if self._is_lost:
                self._held_back.clear()
                self.on_lost(str(error))
        else:
            self.opened.append(under)
            self.hear(under)
            # Unless the peer has opened one itself meanwhile.
            if self._is_lost:
                self.moves_to(under)
                self.local = under.local
        finally:
            self._opening = None
        held_back, self._held_back = self._held_back, []
        for data, to in held_back:
            self.send(data, to)
