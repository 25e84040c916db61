"""How punctual this process sends at the moment, over all calls that stand in it.

A call's own record says how punctual its sender was when it is over; whoever decides whether one more call
may be dialled has to know it now.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from harness.transports.base import MediaLog

_SETTLED_FRAMES = 25
"""The first half second of a call is the handshake's, here as in its record."""


class _Standing:
    def __init__(self) -> None:
        self._read: dict[int, tuple[MediaLog, int]] = {}

    def add(self, log: MediaLog) -> None:
        self._read[id(log)] = (log, _SETTLED_FRAMES)

    def remove(self, log: MediaLog) -> None:
        self._read.pop(id(log), None)

    def new_lateness_s(self) -> list[float]:
        late: list[float] = []
        for key, (log, read) in self._read.items():
            some = log.lateness_s[read:]
            late += some
            self._read[key] = (log, read + len(some))
        return late

    def __len__(self) -> int:
        return len(self._read)


_STANDING = _Standing()


@contextmanager
def stands(log: MediaLog) -> Iterator[None]:
    """Around a call whose media session stands: what it sends is counted."""
    _STANDING.add(log)
    try:
        yield
    finally:
        _STANDING.remove(log)


def calls_standing() -> int:
    """In this process."""
    return len(_STANDING)


def new_lateness_s() -> list[float]:
    """How late each frame was handed over that any standing call has sent since this was last asked."""
    return _STANDING.new_lateness_s()
