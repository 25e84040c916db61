"""Every number that a step rests on, on series of two levels whose orders can be counted."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import norm

from metrics.comparison.change_points import (
    ChangePoint,
    _explained,
    _search,
    _threshold,
    change_points,
    nights_needed,
    scatter,
)


def _levels(*levels: tuple[float, int]) -> list[float]:
    return [level for level, count in levels for _ in range(count)]


def test_nine_nights_are_the_fewest_that_can_show_a_step() -> None:
    """Four of one level and five of another: 2 of the 126 orders are as clear, below 0.02. Of eight nights
    2 of 70 are at best, which is more."""
    (step,) = change_points(_levels((0, 4), (1, 5)))
    assert (step.at, step.before, step.after) == (4, 0, 1)
    assert step.p == pytest.approx(2 / 126, abs=0.008)
    assert change_points(_levels((0, 4), (1, 4))) == []


def test_a_step_counts_up_to_two_in_a_hundred() -> None:
    """The same nine nights, shuffled in other ways: p is a count of thousandths, and 20 are still a step."""
    found = [step.p for seed in range(150) for step in change_points(_levels((0, 4), (1, 5)), seed=seed)]
    assert max(found) == 0.02
    assert [round(1000 * p, 9) % 1 for p in found] == [0.0] * len(found)
    # 22 and more thousandths would be as frequent as 10 and fewer.
    assert len(found) < 150


def test_what_no_shuffle_does_as_well_as_is_one_in_a_thousand() -> None:
    (step,) = change_points(_levels((0, 20), (1, 20)))
    assert step.p == 0.001


@pytest.mark.parametrize("at", [2, 18])
def test_two_nights_at_either_end_can_be_a_level(at: int) -> None:
    """Of the 190 ways to choose two of twenty 2 are as clear. One night never is."""
    (step,) = change_points(_levels((5.0, at), (3.0, 20 - at)))
    assert (step.at, step.before, step.after) == (at, 5.0, 3.0)
    assert change_points(_levels((5.0, 1), (3.0, 60))) == []
    assert change_points(_levels((5.0, 60), (3.0, 1))) == []


def test_the_parts_of_a_step_are_searched_too_and_all_are_told_in_order() -> None:
    """The largest is the second: the one before it is found after it, each with the levels beside it."""
    steps = change_points(_levels((0, 15), (1, 12), (9, 12), (8, 15)))
    assert [(step.at, step.before, step.after) for step in steps] == [(15, 0, 1), (27, 1, 9), (39, 9, 8)]


class _Unshuffled:
    """Stands for chance: leaves every order as it is, and knows how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def permuted(self, rows: NDArray[np.float64], *, axis: int) -> NDArray[np.float64]:
        self.asked += 1
        return rows


def test_nothing_is_shuffled_where_nothing_can_be_found() -> None:
    """Fewer than eight nights, or all alike. That some places explain nothing hinders no other."""
    for nights, asked in (
        ([0, 1] * 3 + [0], 0),
        ([0, 1] * 4, 1),
        ([3] * 20, 0),
        ([0.1] * 8, 0),  # sums of them differ in the last digit
        (_levels((0, 4), (1, 4)), 1),
    ):
        chance, found = _Unshuffled(), []  # type: ignore[var-annotated]
        _search(np.array(nights, dtype=float), 0, chance, found)  # type: ignore[arg-type]
        assert (chance.asked, found) == (asked, [])


def test_four_hundred_nights_are_looked_at_and_counted_from_the_first() -> None:
    """The first of 401 is far off and forgotten; the second, a little off, is a part of its level."""
    values = [1e6, 3.0, *[0.0, 2.0] * 99, 1.0, *[20.0, 22.0] * 100]
    (step,) = change_points(values)
    assert (step.at, step.before, step.after) == (201, pytest.approx(202 / 200), 21.0)


