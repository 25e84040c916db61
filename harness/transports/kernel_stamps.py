"""When a packet came, by the kernel's own stamp (``SO_TIMESTAMPNS``, socket(7)).

The stamp is of the wall clock; it is carried over to the monotonic clock by its age, so that a step of the
wall clock between two packets does no harm; where it was set forward while a packet waited to be read, that
one's age is by the clock as it was.

Linux begins to stamp a moment after the first socket of the machine asks for it (a work queue does it), and
ends with the last. What comes before is stamped when it is *read*, and nothing tells the one from the other:
a busy event loop would be taken for a late packet. So a process holds a socket of its own that asks, and no
other is used before stamps are seen to be those of arrival.
"""

from __future__ import annotations

import atexit
import socket
import struct
import sys
import threading
import time

SO_TIMESTAMPNS = 35
TIMESPEC = struct.Struct("qq")
_MAX_PLAUSIBLE_AGE_NS = 10_000_000_000
_SET_FORWARD_NS = 5_000_000
"""A clock that gains more than this from one packet to the next was set: it gains 0.5 ms a second at most
where it is only disciplined (adjtimex(2))."""
_WAIT_FOR_STAMPS_S = 1.0
"""Mostly 1 to 2 ms, and 14 ms beside three busy processes a core."""
_READ_AFTER_S = 0.001
"""A stamp that is older than this at reading is one of arrival."""


def enable_kernel_timestamps(sock: socket.socket) -> bool:
    """Asks for the kernel's stamps of arrival; whether there will be any. Waits, once in a process, until
    the kernel has begun: :func:`begin_stamping` does so beforehand."""
    return _ask(sock) and begin_stamping()


def begin_stamping() -> bool:
    """Has the kernel stamp packets at their arrival from now until this process ends; whether it does.

    Blocks for some milliseconds the first time, and for :data:`_WAIT_FOR_STAMPS_S` where stamps are those of
    the reading. Where it cannot be tried (no loopback) stamps are believed.
    """
    with _STAMPING.lock:
        if _STAMPING.known is None:
            _STAMPING.known = _STAMPING.begun()
        return _STAMPING.known is not False


def arrival_ns_of(ancillary: list[tuple[int, int, bytes]]) -> int:
    """When a datagram came, in monotonic nanoseconds; now, where the kernel did not stamp it."""
    # The wall clock is read first: what holds us up between the two readings makes the stamp late, and late
    # packets do no harm. The other way round it would be early, and move all packets around it.
    wall_ns = time.clock_gettime_ns(time.CLOCK_REALTIME)
    now_ns = time.monotonic_ns()
    stamp_ns = _stamp_ns(ancillary)
    if stamp_ns is not None:
        age_ns = _WALL_CLOCK.as_it_was(stamp_ns, wall_ns, now_ns) - stamp_ns
        # A wall clock that was stepped in between makes the age absurd: then reading time is better.
        if 0 <= age_ns < _MAX_PLAUSIBLE_AGE_NS:
            return now_ns - age_ns
    return now_ns


class _WallClock:
    """How far the wall clock is ahead of the monotonic one, in this process.

    A packet that was stamped before the wall clock was set forward, and is read after, would seem to have
    come earlier by as much, and one such packet moves all others around it.
    """

    def __init__(self) -> None:
        self._ahead_ns: int | None = None
        self._was_ahead_ns = 0
        self._set_at_ns: int | None = None

    def as_it_was(self, stamp_ns: int, wall_ns: int, now_ns: int) -> int:
        """What a wall clock shows now that is still as it was at a stamp: ``wall_ns``, unless it was set
        forward since, within the age of any packet."""
        ahead_ns = wall_ns - now_ns
        # What holds us up between the two readings makes it smaller, never larger.
        if self._ahead_ns is not None and ahead_ns - self._ahead_ns > _SET_FORWARD_NS:
            self._was_ahead_ns, self._set_at_ns = self._ahead_ns, now_ns
        self._ahead_ns = ahead_ns
        if self._set_at_ns is None or now_ns - self._set_at_ns > _MAX_PLAUSIBLE_AGE_NS:
            return wall_ns
        before_ns = now_ns + self._was_ahead_ns
        # Nothing came after it was read: such a stamp is of the clock as it is now.
        return before_ns if stamp_ns <= before_ns else wall_ns


_WALL_CLOCK = _WallClock()


def _ask(sock: socket.socket) -> bool:
    if not sys.platform.startswith("linux"):
        return False
    try:
        sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    except OSError:
        return False
    return True


class _Stamping:
    """Of this process.

    Attributes:
        known: Whether stamps are of arrival; None as long as that could not be tried.
        held: The socket that asks for them until the process ends.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.known: bool | None = None
        self.held: socket.socket | None = None

    def begun(self) -> bool | None:
        """Waits until stamps are those of arrival; None where nothing can be sent."""
        try:
            held = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        except OSError:
            return None
        held.settimeout(_WAIT_FOR_STAMPS_S)
        stamps: bool | None = None
        try:
            held.bind(("127.0.0.1", 0))
            stamps = _ask(held) and _wait_for_arrivals(held)
        except OSError:
            pass
        finally:
            if stamps:
                self.held = held
                atexit.register(held.close)
            else:
                held.close()
        return stamps


_STAMPING = _Stamping()


def _wait_for_arrivals(held: socket.socket) -> bool:
    deadline = time.monotonic() + _WAIT_FOR_STAMPS_S
    while time.monotonic() < deadline:
        held.sendto(b"stamp", held.getsockname())
        time.sleep(_READ_AFTER_S)
        before_ns = time.clock_gettime_ns(time.CLOCK_REALTIME)
        _, ancillary, _, _ = held.recvmsg(16, socket.CMSG_SPACE(TIMESPEC.size))
        stamp_ns = _stamp_ns(ancillary)
        if stamp_ns is None:
            return False
        if stamp_ns < before_ns:
            return True
    return False


def _stamp_ns(ancillary: list[tuple[int, int, bytes]]) -> int | None:
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == SO_TIMESTAMPNS and len(data) >= TIMESPEC.size:
            seconds, nanoseconds = TIMESPEC.unpack_from(data)
            return int(seconds) * 1_000_000_000 + int(nanoseconds)
    return None
