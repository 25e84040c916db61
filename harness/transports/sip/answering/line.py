"""A line: what of a shared socket or connection belongs to one call, by its Call-ID.

So a call that came in has a wire and an endpoint of its own, as one that we placed has, and its end closes
nothing that others use.
"""

from __future__ import annotations

from collections.abc import Callable

from harness.transports.sip.signalling.lasting import LastingWire
from harness.transports.sip.signalling.transactions import Endpoint
from harness.transports.sip.signalling.wire import Place, Wire


class LineWire(LastingWire):
    """A :class:`~harness.transports.sip.signalling.wire.Wire` over another one, which stays.

    Args:
        on_close: Called once, when it is.
        on_opened: Called with a connection that was opened in place of a lost one: what comes over it is to
            be brought here.
    """

    def __init__(
        self,
        under: Wire,
        local: Place,
        on_close: Callable[[], None],
        on_opened: Callable[[Wire], None] = lambda under: None,
    ) -> None:
        self._on_opened: Callable[[Wire], None] | None = None
        super().__init__(under)
        self.local = local
        self._on_opened = on_opened
        self._on_close = on_close

    def hear(self, under: Wire) -> None:
        if self._on_opened is not None:
            self._on_opened(under)

    def is_on(self, under: Wire) -> bool:
        return self._under is under

    def close(self) -> None:
        if not self._is_closed:
            self._stop()
            self._on_close()

    async def closed(self) -> None:
        """At once: what is under it stays."""


class Line:
    """The wire of a call and its transactions."""

    def __init__(self, wire: LineWire) -> None:
        self.wire = wire
        self.endpoint = Endpoint(wire)
