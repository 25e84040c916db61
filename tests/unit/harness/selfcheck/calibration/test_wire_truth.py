"""The caller's samples at the agent's wire, from stamps that were made by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from harness.calls.voice.packet_times import PacketTimes
from harness.plans.call import ConditionsPlan
from harness.selfcheck.calibration.wire_truth import WireTruth
from harness.transports.impairment import outbound_delays_s

ZERO_S = 5000.0
PATH_S = 0.0004
LEAST_S = 0.02
FRAMES = 1000
FIRST_S = 1.5
"""Call time of our frame 0."""
CONDITIONS = ConditionsPlan(loss=0.03, delay_ms=40, jitter_ms=20, duplicates=0.02)
BASE = 2**32 - 300 * 960
"""Of our timestamps: they wrap within the call."""


def _sent(*, codec_delay_s: float = 0.0) -> PacketTimes:
    media_s = np.arange(FRAMES) * 0.02
    due_s = FIRST_S + media_s
    return PacketTimes(
        media_s=media_s,
        passed_s=due_s + 0.0002,
        placed_s=due_s - codec_delay_s,
        codec_delay_s=codec_delay_s,
    )


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


LATE = {350: 0.012, 700: 0.004}
"""By frame: how late it left, in seconds."""


def _of_drawn(
    delays_s: Sequence[Sequence[float]], told_s: Sequence[Sequence[float]], *, codec_delay_s: float = 0.0
) -> WireTruth:
    """Frames through a network that draws ``delays_s``, of which ``told_s`` is known; some had left late."""
    stamps = sorted(
        (ZERO_S + FIRST_S + frame * 0.02 + PATH_S + LATE.get(frame, 0.0) + delay_s, frame)
        for frame, copies in enumerate(delays_s)
        for delay_s in copies
    )
    arrived = [(frame, (BASE + frame * 960) % 2**32, round(at_s * 1e9)) for at_s, frame in stamps]
    return WireTruth(
        arrived,
        _sent(codec_delay_s=codec_delay_s),
        zero_s=ZERO_S,
        least_delay_s=LEAST_S,
        delays_s=told_s,
        clock_rate_hz=48_000,
    )


def _at(frame: int) -> float:
    return FIRST_S + frame * 0.02 + 0.01


def test_a_packet_that_left_late_is_told_from_one_that_the_network_held_up() -> None:
    drawn = outbound_delays_s(CONDITIONS, seed=4, packets=FRAMES)
    truth = _of_drawn(drawn, drawn)
    came = [frame for frame, copies in enumerate(drawn) if copies]
    assert {350, 700} <= set(came) < set(range(FRAMES))
    assert {frame: pytest.approx(truth.late_s(_at(frame)), abs=1e-6) for frame in came} == {
        frame: LATE.get(frame, 0.0) for frame in came
    }


def test_the_packet_that_carried_a_sample_is_asked_for_and_not_the_one_that_was_due_then() -> None:
    """Opus looks 6.5 ms ahead: in a frame's last 6.5 ms a sample is carried by the frame that follows."""
    drawn = outbound_delays_s(CONDITIONS, seed=4, packets=FRAMES)
    truth = _of_drawn(drawn, drawn, codec_delay_s=0.0065)
    begin_s = FIRST_S + 350 * 0.02
    carried = {-0.007: 0.0, -0.006: LATE[350], 0.013: LATE[350], 0.014: 0.0}
    found = {apart_s: truth.late_s(begin_s + apart_s) for apart_s in carried}
    assert found == pytest.approx(carried, abs=1e-6)
    # When it was due there is another question, and the same whichever packet is asked.
    assert truth.at_s(begin_s) - truth.at_s(begin_s - 0.007) == pytest.approx(0.007, abs=1e-6)


def test_of_a_packet_that_never_came_nobody_knows_whether_it_left_late() -> None:
    drawn = outbound_delays_s(CONDITIONS, seed=4, packets=FRAMES)
    lost = [*drawn[:350], (), *drawn[351:]]
    assert _of_drawn(lost, lost).late_s(_at(350)) == 0.0


@pytest.mark.parametrize("told_s", [outbound_delays_s(CONDITIONS, seed=5, packets=FRAMES), ()])
def test_draws_of_other_packets_tell_nothing(told_s: Sequence[Sequence[float]]) -> None:
    truth = _of_drawn(outbound_delays_s(CONDITIONS, seed=4, packets=FRAMES), told_s)
    assert [truth.late_s(_at(frame)) for frame in range(0, FRAMES, 10)] == [0.0] * (FRAMES // 10)
