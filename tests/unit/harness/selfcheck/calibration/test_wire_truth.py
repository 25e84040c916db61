"""The caller's samples at the agent's wire, from stamps that were made by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from harness.calls.voice.packet_times import PacketTimes
from harness.selfcheck.calibration.wire_truth import WireTruth

ZERO_S = 5000.0
PATH_S = 0.0004
LEAST_S = 0.02
FRAMES = 1000
FIRST_S = 1.5
"""Call time of our frame 0."""
BASE = 2**32 - 300 * 960
"""Of our timestamps: they wrap within the call."""


def _sent() -> PacketTimes:
    media_s = np.arange(FRAMES) * 0.02
    placed_s = FIRST_S + media_s
    return PacketTimes(media_s=media_s, passed_s=placed_s + 0.0002, placed_s=placed_s)


def _truth(
    *,
    lost: set[int],
    zero_s: float = ZERO_S,
    more: Sequence[tuple[int, int, float]] = (),
    clock_rate_hz: int = 48_000,
) -> WireTruth:
    """Frames at the agent, 20 to 60 ms late and so out of order, without those that were lost."""
    late_s = np.random.default_rng(3).uniform(LEAST_S, 0.06, FRAMES)
    ticks = clock_rate_hz // 50
    arrived = [
        (
            frame,
            (BASE + frame * ticks) % 2**32,
            ZERO_S + FIRST_S + frame * 0.02 + PATH_S + late_s[frame],
        )
        for frame in range(FRAMES)
        if frame not in lost
    ]
    arrived = sorted([*arrived, *more], key=lambda stamp: stamp[2])
    return WireTruth(
        [(sequence, ticks, round(at_s * 1e9)) for sequence, ticks, at_s in arrived],
        _sent(),
        zero_s=zero_s,
        least_delay_s=LEAST_S,
        clock_rate_hz=clock_rate_hz,
    )


@pytest.mark.parametrize("clock_rate_hz", [48_000, 8000])
@pytest.mark.parametrize("lost", [set(), set(range(7)), {350, 351, 400}, set(range(0, FRAMES, 3))])
def test_a_sample_is_due_at_the_agent_whether_its_packet_came_or_not(
    lost: set[int], clock_rate_hz: int
) -> None:
    truth = _truth(lost=lost, clock_rate_hz=clock_rate_hz)
    for t_s in (2.0, FIRST_S + 351 * 0.02 + 0.013, 15.0, 21.49):
        # Some hundred packets lie around each: the fastest of them is within half a millisecond of the least.
        assert truth.at_s(t_s) == pytest.approx(ZERO_S + t_s + PATH_S + LEAST_S, abs=0.0005)


def test_packets_that_a_server_adds_when_we_leave_are_not_ours() -> None:
    """LiveKit's: the last time stamp once more, and one that is a frame ahead of real time."""
    last = BASE + (FRAMES - 1) * 960
    left_s = ZERO_S + FIRST_S + FRAMES * 0.02 + PATH_S
    own = [(FRAMES, last % 2**32, left_s), (FRAMES + 1, (last + 1176) % 2**32, left_s + 0.0001)]
    truth = _truth(lost=set(), more=own)
    for t_s in (15.0, 20.0, 21.4):
        assert truth.at_s(t_s) == pytest.approx(ZERO_S + t_s + PATH_S + LEAST_S, abs=0.0005)


def test_stamps_of_another_call_are_refused() -> None:
    with pytest.raises(ValueError, match="not of this call"):
        _truth(lost=set(), zero_s=ZERO_S + 0.009)
