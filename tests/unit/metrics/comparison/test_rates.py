"""Paired rates against published figures, scipy, and simulated truth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from metrics.comparison.rates import (
    Pairs,
    compare_rates,
    detectable_change,
    newcombe_of_two,
    pairs_needed,
)


def test_mcnemar_is_scipys_binomial_test() -> None:
    pairs = Pairs(both=60, baseline_only=17, candidate_only=5, neither=18)
    found = compare_rates(pairs)
    assert found.p_lower == pytest.approx(stats.binomtest(17, 22, alternative="greater").pvalue)
    assert found.p_higher == pytest.approx(stats.binomtest(5, 22, alternative="greater").pvalue)
    assert (found.baseline, found.candidate) == (0.77, 0.65)
    assert found.estimate == pytest.approx(-0.12)


def test_what_is_said_to_be_seen_is_seen_in_four_of_five() -> None:
    rng = np.random.default_rng(2)
    n, rate = 40, 0.9
    change = detectable_change(n, rate)
    assert change is not None
    seen = 0
    for _ in range(600):
        one, other = rng.random(n) < rate, rng.random(n) < rate - change
        lost, won = int((one & ~other).sum()), int((~one & other).sum())
        seen += lost > 0 and stats.binomtest(lost, lost + won, alternative="greater").pvalue <= 0.05
    assert seen / 600 == pytest.approx(0.8, abs=0.05)


def test_more_pairs_see_less_and_the_number_needed_sees_it() -> None:
    few, many = detectable_change(30, 0.9), detectable_change(300, 0.9)
    assert few is not None
    assert many is not None
    assert many < few
    needed = pairs_needed(0.15, 0.9)
    assert needed is not None
    assert 60 <= needed <= 120
    seen = detectable_change(needed, 0.9)
    assert seen is not None
    assert seen <= 0.15
    assert pairs_needed(0.0, 0.9) is None
    assert detectable_change(3, 0.9) is None


def test_two_rates_of_one_leave_room_for_what_was_not_seen() -> None:
    low, high = newcombe_of_two(1.0, 1.0, 30)
    assert low == pytest.approx(-high)
    assert 0.05 < high < 0.15
    assert compare_rates(Pairs(both=30, baseline_only=0, candidate_only=0, neither=0)).low < 0  # type: ignore[operator]
