"""What an impairment does to a stream of packets, in numbers."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.plans.call import ConditionsPlan
from harness.transports.clock import CallClock
from harness.transports.impairment import (
    Impairment,
    Outages,
    impairments,
    outage_starts,
    outbound_delays_s,
)

PACKETS = 20_000
ZERO_NS = 77_000_000_000
CLOCK = CallClock(zero_ns=ZERO_NS)
LOST_THEN = [3, 4, 5, 17, 28, 35, 39, 41, 44, 53]
DELAYS_THEN = [0.026033966956980077, 0.02289745146670171, 0.034627556676503427]
"""As version 0.1 drew them: seed 7, loss 10 %, 40 +- 20 ms."""


def _fates(impairment: Impairment, packets: int = PACKETS) -> list[tuple[float, ...]]:
    """What becomes of packets that pass every 20 ms from the call's beginning on."""
    return [impairment.meet(ZERO_NS + number * 20_000_000) for number in range(packets)]


def _delays(impairment: Impairment, packets: int) -> list[float | None]:
    return [fate[0] if fate else None for fate in _fates(impairment, packets)]


def _bursts(lost: Sequence[bool]) -> list[int]:
    """How many packets were lost in a row, each time."""
    return [len(list(group)) for was_lost, group in itertools.groupby(lost) if was_lost]


@pytest.mark.parametrize("loss", [0.0, 0.01, 0.03, 0.3])
def test_the_share_of_dropped_packets_is_the_one_asked_for(loss: float) -> None:
    impairment = Impairment(loss=loss, seed=11)
    delays = _delays(impairment, PACKETS)
    dropped = delays.count(None)
    # Four standard deviations of a binomial count.
    assert abs(dropped - PACKETS * loss) <= 4 * np.sqrt(PACKETS * loss * (1 - loss))
    assert impairment.dropped == dropped


def test_independent_losses_come_in_bursts_of_little_more_than_one() -> None:
    lost = [not fate for fate in _fates(Impairment(loss=0.05, seed=2))]
    # Geometric: 1 / (1 - loss).
    assert np.mean(_bursts(lost)) == pytest.approx(1 / 0.95, abs=0.03)


@pytest.mark.parametrize(("loss", "burst"), [(0.03, 3.0), (0.05, 4.0), (0.05, 1.0)])
def test_losses_in_bursts_have_the_share_and_the_mean_length_asked_for(loss: float, burst: float) -> None:
    """By hand: the bad state lasts 1/r packets with r = 1/burst, and holds the share p / (p + r) of the time
    with p = r * loss / (1 - loss). The count's variance is that of such a chain: (1 + m) / (1 - m) times a
    binomial's, m = 1 - p - r."""
    r = 1 / burst
    p = r * loss / (1 - loss)
    m = 1 - p - r
    for seed in range(4):
        lost = [not fate for fate in _fates(Impairment(loss=loss, loss_burst=burst, seed=seed))]
        sd = np.sqrt(PACKETS * loss * (1 - loss) * (1 + m) / (1 - m))
        assert abs(sum(lost) - PACKETS * loss) <= 4 * sd
        lengths = _bursts(lost)
        # Geometric with mean 1/r: variance (1 - r) / r^2.
        assert abs(np.mean(lengths) - burst) <= 4 * np.sqrt((1 - r) / r**2 / len(lengths))


def test_delay_is_uniform_around_its_mean() -> None:
    delays = np.array(_delays(Impairment(delay_s=0.04, jitter_s=0.02, seed=5), PACKETS), dtype=np.float64)
    assert delays.min() >= 0.02
    assert delays.max() <= 0.06
    assert delays.mean() == pytest.approx(0.04, abs=0.0004)
    # A uniform spread of +- 20 ms.
    assert delays.std() == pytest.approx(0.02 / np.sqrt(3), rel=0.02)


def test_delay_is_normal_and_cut_off_where_that_is_asked_for() -> None:
    normal = Impairment(delay_s=0.04, jitter_s=0.02, jitter_shape="normal", seed=5)
    delays = np.array(_delays(normal, PACKETS), dtype=np.float64)
    assert delays.min() >= 0.02
    assert delays.max() <= 0.06
    assert delays.mean() == pytest.approx(0.04, abs=0.0004)
    # Of a normal distribution cut off at two standard deviations, 0.880 of the standard deviation is left,
    # and 71.5 % lie within one of them.
    assert delays.std() == pytest.approx(0.880 * 0.01, rel=0.02)
    assert np.mean(np.abs(delays - 0.04) < 0.01) == pytest.approx(0.715, abs=0.015)


