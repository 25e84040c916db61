"""A line: what of a shared socket or connection belongs to one call, by its Call-ID.

So a call that came in has a wire and an endpoint of its own, as one that we placed has, and its end closes
nothing that others use.
"""

from __future__ import annotations

from collections.abc import Callable

from harness.transports.sip.signalling.transactions import Endpoint
from harness.transports.sip.signalling.wire import OnData, Place, Wire


class LineWire:
    """A :class:`~harness.transports.sip.signalling.wire.Wire` over another one."""

    def __init__(self, under: Wire, local: Place, on_close: Callable[[], None]) -> None:
        self.local = local
        self.name = under.name
        self.reliable = under.reliable
        self.on_data: OnData = lambda data, source: None
        self.on_lost: Callable[[str], None] = lambda why: None
        self._under = under
        self._on_close = on_close
        self._closed = False

    def moves_to(self, under: Wire) -> None:
        """The peer speaks over another connection now, and is answered there."""
        self._under = under
        self.name, self.reliable = under.name, under.reliable

    def is_on(self, under: Wire) -> bool:
        return self._under is under

    def send(self, data: bytes, to: Place) -> None:
        if not self._closed:
            self._under.send(data, to)

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._on_close()

    async def closed(self) -> None:
        """At once: what is under it stays."""


class Line:
    """The wire of a call and its transactions."""

    def __init__(self, wire: LineWire) -> None:
        self.wire = wire
        self.endpoint = Endpoint(wire)
