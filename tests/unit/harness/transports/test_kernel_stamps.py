"""Stamps of arrival: carried over to the monotonic clock, and never those of the reading."""

from __future__ import annotations

import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from harness.transports import kernel_stamps

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="kernel stamps are Linux's")

FIRST_PACKET = """
import socket, time
from harness.transports.kernel_stamps import TIMESPEC, arrival_ns_of, enable_kernel_timestamps

receiver, sender = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
with receiver, sender:
    receiver.bind(("127.0.0.1", 0))
    for _ in range(20):  # What is done for the first time takes longer than the kernel needs.
        sender.sendto(b"warm", receiver.getsockname())
        receiver.recv(16)
    assert enable_kernel_timestamps(receiver)
    sender.sendto(b"first", receiver.getsockname())
    sent_ns = time.monotonic_ns()
    time.sleep(0.05)
    _, ancillary, _, _ = receiver.recvmsg(16, socket.CMSG_SPACE(TIMESPEC.size))
    print((arrival_ns_of(ancillary) - sent_ns) / 1e6)
"""


def test_the_first_packet_of_a_process_is_stamped_when_it_arrived() -> None:
    """Linux stamps it at its reading, 50 ms late, where no socket asked for stamps a while before."""
    late_ms = [
        float(subprocess.run([sys.executable, "-c", FIRST_PACKET], capture_output=True, check=True).stdout)
        for _ in range(5)
    ]
    assert max(late_ms) < 40