def test_a_share_is_held_back_and_overtaken() -> None:
    impairment = Impairment(reorder=0.02, reorder_s=0.05, seed=3)
    fates = _fates(impairment)
    assert {delay for fate in fates for delay in fate} == {0.0, 0.05}
    held_back = sum(fate == (0.05,) for fate in fates)
    assert impairment.held_back == held_back
    assert abs(held_back - PACKETS * 0.02) <= 4 * np.sqrt(PACKETS * 0.02 * 0.98)
    # Two packets of 20 ms pass the one that waits for 50 ms.
    arrivals = [number * 0.02 + fate[0] for number, fate in enumerate(fates)]
    order = np.argsort(arrivals, kind="stable")
    moved = np.arange(PACKETS) - order
    assert moved.min() >= -2
    assert np.sum(np.diff(order) < 0) <= held_back


def test_a_share_comes_twice() -> None:
    impairment = Impairment(duplicates=0.02, delay_s=0.04, jitter_s=0.02, seed=3)
    fates = _fates(impairment)
    assert {len(fate) for fate in fates} == {1, 2}
    doubled = [fate for fate in fates if len(fate) == 2]
    assert impairment.doubled == len(doubled)
    assert abs(len(doubled) - PACKETS * 0.02) <= 4 * np.sqrt(PACKETS * 0.02 * 0.98)
    assert all(0.02 <= delay <= 0.06 for fate in doubled for delay in fate)
    assert len({fate[0] != fate[1] for fate in doubled}) == 1


ALL_AT_ONCE = {
    "loss": 0.03,
    "loss_burst": 3.0,
    "delay_s": 0.04,
    "jitter_s": 0.02,
    "jitter_shape": "normal",
    "reorder": 0.02,
    "duplicates": 0.02,
}


@pytest.mark.parametrize("seed", [0, 1, 2**40])
def test_the_same_seed_repeats_everything(seed: int) -> None:
    once = _fates(Impairment(**ALL_AT_ONCE, seed=seed), 3000)
    assert once == _fates(Impairment(**ALL_AT_ONCE, seed=seed), 3000)
    assert once != _fates(Impairment(**ALL_AT_ONCE, seed=seed + 1), 3000)


def test_what_is_asked_for_besides_moves_no_loss_and_no_delay() -> None:
    plain = _fates(Impairment(loss=0.03, delay_s=0.04, jitter_s=0.02, seed=9), 3000)
    more = Impairment(loss=0.03, delay_s=0.04, jitter_s=0.02, reorder=0.1, duplicates=0.1, seed=9)
    for fate, other in zip(plain, _fates(more, 3000), strict=True):
        assert bool(fate) == bool(other)
        if fate:
            assert other[0] in (fate[0], fate[0] + 0.05)


def test_a_plan_of_before_loses_the_packets_that_it_lost() -> None:
    fates = _fates(Impairment(loss=0.1, delay_s=0.04, jitter_s=0.02, seed=7), 60)
    assert [number for number, fate in enumerate(fates) if not fate] == LOST_THEN
    assert [fate[0] for fate in fates[:3]] == pytest.approx(DELAYS_THEN, abs=1e-12)


@given(seed=st.integers(0, 2**40), loss=st.floats(0.0, 0.5))
def test_the_same_seed_gives_the_same_delays_whatever_is_lost(seed: int, loss: float) -> None:
    without = _delays(Impairment(delay_s=0.04, jitter_s=0.02, seed=seed), 50)
    lossy = _delays(Impairment(loss=loss, delay_s=0.04, jitter_s=0.02, seed=seed), 50)
    assert all(one is None or one == other for one, other in zip(lossy, without, strict=True))
    assert _delays(Impairment(loss=loss, delay_s=0.04, jitter_s=0.02, seed=seed), 50) == lossy


def test_another_seed_drops_other_packets() -> None:
    one = _delays(Impairment(loss=0.1, seed=1), 500)
    other = _delays(Impairment(loss=0.1, seed=2), 500)
    assert [delay is None for delay in one] != [delay is None for delay in other]