def test_a_step_is_the_same_at_any_level_and_in_either_direction() -> None:
    values = np.array(_levels((0, 6), (1, 9))) + np.random.default_rng(1).normal(0, 0.1, 15)
    (up,) = change_points([*values])
    (down,) = change_points([*(1000 - 10 * values)])
    assert (up.at, up.p) == (down.at, down.p) == (6, up.p)
    assert down.before - down.after == pytest.approx(10 * (up.after - up.before))


def test_the_scatter_is_around_the_levels_with_a_night_less_for_each() -> None:
    step = ChangePoint(at=3, before=0, after=0, p=0.01)
    assert scatter([1.0, 2.0, 3.0], []) == 1.0
    assert scatter([1.0, 2.0], []) is None
    # Squares of 2 and 8 around 2 and 12, and four of six nights free.
    assert scatter([1.0, 2.0, 3.0, 10.0, 12.0, 14.0], [step]) == pytest.approx(math.sqrt(10 / 4))
    assert scatter([1.0, 2.0, 3.0, 10.0], [step]) == pytest.approx(1.0)
    assert scatter([1.0, 2.0, 3.0], [step]) == 1.0
    assert scatter([], []) is None


def _by_solving(nights: int, step_in_sd: float, power: float = 0.9) -> int:
    """n·a / (n + a) is the square of what is wanted, solved for a: at least two nights."""
    threshold = norm.isf(0.01 / (4 * math.log(max(nights, 3))))
    square = ((threshold + norm.ppf(power)) / step_in_sd) ** 2
    return max(2, math.ceil(square * nights / (nights - square)))


@pytest.mark.parametrize("step_in_sd", [1.0, 1.3, 2.0, 3.0, 4.2, 30.0])
def test_nights_needed_solve_their_equation(step_in_sd: float) -> None:
    assert nights_needed(39, step_in_sd=step_in_sd) == _by_solving(39, step_in_sd)
    assert nights_needed(25, step_in_sd=step_in_sd, power=0.5) == _by_solving(25, step_in_sd, 0.5)


def test_of_two_nights_as_much_is_known_as_of_three() -> None:
    for nights in (2, 3, 4):
        for step_in_sd in (3.6, 4.0, 4.5):
            assert nights_needed(nights, step_in_sd=step_in_sd) == _by_solving(nights, step_in_sd)


def test_four_thousand_nights_are_never() -> None:
    """Steps that take 3996 nights, and 4005."""
    wanted = norm.isf(0.01 / (4 * math.log(39))) + norm.ppf(0.9)
    for after, needed in ((3995.5, 3996), (4004.5, None)):
        assert nights_needed(39, step_in_sd=wanted / math.sqrt(39 * after / (39 + after))) == needed


def test_nights_that_are_just_enough_are_enough() -> None:
    """Steps whose standard errors come out to the last digit as it takes."""
    wanted = _threshold(39) + float(ndtri(0.9))
    exact = 0
    for after in range(3, 60):
        errors = math.sqrt(39 * after / (39 + after))
        if wanted / (wanted / errors) == errors:
            exact += 1
            assert nights_needed(39, step_in_sd=wanted / errors) == after
    assert exact > 0


def test_a_step_of_a_thousandth_is_a_step() -> None:
    (step,) = change_points(_levels((0.0, 20), (0.001, 20)))
    assert (step.at, step.p) == (20, 0.001)


def test_the_seed_is_0_unless_another_is_given() -> None:
    values = _levels((0, 4), (1, 5))
    assert change_points(values) == change_points(values, seed=0) != change_points(values, seed=1)


def test_a_step_takes_away_its_share_of_the_variance() -> None:
    """Squares of 48 around the mean of 2. Levels of 0 and 3 take away 12 of them, 0 and 4 24, 1.5 and 3 3."""
    rows = np.array([[0.0, 0, 0, 6, 6, 0], [5.0] * 6])
    assert _explained(rows).tolist() == [[0.25, 0.5, 0.0625], [0.0, 0.0, 0.0]]
