"""Packets placed as they come: by the earliest of them, in ticks of any codec's clock, anew after a jump."""

from __future__ import annotations

import pytest

from harness.calls.voice.hearing.media_clock import MediaClock
from harness.transports.clock import CallClock
from harness.transports.stamp import PacketStamp

ZERO_NS = 5_000_000_000


def _stamp(ticks: int, arrival_s: float) -> PacketStamp:
    return PacketStamp(media_ticks=ticks, monotonic_ns=ZERO_NS + round(arrival_s * 1e9))


@pytest.mark.parametrize(("clock_rate_hz", "ticks"), [(48_000, 960), (8_000, 160), (1_000, 20)])
def test_a_late_packet_is_put_where_the_earlier_ones_say(clock_rate_hz: int, ticks: int) -> None:
    clock = MediaClock(CallClock(zero_ns=ZERO_NS), clock_rate_hz=clock_rate_hz)
    late_s = [0.0, 0.015, 0.009, 0.0]
    placed = [
        clock.place(_stamp(1000 + frame * ticks, 1.0 + frame * 0.02 + late))
        for frame, late in enumerate(late_s)
    ]
    # The envelope gives way by 0.4 ms a packet, until an early one comes.
    assert placed == pytest.approx([1.0, 1.0204, 1.0408, 1.06], abs=1e-9)


def test_a_jump_of_the_sender_is_followed_at_once() -> None:
    clock = MediaClock(CallClock(zero_ns=ZERO_NS), clock_rate_hz=1_000)
    assert clock.place(_stamp(0, 1.0)) == pytest.approx(1.0)
    assert clock.place(_stamp(20, 4.02)) == pytest.approx(4.02)
    assert clock.place(_stamp(2**32 - 20, 4.04)) == pytest.approx(4.04)
