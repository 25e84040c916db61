"""Comparisons against values by hand, numpy, scipy, and simulated truth."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from metrics.comparison.paired import Effort, compare, detectable_factor, holm
from metrics.comparison.weighted import Percentile, Sums, Weights
from metrics.survival import Waited, kaplan_meier

QUICK = Effort(swaps=399, resamples=400)


def times(groups: list[list[float]]) -> list[list[Waited]]:
    return [[Waited(time=value) for value in group] for group in groups]


def test_percentiles_are_numpys_on_every_resample() -> None:
    rng = np.random.default_rng(3)
    baseline, candidate = ([list(rng.normal(0, 1, n)) for n in (3, 5, 2, 4)] for _ in range(2))
    counts = rng.multinomial(4, [0.25] * 4, size=50).astype(float)
    for q in (10.0, 50.0, 95.0):
        found = Percentile(q, times(baseline), times(candidate)).figures(Weights.of(counts))
        for side, groups in zip(found, (baseline, candidate), strict=True):
            for row, figure in zip(counts, side, strict=True):
                drawn = [value for k, group in zip(row, groups, strict=True) for value in group * int(k)]
                assert figure == pytest.approx(np.percentile(drawn, q))


def test_censored_percentiles_are_kaplan_and_meiers() -> None:
    rng = np.random.default_rng(4)
    groups = [
        [Waited(time=float(rng.integers(1, 9)), came=bool(rng.random() < 0.8)) for _ in range(5)]
        for _ in range(6)
    ]
    counts = rng.multinomial(6, [1 / 6] * 6, size=40).astype(float)
    found, _ = Percentile(50, groups, groups).figures(Weights.of(counts))
    for row, figure in zip(counts, found, strict=True):
        drawn = [one for k, group in zip(row, groups, strict=True) for one in group * int(k)]
        expected = kaplan_meier(drawn).percentile(50)
        assert figure == pytest.approx(1e15 if expected is None else expected)


def test_p_of_few_groups_is_that_of_every_swap() -> None:
    """Ten pairs by hand: the share of the 1,024 signs whose mean is as large."""
    rng = np.random.default_rng(5)
    one, other = rng.normal(0, 1, 10), rng.normal(0.6, 1, 10)
    change = other - one
    signs = np.array(list(product([1, -1], repeat=10)))
    expected = np.mean((signs * change).mean(axis=1) >= change.mean() - 1e-12)
    observed = Sums.of([[(v, 1.0)] for v in one], [[(v, 1.0)] for v in other])
    found = compare(observed, seed=1)
    assert found.p_higher == pytest.approx(expected)
    assert found.estimate == pytest.approx(change.mean())
    assert found.method.startswith("exact: all 1024 swaps")


def test_interval_and_detectable_effect_of_means_are_students() -> None:
    rng = np.random.default_rng(6)
    one, other = rng.normal(0, 1, 60), rng.normal(0.3, 1, 60)
    change = other - one
    found = compare(Sums.of([[(v, 1.0)] for v in one], [[(v, 1.0)] for v in other]), seed=2)
    low, high = stats.t.interval(0.9, 59, change.mean(), stats.sem(change))
    assert found.low == pytest.approx(low, abs=0.04)
    assert found.high == pytest.approx(high, abs=0.04)
    assert found.p_higher == pytest.approx(
        stats.ttest_1samp(change, 0, alternative="greater").pvalue, abs=0.01
    )
    by_hand = (stats.t.ppf(0.95, 59) + stats.t.ppf(0.8, 59)) * stats.sem(change)
    assert found.detectable == pytest.approx(by_hand, rel=0.08)
    assert detectable_factor(60) == pytest.approx(stats.t.ppf(0.95, 59) + stats.t.ppf(0.8, 59))


def test_groups_and_not_observations_are_resampled() -> None:
    """Twenty answers of a call that are all alike are no more than one."""
    rng = np.random.default_rng(7)
    one, other = rng.normal(0, 1, 12), rng.normal(0, 1, 12)
    single = compare(Percentile(50, times([[v] for v in one]), times([[v] for v in other])), seed=3)
    many = compare(Percentile(50, times([[v] * 20 for v in one]), times([[v] * 20 for v in other])), seed=3)
    assert many.p_higher == pytest.approx(single.p_higher, abs=0.02)
    assert many.detectable == pytest.approx(single.detectable, rel=0.1)


def test_a_median_that_is_lost_is_worse_than_every_number() -> None:
    answered = times([[500.0 + n, 600.0] for n in range(12)])
    silent = [[Waited(time=15_000.0, came=False), Waited(time=600.0 + n)] for n in range(12)]
    silent[0] = [Waited(time=15_000.0, came=False)] * 2
    found = compare(Percentile(50, answered, silent), seed=4, effort=QUICK)
    assert (found.candidate, found.high, found.detectable) == (None, None, None)
    assert found.estimate == math.inf
    assert found.p_higher < 0.01


def test_no_change_at_all_is_no_finding() -> None:
    same = [[(1.0, 1.0)]] * 15
    found = compare(Sums.of(same, same), seed=5)
    assert (found.estimate, found.p_higher, found.p_lower, found.detectable) == (0.0, 1.0, 1.0, None)


def test_false_alarms_stay_below_five_in_a_hundred() -> None:
    """Skewed latencies, ten groups: the small form of ``bench.nights``."""
    rng = np.random.default_rng(8)
    alarms = 0
    for _ in range(150):
        sides = [times([list(rng.lognormal(7, 0.3, 4)) for _ in range(10)]) for _ in range(2)]
        alarms += (
            compare(Percentile(95, *sides), seed=6, effort=Effort(swaps=2000, resamples=50)).p_higher <= 0.05
        )
    # With a true rate of 5 %, more than 14 of 150 happen once in a hundred.
    assert alarms <= 14


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []


def test_one_group_is_no_comparison() -> None:
    with pytest.raises(ValueError, match="two groups"):
        compare(Sums.of([[(1.0, 1.0)]], [[(1.0, 1.0)]]), seed=1)