class _Socket:
    """A kernel that stamps at the reading until so many datagrams have come, and then at arrival.

    Attributes:
        reads: How many were read.
    """

    def __init__(self, stamped_when_read: int, *, stamps: bool = True, sends: bool = True) -> None:
        self.left = stamped_when_read
        self.stamps, self.sends = stamps, sends
        self.sent_ns = 0
        self.closed = False
        self.made = self.reads = 0

    def __call__(self, *_: Any) -> _Socket:
        self.made += 1
        return self

    def bind(self, address: Any) -> None: ...

    def settimeout(self, timeout_s: float) -> None: ...

    def setsockopt(self, *option: int) -> None:
        assert option == (socket.SOL_SOCKET, kernel_stamps.SO_TIMESTAMPNS, 1)

    def getsockname(self) -> Any:
        return ("127.0.0.1", 1)

    def sendto(self, data: bytes, address: Any) -> None:
        if not self.sends:
            raise OSError("no loopback")
        self.sent_ns = time.time_ns()

    def recvmsg(self, size: int, ancillary_size: int) -> Any:
        self.reads += 1
        self.left -= 1
        stamp_ns = time.time_ns() if self.left >= 0 else self.sent_ns
        data = struct.pack("qq", *divmod(stamp_ns, 1_000_000_000))
        told = [(socket.SOL_SOCKET, kernel_stamps.SO_TIMESTAMPNS, data)] if self.stamps else []
        return b"stamp", told, 0, None

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def begins(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A process that has not asked for stamps yet, on that kernel."""

    def begin(kernel: _Socket, *, waits_s: float = 30.0) -> None:
        monkeypatch.setattr(kernel_stamps.socket, "socket", kernel)
        monkeypatch.setattr(kernel_stamps.atexit, "register", lambda close: None)
        monkeypatch.setattr(kernel_stamps, "_WAIT_FOR_STAMPS_S", waits_s)
        monkeypatch.setattr(kernel_stamps, "_STAMPING", kernel_stamps._Stamping())

    return begin


@pytest.mark.parametrize(("stamped_when_read", "stamps"), [(0, True), (7, True), (10**9, False)])
def test_stamps_are_waited_for_and_denied_where_they_stay_those_of_the_reading(
    begins: Callable[..., None], stamped_when_read: int, stamps: bool
) -> None:
    # Only what waits in vain is to run into the limit: of a busy machine's tries each may take long.
    begins(kernel := _Socket(stamped_when_read), waits_s=30.0 if stamps else 0.3)
    for _ in range(2):
        assert kernel_stamps.enable_kernel_timestamps(kernel) is stamps  # type: ignore[arg-type]
    assert kernel.made == 1, "once in a process"
    # As long as the process lives, so that the kernel goes on.
    assert kernel.closed is not stamps


def test_where_there_are_none_nobody_waits(begins: Callable[..., None]) -> None:
    begins(kernel := _Socket(0, stamps=False))
    assert not kernel_stamps.begin_stamping()
    assert kernel.reads == 1
    assert kernel.closed


def test_where_it_cannot_be_tried_they_are_believed_and_it_is_tried_again(
    begins: Callable[..., None],
) -> None:
    begins(kernel := _Socket(0, sends=False))
    assert kernel_stamps.begin_stamping()
    assert kernel_stamps.begin_stamping()
    assert kernel.made == 2


class _HeldUp:
    """The clocks of a machine that is busy: 10 ms go by with every reading. The wall clock is 5 s ahead."""

    CLOCK_REALTIME = time.CLOCK_REALTIME
    AHEAD_NS = 5_000_000_000

    def __init__(self, now_ns: int) -> None:
        self.now_ns = now_ns

    def monotonic_ns(self) -> int:
        self.now_ns += 10_000_000
        return self.now_ns

    def clock_gettime_ns(self, clock: int) -> int:
        assert clock == self.CLOCK_REALTIME
        return self.monotonic_ns() + self.AHEAD_NS


def test_a_process_held_up_between_two_clocks_stamps_late_and_never_early(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An early stamp would drag the envelope of all packets around it; a late one does nothing."""
    arrived_ns = 100_000_000_000
    monkeypatch.setattr(kernel_stamps, "time", _HeldUp(arrived_ns + 3_000_000))
    stamp_s, stamp_ns = divmod(arrived_ns + _HeldUp.AHEAD_NS, 1_000_000_000)
    ancillary = [(socket.SOL_SOCKET, kernel_stamps.SO_TIMESTAMPNS, struct.pack("qq", stamp_s, stamp_ns))]
    late_ns = kernel_stamps.arrival_ns_of(ancillary) - arrived_ns
    assert 0 <= late_ns <= 10_000_000


@pytest.mark.parametrize("step_s", [3600, -3600])
def test_a_step_of_the_wall_clock_falls_back_to_the_time_of_reading(step_s: int) -> None:
    wall_ns = time.time_ns() + step_s * 1_000_000_000
    data = struct.pack("qq", *divmod(wall_ns, 1_000_000_000))
    before_ns = time.monotonic_ns()
    stamp_ns = kernel_stamps.arrival_ns_of([(socket.SOL_SOCKET, kernel_stamps.SO_TIMESTAMPNS, data)])
    assert before_ns <= stamp_ns <= time.monotonic_ns()


# --- a wall clock that is set

SECOND = 1_000_000_000
AHEAD = 1_700_000_000 * SECOND
"""By how much the wall clock is ahead of the monotonic one at first."""


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The monotonic clock, and by how much the wall clock is ahead of it."""
    shown = {"now": 100 * SECOND, "ahead": AHEAD}

    def wall(_: int) -> int:
        return shown["now"] + shown["ahead"]

    monkeypatch.setattr(kernel_stamps, "_WALL_CLOCK", kernel_stamps._WallClock())
    monkeypatch.setattr(time, "clock_gettime_ns", wall)
    monkeypatch.setattr(time, "monotonic_ns", lambda: shown["now"])
    return shown


def _read(clocks: dict[str, int], came_ns: int, ahead_ns: int) -> int:
    """What becomes of a packet that came at a time, when the wall clock was so much ahead."""
    stamp = kernel_stamps.TIMESPEC.pack(*divmod(came_ns + ahead_ns, SECOND))
    return kernel_stamps.arrival_ns_of([(socket.SOL_SOCKET, kernel_stamps.SO_TIMESTAMPNS, stamp)])


@pytest.mark.parametrize("set_s", [5.4, 0.1, -0.1, -5.4, 30.0])
def test_a_packet_that_waited_while_the_wall_clock_was_set_is_not_early(
    set_s: float, clocks: dict[str, int]
) -> None:
    """Two came 2 and 1 ms before it was set, another after; all are read 3 ms after the first came."""
    assert _read(clocks, clocks["now"] - 1_000_000, AHEAD) == clocks["now"] - 1_000_000
    clocks["now"] += SECOND
    before = [clocks["now"], clocks["now"] + 1_000_000]
    clocks["now"] += 3_000_000
    clocks["ahead"] += round(set_s * SECOND)
    after = clocks["now"] - 500_000
    for came in before:
        # Set back, such a packet is of the future, and stamped when it is read: late does no harm.
        assert came <= _read(clocks, came, AHEAD) <= clocks["now"]
        assert set_s < 0 or _read(clocks, came, AHEAD) == came
    assert _read(clocks, after, clocks["ahead"]) == after
    clocks["now"] += 30 * SECOND
    assert _read(clocks, clocks["now"] - 20_000_000, clocks["ahead"]) == clocks["now"] - 20_000_000


def test_a_hold_up_between_the_two_readings_is_no_setting_of_the_clock(clocks: dict[str, int]) -> None:
    """It makes the wall clock look 20 ms less ahead for one packet."""
    for ahead in (AHEAD, AHEAD - 20_000_000, AHEAD):
        clocks["ahead"] = ahead
        came = clocks["now"] - 1_000_000
        assert came <= _read(clocks, came, AHEAD) <= clocks["now"]
        clocks["now"] += 20_000_000
    assert _read(clocks, clocks["now"] - 1_000_000, AHEAD) == clocks["now"] - 1_000_000
