"""What this machine can do for timing, tried out: kernel packet stamps, timer lateness, ICE over loopback.

Each probe is a short experiment on loopback or on the clock and returns what it saw; whether that is good
enough is for ``harness.selfcheck.machine`` to say.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import sys
import time
from dataclasses import dataclass

import aioice

SO_TIMESTAMPNS = 35
"""Linux's option for a receive stamp on each packet (asm-generic/socket.h); not in Python's ``socket``."""

_TIMESPEC = struct.Struct("@ll")


class ProbeFailed(Exception):
    """The machine cannot do what was tried; the message says what happened."""


@dataclass(frozen=True, kw_only=True)
class TimerLateness:
    """How late a sleeping thread wakes after its absolute deadline, in milliseconds."""

    wakeups: int
    p50_ms: float
    p95_ms: float
    max_ms: float


def kernel_stamp_age_ms(*, packets: int = 20) -> float:
    """Median time from the kernel's stamp of a packet on loopback until this process has read it, in ms.

    Raises:
        ProbeFailed: The system gives no receive stamps, or stamps that cannot be true.
    """
    if not sys.platform.startswith("linux"):
        raise ProbeFailed(f"{sys.platform} has no SO_TIMESTAMPNS; only Linux does")
    ages = []
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender,
    ):
        try:
            receiver.bind(("127.0.0.1", 0))
            receiver.settimeout(1.0)
            receiver.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
            for _ in range(packets):
                sender.sendto(b"stamp", receiver.getsockname())
                _, ancillary, _, _ = receiver.recvmsg(64, socket.CMSG_SPACE(_TIMESPEC.size))
                read_ns = time.time_ns()
                ages.append((read_ns - _stamp_ns(ancillary)) / 1e6)
        except OSError as error:
            raise ProbeFailed(f"no stamped packet came over loopback: {error}") from error
    age_ms = sorted(ages)[len(ages) // 2]
    # Both come from this machine's wall clock: a stamp outside these bounds is not this packet's.
    if not 0.0 <= age_ms < 100.0:
        raise ProbeFailed(f"the stamps lie {age_ms:.3f} ms before the packets were read: they are not usable")
    return age_ms


def timer_lateness(*, seconds: float = 0.5, step_ms: float = 10.0) -> TimerLateness:
    """Sleeps to absolute deadlines, ``step_ms`` apart, and measures how late each wake-up was."""
    count = max(1, round(seconds * 1000.0 / step_ms))
    start_ns = time.monotonic_ns()
    late_ms = []
    for index in range(1, count + 1):
        deadline_ns = start_ns + round(index * step_ms * 1e6)
        time.sleep(max(0.0, (deadline_ns - time.monotonic_ns()) / 1e9))
        late_ms.append((time.monotonic_ns() - deadline_ns) / 1e6)
    late_ms.sort()
    return TimerLateness(
        wakeups=count,
        p50_ms=nearest_rank(late_ms, 0.50),
        p95_ms=nearest_rank(late_ms, 0.95),
        max_ms=late_ms[-1],
    )


def nearest_rank(ordered: list[float], share: float) -> float:
    """The smallest of the ordered values that at least this share of them does not exceed."""
    # In whole thousandths, so that 0.95 of 20 values is the 19th, not the 20th by a rounding error.
    rank = -(-round(share * 1000) * len(ordered) // 1000)
    return ordered[max(1, rank) - 1]


def clock_step_ns(*, readings: int = 1000) -> int:
    """The smallest step that the monotonic clock was seen to take, in ns."""
    smallest = 0
    for _ in range(readings):
        before = after = time.monotonic_ns()
        while after == before:
            after = time.monotonic_ns()
        smallest = min(smallest, after - before) if smallest else after - before
    return smallest


def loopback_ice_ms(*, timeout_s: float = 3.0) -> float:
    """Lets two ICE agents find each other over 127.0.0.1 and exchange a datagram; how long that took, in ms.

    Raises:
        ProbeFailed: They did not connect within ``timeout_s``.
    """
    try:
        return asyncio.run(asyncio.wait_for(_loopback_ice(), timeout_s))
    except (TimeoutError, ConnectionError, OSError) as error:
        reason = str(error) or f"no connection after {timeout_s:g} s"
        raise ProbeFailed(f"two ICE agents on 127.0.0.1 did not connect: {reason}") from error


async def _loopback_ice() -> float:
    start_ns = time.monotonic_ns()
    caller = _LoopbackConnection(ice_controlling=True)
    agent = _LoopbackConnection(ice_controlling=False)
    try:
        await caller.gather_candidates()
        await agent.gather_candidates()
        for one, other in ((caller, agent), (agent, caller)):
            for candidate in other.local_candidates:
                await one.add_remote_candidate(candidate)
            await one.add_remote_candidate(None)
            one.remote_username = other.local_username
            one.remote_password = other.local_password
        await asyncio.gather(caller.connect(), agent.connect())
        await caller.send(b"probe")
        if await agent.recv() != b"probe":
            raise ConnectionError("another datagram arrived than the one sent")
        return (time.monotonic_ns() - start_ns) / 1e6
    finally:
        await caller.close()
        await agent.close()


class _LoopbackConnection(aioice.Connection):
    """An ICE agent that offers 127.0.0.1 only: aioice leaves that address out by itself."""

    async def get_component_candidates(
        self,
        component: int,
        addresses: list[str],
        timeout: int = 5,  # noqa: ASYNC109 - the base class names it so
    ) -> list[aioice.Candidate]:
        return await super().get_component_candidates(component, ["127.0.0.1"], timeout)


def _stamp_ns(ancillary: list[tuple[int, int, bytes]]) -> int:
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == SO_TIMESTAMPNS and len(data) >= _TIMESPEC.size:
            seconds, nanoseconds = _TIMESPEC.unpack_from(data)
            return int(seconds) * 1_000_000_000 + int(nanoseconds)
    raise ProbeFailed("the kernel put no receive stamp on a packet")
