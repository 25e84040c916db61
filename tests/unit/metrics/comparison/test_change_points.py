"""Steps of a series: planted ones, none, and by hand. The full simulation is ``bench.nights``."""

from __future__ import annotations

import numpy as np
import pytest

from metrics.comparison.change_points import change_points, nights_needed, scatter


def test_a_clear_step_is_found_with_its_levels() -> None:
    values = [10.0, 11, 9, 10, 11, 9, 10, 20, 21, 19, 20, 21]
    (step,) = change_points(values)
    assert (step.at, step.before, step.after) == (7, 10.0, pytest.approx(20.2))
    assert step.p <= 0.02
    noise = scatter(values, [step])
    assert noise == pytest.approx(np.sqrt((4 + 2.8) / 10))


def test_two_steps_are_two() -> None:
    rng = np.random.default_rng(1)
    values = np.concatenate([rng.normal(0, 1, 20), rng.normal(8, 1, 20), rng.normal(0, 1, 20)])
    assert [step.at for step in change_points(values)] == [20, 40]


def test_three_standard_deviations_are_found_within_four_nights() -> None:
    rng = np.random.default_rng(2)
    found = 0
    for _ in range(60):
        values = rng.normal(0, 1, 43)
        values[39:] += 3
        found += any(abs(step.at - 39) <= 1 for step in change_points(values))
    assert found >= 51  # 0.944 of 500; fewer than 51 of 60 happen once in a hundred


def test_quiet_nights_stay_quiet() -> None:
    rng = np.random.default_rng(3)
    assert sum(bool(change_points(rng.normal(0, 1, 60))) for _ in range(60)) <= 5


@pytest.mark.parametrize("values", [[], [1.0] * 30, [1.0, 2.0, 9.0, 9.0, 9.0, 9.0, 9.0], [5.0] * 7])
def test_too_few_or_all_alike_is_no_step(values: list[float]) -> None:
    assert change_points(values) == []


def test_one_odd_night_is_no_level() -> None:
    rng = np.random.default_rng(4)
    values = rng.normal(0, 1, 40)
    values[20] = 30.0
    assert change_points(values) == []


def test_smaller_steps_take_more_nights() -> None:
    takes = [nights_needed(39, step_in_sd=sd) for sd in (3.0, 2.0, 1.0)]
    assert takes == sorted(takes)  # type: ignore[type-var]
    assert takes[0] in (2, 3, 4)
    assert nights_needed(39, step_in_sd=0.3) is None
    with pytest.raises(ValueError, match="finite"):
        change_points([1.0, float("nan")])
