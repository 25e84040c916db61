"""Whether this machine can keep time well enough, judged from what the probes saw."""

from __future__ import annotations

import os
import platform
import time

from harness.selfcheck.finding import Check, Verdict
from harness.selfcheck.machine_probes import (
    ProbeFailed,
    clock_step_ns,
    kernel_stamp_age_ms,
    loopback_ice_ms,
    timer_lateness,
)

LATENESS_BOUND_MS = 2.0
"""Timer p95 that the pacing of calls is built for on an idle machine."""
LOAD_BOUND = 0.5
"""Load average per core above which the machine is not idle."""
CLOCK_STEP_BOUND_NS = 100_000
"""A clock coarser than this adds to every figure."""


def core_check() -> Check:
    """Cores, and how busy they are."""
    cores = os.cpu_count() or 1
    load = os.getloadavg()[0]
    busy = load / cores > LOAD_BOUND
    return Check(
        name="machine",
        verdict=Verdict.WARN if busy else Verdict.OK,
        found=f"{platform.system()} {platform.machine()}, {cores} cores, load average {load:.2f}",
        todo="end other work before taking timing figures" if busy else "",
    )


def clock_check() -> Check:
    """Whether the clock of every call is steady and fine enough."""
    clock = time.get_clock_info("monotonic")
    step_ns = clock_step_ns()
    usable = clock.monotonic and not clock.adjustable and step_ns <= CLOCK_STEP_BOUND_NS
    return Check(
        name="monotonic clock",
        verdict=Verdict.OK if usable else Verdict.FAIL,
        found=f"{clock.implementation}, smallest step seen {step_ns} ns",
        todo="" if usable else "timing cannot be measured with this clock: use another machine",
    )


def timer_check() -> Check:
    """How late sleeping threads wake up: what the sender's punctuality rests on."""
    late = timer_lateness()
    slow = late.p95_ms > LATENESS_BOUND_MS
    return Check(
        name="timer lateness",
        verdict=Verdict.WARN if slow else Verdict.OK,
        found=(
            f"p50 {late.p50_ms:.2f}, p95 {late.p95_ms:.2f}, worst {late.max_ms:.2f} ms "
            f"over {late.wakeups} deadlines; p95 should be at most {LATENESS_BOUND_MS:g} ms"
        ),
        todo="end other work, or calls may end as harness_fault" if slow else "",
    )


def packet_stamp_check() -> Check:
    """Whether the kernel says when each packet arrived."""
    try:
        age_ms = kernel_stamp_age_ms()
    except ProbeFailed as failure:
        return Check(
            name="kernel packet stamps",
            verdict=Verdict.WARN,
            found=str(failure),
            todo="arrival times are the event loop's instead, a few ms less exact: prefer Linux for timing",
        )
    return Check(
        name="kernel packet stamps",
        verdict=Verdict.OK,
        found=f"SO_TIMESTAMPNS works; packets were read {age_ms:.3f} ms after their stamp (median)",
    )


def ice_check() -> Check:
    """Whether a call to an agent on this machine can come about."""
    try:
        connected_ms = loopback_ice_ms()
    except ProbeFailed as failure:
        return Check(
            name="ICE over loopback",
            verdict=Verdict.FAIL,
            found=str(failure),
            todo="allow UDP on 127.0.0.1 (firewall, container), or agents on this machine cannot be called",
        )
    return Check(
        name="ICE over loopback",
        verdict=Verdict.OK,
        found=f"two agents connected over 127.0.0.1 in {connected_ms:.0f} ms",
    )
