"""One place of a host after the other, until one of them has a word for us (RFC 3263, section 4.3)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from harness.transports.sip.signalling.wire import Place, Unreached

NEXT_AFTER_S = 4.0
"""Without a word for so long, and four copies of the INVITE, the next place is called. The RFC's 32 s is
longer than a caller waits for a connection."""

Answer = TypeVar("Answer")


async def first_reached(
    places: Sequence[Place],
    call_at: Callable[[Place, float | None], Awaitable[Answer]],
    *,
    on_next: Callable[[Place, Place, Unreached], Awaitable[None]],
) -> Answer:
    """What the first place says at which anybody is.

    Args:
        call_at: Calls a place; how long it may wait for a first word stands beside, None at the last one.
        on_next: Told of the place that was given up, the next one, and why.

    Raises:
        Unreached: Nobody is at the last one. Whatever else ``call_at`` raises ends the trying as well.
    """
    for number, place in enumerate(places[:-1]):
        try:
            return await call_at(place, NEXT_AFTER_S)
        except Unreached as why:
            await on_next(place, places[number + 1], why)
    return await call_at(places[-1], None)
