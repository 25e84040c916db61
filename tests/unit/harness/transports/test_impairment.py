"""What an impairment does to a stream of packets, in numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.transports.impairment import Impairment


def _delays(impairment: Impairment, packets: int) -> list[float | None]:
    return [impairment.next_delay_s() for _ in range(packets)]


@pytest.mark.parametrize("loss", [0.0, 0.01, 0.03, 0.3])
def test_the_share_of_dropped_packets_is_the_one_asked_for(loss: float) -> None:
    impairment = Impairment(loss=loss, seed=11)
    delays = _delays(impairment, 20_000)
    dropped = delays.count(None)
    # Four standard deviations of a binomial count.
    assert abs(dropped - 20_000 * loss) <= 4 * np.sqrt(20_000 * loss * (1 - loss))
    assert impairment.dropped == dropped


def test_delay_is_uniform_around_its_mean() -> None:
    delays = np.array(_delays(Impairment(delay_s=0.04, jitter_s=0.02, seed=5), 20_000), dtype=np.float64)
    assert delays.min() >= 0.02
    assert delays.max() <= 0.06
    assert delays.mean() == pytest.approx(0.04, abs=0.0004)
    # A uniform spread of +- 20 ms.
    assert delays.std() == pytest.approx(0.02 / np.sqrt(3), rel=0.02)


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


@pytest.mark.parametrize(
    ("impairment", "active"),
    [
        (Impairment(), False),
        (Impairment(loss=0.01), True),
        (Impairment(delay_s=0.01), True),
        (Impairment(jitter_s=0.01), True),
    ],
)
def test_an_impairment_without_any_effect_is_inactive(impairment: Impairment, active: bool) -> None:
    assert impairment.active is active
