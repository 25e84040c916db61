"""The delay of a server between the agent and us, told from both sides' stamps."""

from __future__ import annotations

import numpy as np
import pytest

from harness.calls.voice.packet_times import PacketTimes
from harness.selfcheck.calibration.path_delay import PathDelays

ZERO_S = 5000.0
FRAMES = 400


def _times(first_s: float, *, late_s: float = 0.0) -> PacketTimes:
    media = np.arange(FRAMES) * 0.02
    return PacketTimes(media_s=media, passed_s=first_s + media + late_s, placed_s=media)


def _stamps(
    first_s: float, *, from_frame: int = 0, start: int = 4_294_960_000, ticks: int = 960
) -> list[tuple[int, int, int]]:
    """As the agent logs them; the time stamp wraps on its way."""
    return [
        (frame, (start + frame * ticks) % 2**32, round((first_s + frame * 0.02) * 1e9))
        for frame in range(from_frame, FRAMES)
    ]


@pytest.mark.parametrize(("clock_rate_hz", "ticks"), [(48_000, 960), (8000, 160)])
@pytest.mark.parametrize("joined_late", [0, 37])
def test_delays_are_told_whichever_packet_came_first(
    joined_late: int, clock_rate_hz: int, ticks: int
) -> None:
    path = PathDelays()
    path.add(
        ours=_times(1.0),
        arrived=_stamps(ZERO_S + 1.0004, from_frame=joined_late, ticks=ticks),
        theirs=_stamps(ZERO_S + 1.5, ticks=ticks),
        received=_times(1.5006),
        zero_s=ZERO_S,
        clock_rate_hz=clock_rate_hz,
    )
    assert len(path.there) == FRAMES - joined_late
    assert np.median(path.there) == pytest.approx(0.4, abs=1e-3)
    assert np.median(path.back) == pytest.approx(0.6, abs=1e-3)
    assert path.both_ways_ms == pytest.approx(1.0, abs=1e-3)


def test_a_packet_that_was_held_up_is_late_alone() -> None:
    path = PathDelays()
    received = _times(1.5006)
    received.passed_s[100] += 0.007
    path.add(
        ours=_times(1.0),
        arrived=_stamps(ZERO_S + 1.0004),
        theirs=_stamps(ZERO_S + 1.5),
        received=received,
        zero_s=ZERO_S,
        clock_rate_hz=48_000,
    )
    assert max(path.back) == pytest.approx(7.6, abs=1e-3)
    assert sorted(path.back)[-2] == pytest.approx(0.6, abs=1e-3)


def test_of_too_few_packets_nothing_is_told() -> None:
    path = PathDelays()
    path.add(
        ours=_times(1.0),
        arrived=[],
        theirs=_stamps(ZERO_S),
        received=_times(1.0),
        zero_s=ZERO_S,
        clock_rate_hz=48_000,
    )
    path.add(
        ours=_times(1.0),
        arrived=_stamps(ZERO_S, from_frame=FRAMES - 10),
        theirs=_stamps(ZERO_S, from_frame=FRAMES - 10),
        received=_times(1.0),
        zero_s=ZERO_S,
        clock_rate_hz=48_000,
    )
    assert not path.known
    assert path.both_ways_ms == 0.0
