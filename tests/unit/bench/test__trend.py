"""The slope of samples, against ones worked out by hand and against a planted leak."""

from __future__ import annotations

import numpy as np
import pytest

from bench._trend import MIN_POINTS, trend


def test_a_straight_line_is_its_own_slope() -> None:
    at_s = [0.0, 60.0, 120.0, 180.0, 240.0, 300.0]
    found = trend(at_s, [100.0, 102.0, 104.0, 106.0, 108.0, 110.0])
    assert found is not None
    assert found.per_minute == pytest.approx(2.0)
    assert found.low == pytest.approx(2.0)
    assert found.high == pytest.approx(2.0)
    assert found.grown == pytest.approx(10.0)


def test_what_stands_still_does_not_grow() -> None:
    found = trend(range(0, 600, 10), [38.0] * 60)
    assert found is not None
    assert (found.per_minute, found.low, found.high) == (0.0, 0.0, 0.0)
    assert not found.grows_by(1.0)


@pytest.mark.parametrize("alike", [0.0, 0.8])
def test_the_interval_holds_the_true_slope_as_often_as_it_says(alike: float) -> None:
    rng = np.random.default_rng(5)
    at_s = np.arange(0, 1800, 10.0)
    held = 0
    for _ in range(300):
        noise = rng.normal(size=len(at_s))
        for index in range(1, len(noise)):
            noise[index] += alike * noise[index - 1]
        found = trend(at_s.tolist(), (0.5 * at_s / 60 + 3 * noise).tolist())
        assert found is not None
        held += found.low <= 0.5 <= found.high
    assert 0.88 <= held / 300 <= 0.99


def test_a_leak_among_noise_is_found() -> None:
    rng = np.random.default_rng(7)
    at_s = np.arange(0, 3000, 10.0)
    found = trend(at_s.tolist(), (40 + 0.5 * at_s / 60 + rng.normal(0, 3, len(at_s))).tolist())
    assert found is not None
    assert found.grows_by(8.0)
    assert not found.grows_by(100.0)


def test_too_few_samples_say_nothing() -> None:
    assert trend(range(MIN_POINTS - 1), range(MIN_POINTS - 1)) is None