def test_delay_never_falls_below_zero() -> None:
    delays = _delays(Impairment(delay_s=0.005, jitter_s=0.02, seed=1), 1000)
    assert min(delay for delay in delays if delay is not None) == 0.0


def test_an_outage_takes_what_passes_while_it_lasts() -> None:
    outages = Outages(clock=CLOCK, starts_s=(1.0, 5.0), length_s=0.3)
    fates = _fates(Impairment(outages=outages), 500)
    # Packet k passes at 0.02 k s: 50 to 64 and 250 to 264.
    assert [number for number, fate in enumerate(fates) if not fate] == [*range(50, 65), *range(250, 265)]


def test_outages_come_so_often_a_minute_and_where_they_are_wanted() -> None:
    starts = outage_starts((3.0,), 4, seed=1)
    drawn = sorted(set(starts) - {3.0})
    assert len(starts) == len(drawn) + 1
    assert list(starts) == sorted(starts)
    # One in each 15 s, not all at the same place in it.
    assert [int(start // 15) for start in drawn] == list(range(4 * 240))
    assert np.std(np.mod(drawn, 15)) == pytest.approx(15 / np.sqrt(12), rel=0.1)
    assert starts == outage_starts((3.0,), 4, seed=1)
    assert starts != outage_starts((3.0,), 4, seed=2)
    assert outage_starts((), 0, seed=1) == ()


def test_a_plan_s_network_in_both_directions() -> None:
    conditions = ConditionsPlan(
        loss=0.03,
        loss_burst=3,
        delay_ms=40,
        jitter_ms=20,
        jitter_shape="normal",
        reorder=0.02,
        reorder_ms=30,
        duplicates=0.01,
        outage_at_s=(2.0,),
        outage_ms=200,
    )
    inbound, outbound = impairments(conditions, seed=5, clock=CLOCK)
    for one in (inbound, outbound):
        assert (one.loss, one.loss_burst, one.delay_s, one.jitter_s) == (0.03, 3, 0.04, 0.02)
        assert (one.jitter_shape, one.reorder, one.reorder_s, one.duplicates) == ("normal", 0.02, 0.03, 0.01)
        assert one.outages == Outages(clock=CLOCK, starts_s=(2.0,), length_s=0.2)
    fates = _fates(inbound, 500), _fates(outbound, 500)
    assert fates[0] != fates[1]
    assert not any(fate for direction in fates for fate in direction[100:110])


def test_a_plan_without_network_conditions_impairs_nothing() -> None:
    conditions = ConditionsPlan(telephone="ulaw", outage_ms=500)
    assert not conditions.impairs_the_network
    assert not any(one.active for one in impairments(conditions, seed=1, clock=CLOCK))


@pytest.mark.parametrize(
    ("impairment", "active"),
    [
        (Impairment(), False),
        (Impairment(loss=0.01), True),
        (Impairment(delay_s=0.01), True),
        (Impairment(jitter_s=0.01), True),
        (Impairment(reorder=0.01), True),
        (Impairment(duplicates=0.01), True),
        (Impairment(outages=Outages(clock=CLOCK, starts_s=(1.0,), length_s=0.3)), True),
    ],
)
def test_an_impairment_without_any_effect_is_inactive(impairment: Impairment, active: bool) -> None:
    assert impairment.active is active


def test_what_a_call_s_packets_will_meet_can_be_told_from_its_seed() -> None:
    conditions = ConditionsPlan(
        loss=0.05, loss_burst=3, delay_ms=40, jitter_ms=20, reorder=0.02, duplicates=0.02
    )
    _, outbound = impairments(conditions, seed=12, clock=CLOCK)
    assert outbound_delays_s(conditions, seed=12, packets=500) == _fates(outbound, 500)
    assert outbound_delays_s(conditions, seed=13, packets=500) != _fates(outbound, 500)


def test_an_outage_goes_by_the_clock_and_is_not_among_what_is_drawn() -> None:
    conditions = ConditionsPlan(delay_ms=40, outages_per_minute=20, outage_ms=2000)
    assert outbound_delays_s(conditions, seed=1, packets=300) == [(0.04,)] * 300
