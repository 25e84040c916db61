"""A real worker of livekit-agents, timed by a capture of its packets: what we say of it is when they left,
and not when its SDK was given the sound. ``python -m tests.live.test_worker_wire`` prints the
difference."""

from __future__ import annotations

import os
from dataclasses import dataclass

import httpx
import numpy as np
import pytest

from harness.plans.call import ConditionsPlan
from harness.records.call import SAMPLE_RATE_HZ, CallStatus
from harness.selfcheck.calibration.design import design
from harness.selfcheck.calibration.run import prepare
from harness.selfcheck.livekit_server import SERVER_VARIABLE, serving_livekit
from harness.transports.by_scheme import transport_for
from metrics.speech import detect_speech
from tests.faults.placing import place_all
from tests.peers.loopback_capture import Captured, can_capture
from tests.peers.worker_wire import worker_wire
from tests.serving import serving_module

pytest.importorskip("livekit.agents", reason="livekit-agents is not installed (extra 'livekit')")

pytestmark = [
    pytest.mark.live,
    pytest.mark.alone,
    pytest.mark.long,
    pytest.mark.skipif(
        not os.environ.get(SERVER_VARIABLE), reason=f"{SERVER_VARIABLE} names no LiveKit server"
    ),
    pytest.mark.skipif(not can_capture(), reason="a capture needs a raw socket (root, CAP_NET_RAW)"),
]
ANSWERS, STOPS = 12, 4
BOUND_MS, STOPS_BOUND_MS = 3.0, 5.0


@dataclass(frozen=True, kw_only=True)
class Measured:
    """In ms, one for each answer or stop.

    Attributes:
        onsets, ends: How much later we place it than the capture, and so what a caller at our place waits
        for. given, last_given: How much earlier the SDK was given that sound than it left. server: What the
        server took, packet by packet.
    """

    onsets: list[float]
    ends: list[float]
    given: list[float]
    last_given: list[float]
    server: list[float]


def measure(*, answers: int = ANSWERS, stops: int = STOPS) -> Measured:
    """Calls the worker through a real server."""
    found = Measured(onsets=[], ends=[], given=[], last_given=[], server=[])
    with (
        serving_livekit() as server,
        serving_module(
            "tests.peers.livekit_worker", "--livekit", server.url, environment=server.environment
        ) as (worker, _),
        serving_module("tests.peers.loopback_capture", "--media", str(server.media_port)) as (capture, _),
    ):
        for call in design(
            sound="marker",
            turns=answers,
            interruptions=stops,
            calls=1,
            seed=1,
            agent=server.address("truth"),
            conditions=ConditionsPlan(),
        ):
            name = call.plan.call_id
            for _ in range(2):
                ended = place_all({name: prepare(call, transport_for(call.plan.agent))}).ended[name]
                if ended.placed.record.status is not CallStatus.HARNESS_FAULT:
                    break
            placed = ended.placed
            assert placed.record.status is CallStatus.COMPLETED, placed.record.status_detail
            assert placed.recording is not None
            log = httpx.get(f"{worker}/truth/{name}", timeout=10).json()
            packets = [Captured(**one) for one in httpx.get(f"{capture}/captured", timeout=30).json()]
            zero_s = placed.clock.zero_ns / 1e9
            wire = worker_wire(
                packets, placed.recording.received, media_port=server.media_port, zero_s=zero_s
            )
            found.server.extend(wire.behind_s[np.isfinite(wire.behind_s)] * 1000)
            talks = detect_speech(placed.recording.audio[:, 1], SAMPLE_RATE_HZ, marker_tones=True).talks
            assert len(talks) == len(log["spoke"])
            for talk, spoke in zip(talks, log["spoke"], strict=True):
                left_s = wire.at_s(talk.span.start_s)
                found.onsets.append((talk.span.start_s - left_s) * 1000)
                found.given.append((left_s + zero_s - spoke["first_captured_s"]) * 1000)
                left_s = wire.at_s(talk.span.end_s)
                found.ends.append((talk.span.end_s - left_s) * 1000)
                found.last_given.append((left_s + zero_s - spoke["last_captured_s"]) * 1000)
    return found


@pytest.fixture(scope="module")
def measured() -> Measured:
    return measure()


def test_our_onsets_are_the_captures(measured: Measured) -> None:
    assert len(measured.onsets) >= ANSWERS
    assert np.isfinite(measured.onsets).all()
    assert np.percentile(np.abs(measured.onsets), 95) <= BOUND_MS, sorted(measured.onsets)


def test_our_ends_are_the_captures(measured: Measured) -> None:
    assert np.percentile(np.abs(measured.ends), 95) <= STOPS_BOUND_MS, sorted(measured.ends)


def test_what_the_sdk_was_given_is_no_truth(measured: Measured) -> None:
    """Else nobody would need a capture: by ``capture_frame`` the same agent seems tens of milliseconds
    faster."""
    assert np.median(measured.given) > 10.0
    assert np.median(measured.server) < 2.0


def main() -> None:
    found = measure(answers=30, stops=10)
    for what, values in (
        ("onset: ours after the capture's", found.onsets),
        ("end: ours after the capture's", found.ends),
        ("onset: on the wire after capture_frame", found.given),
        ("end: on the wire after the last capture_frame", found.last_given),
        ("the server, a packet", found.server),
    ):
        low, middle, high = np.percentile(values, [5, 50, 95])
        print(f"{what}: n {len(values)}, p5 {low:+.2f}, p50 {middle:+.2f}, p95 {high:+.2f} ms")


if __name__ == "__main__":
    main()
