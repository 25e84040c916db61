"""Call time and the machine's monotonic clock."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from harness.transports.clock import CallClock


def test_zero_of_the_call_is_the_moment_of_dialling() -> None:
    clock = CallClock(zero_ns=5_000_000_000)
    assert clock.at_s(5_000_000_000) == 0.0
    assert clock.at_s(6_250_000_000) == 1.25
    assert clock.at_s(4_000_000_000) == -1.0


def test_now_lies_between_two_readings_of_the_monotonic_clock() -> None:
    clock = CallClock()
    before_ns = time.monotonic_ns()
    now_s = clock.now_s()
    after_ns = time.monotonic_ns()
    assert (before_ns - clock.zero_ns) / 1e9 <= now_s <= (after_ns - clock.zero_ns) / 1e9


@given(zero_ns=st.integers(0, 2**62), t_s=st.floats(-10.0, 20_000.0))
def test_a_call_time_survives_the_way_there_and_back(zero_ns: int, t_s: float) -> None:
    clock = CallClock(zero_ns=zero_ns)
    # Half a nanosecond of rounding, and what a double of 20 000 s cannot tell apart.
    assert abs(clock.at_s(clock.monotonic_ns(t_s)) - t_s) <= 1e-9
