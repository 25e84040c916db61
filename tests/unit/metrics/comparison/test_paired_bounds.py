"""A comparison's numbers by hand: swaps that can be counted, ends that can be looked up."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from metrics.comparison import paired
from metrics.comparison.paired import (
    _BEYOND,
    CONFIDENCE,
    FEWEST_GROUPS,
    LEVEL,
    POWER,
    THOROUGH,
    Effort,
    _detectable,
    _difference,
    _ends,
    compare,
    detectable_factor,
    holm,
)
from metrics.comparison.weighted import NEVER, Percentile, Sums
from metrics.survival import Waited


def _means(*pairs: tuple[float, float]) -> Sums:
    """One observation a group and side: baseline, candidate."""
    return Sums.of([[(one, 1.0)] for one, _ in pairs], [[(other, 1.0)] for _, other in pairs])


def _waited(*groups: list[float]) -> list[list[Waited]]:
    return [[Waited(time=time) for time in group] for group in groups]


SILENT = Waited(time=15_000.0, came=False)


def test_two_groups_have_four_swaps() -> None:
    """The groups differ by 3 and by 1: swapped they differ by 2, 1, -1, -2 in the mean."""
    found = compare(_means((0, 3), (0, 1)), seed=1, effort=Effort(swaps=4, resamples=50))
    assert (found.baseline, found.candidate, found.estimate, found.groups) == (0, 2, 2, 2)
    assert (found.p_higher, found.p_lower) == (0.25, 1.0)
    assert found.method == "exact: all 4 swaps; paired bootstrap of 2 groups"
    down = compare(_means((3, 0), (1, 0)), seed=1, effort=Effort(swaps=4, resamples=50))
    assert (down.estimate, down.p_higher, down.p_lower) == (-2, 1.0, 0.25)
    some = compare(_means((0, 3), (0, 1)), seed=1, effort=Effort(swaps=3, resamples=50))
    assert some.method.startswith("3 random swaps")


def test_of_random_swaps_the_data_s_own_is_one() -> None:
    """Forty groups of one sign: of 99 random swaps none is as good, and 1 of 100 is the data themselves."""
    found = compare(_means(*[(0, 1)] * 40), seed=1, effort=Effort(swaps=99, resamples=50))
    assert (found.p_higher, found.p_lower) == (0.01, 1.0)
    turned = compare(_means(*[(1, 0)] * 40), seed=1, effort=Effort(swaps=99, resamples=50))
    assert (turned.p_higher, turned.p_lower) == (1.0, 0.01)
    assert Effort(swaps=3999, resamples=2000) == THOROUGH


def test_a_billionth_is_no_difference() -> None:
    """The second group's sides differ by so much: swapped it brings the mean that much lower."""
    for apart, p_higher in ((0.99e-9, 0.5), (1.02e-9, 0.25)):
        found = compare(_means((0, 1), (0, apart)), seed=1, effort=Effort(swaps=4, resamples=50))
        assert found.p_higher == p_higher
        turned = compare(_means((1, 0), (apart, 0)), seed=1, effort=Effort(swaps=4, resamples=50))
        assert turned.p_lower == p_higher
    # Of large figures it is a billionth of them.
    large = compare(_means((0, 4000), (0, 1e-6)), seed=1, effort=Effort(swaps=4, resamples=50))
    assert large.p_higher == 0.5


def test_a_swap_that_leaves_a_side_empty_shows_no_difference() -> None:
    """One group has the baseline alone, the other the candidate alone: two of four swaps show nothing."""
    sums = Sums.of([[(1.0, 1.0)], []], [[], [(1.5, 1.0)]])
    found = compare(sums, seed=1, effort=Effort(swaps=4, resamples=200))
    assert (found.p_higher, found.p_lower) == (0.25, 1.0)
    # And of the resamples those count in which both sides are there.
    assert (found.low, found.high) == (0.5, 0.5)


def test_a_side_that_was_never_observed_is_refused() -> None:
    for sums in (Sums.of([[], []], [[(1.0, 1.0)]] * 2), Sums.of([[(1.0, 1.0)]] * 2, [[], []])):
        with pytest.raises(ValueError, match="no observation"):
            compare(sums, seed=1)


def test_a_median_that_only_one_side_reaches_is_as_far_off_as_can_be() -> None:
    there, lost = _waited(*[[500.0]] * 12), [[SILENT]] * 12
    effort = Effort(swaps=99, resamples=50)
    better = compare(Percentile(50, lost, there), seed=1, effort=effort)
    assert (better.baseline, better.candidate, better.estimate) == (None, 500, -math.inf)
    assert (better.low, better.high, better.detectable) == (None, None, None)
    worse = compare(Percentile(50, there, lost), seed=1, effort=effort)
    assert (worse.baseline, worse.candidate, worse.estimate) == (500, None, math.inf)
    neither = compare(Percentile(50, lost, lost), seed=1, effort=effort)
    assert (neither.baseline, neither.candidate) == (None, None)
    assert math.isnan(neither.estimate)
    assert (neither.low, neither.high, neither.detectable) == (None, None, None)
    assert (neither.p_higher, neither.p_lower) == (1.0, 1.0)


def test_a_resample_in_which_neither_side_is_reached_bounds_nothing() -> None:
    """Ten calls of ten turns at 500 ms. Six silent turns of a hundred and the p95 is not reached. Where one
    call has a silent turn it comes so often in 0.015 % of the resamples (binomial, 6 and more of 10 at 0.1),
    fewer than lie beyond an end (2.7 %). Where four calls have one, in 17 %: no end is left."""
    whole = [Waited(time=500.0)] * 9

    def night(silent: int) -> list[list[Waited]]:
        return [[*whole, SILENT if n < silent else Waited(time=500.0)] for n in range(10)]

    effort = Effort(swaps=99, resamples=2000)
    one = compare(Percentile(95, night(1), night(1)), seed=1, effort=effort)
    assert (one.baseline, one.candidate, one.low, one.high) == (500, 500, 0, 0)
    four = compare(Percentile(95, night(4), night(4)), seed=1, effort=effort)
    assert (four.baseline, four.candidate) == (500, 500)
    assert (four.low, four.high, four.detectable) == (None, None, None)


def test_two_sided_is_twice_the_smaller_and_no_more_than_one() -> None:
    found = compare(_means((0, 3), (0, 1)), seed=1, effort=Effort(swaps=4, resamples=50))
    assert found.p == 0.5
    assert replace(found, p_higher=0.9, p_lower=0.3).p == 0.6
    assert replace(found, p_higher=0.9, p_lower=0.6).p == 1.0


def test_the_same_seed_is_the_same_comparison_and_another_is_another() -> None:
    rng = np.random.default_rng(1)
    sums = _means(*rng.normal(0, 1, (14, 2)).tolist())
    effort = Effort(swaps=99, resamples=99)
    assert compare(sums, seed=3, effort=effort) == compare(sums, seed=3, effort=effort)
    assert compare(sums, seed=3, effort=effort) != compare(sums, seed=4, effort=effort)


def test_the_ends_are_moved_out_for_few_groups() -> None:
    """Ten groups: t of 9 degrees at 95 % is 1.833, times the root of 10/9 it is 1.932, beyond which 2.67 %
    of a normal distribution lie: the 27th and the 974th of a thousand."""
    assert _ends(np.arange(1.0, 1001.0), 10) == (27, 974)
    # Two groups: 6.314 times the root of 2 leaves nothing outside.
    assert _ends(np.arange(1.0, 1001.0), 2) == (1, 1000)


def test_what_could_have_been_found_is_so_many_standard_errors() -> None:
    """Resamples at 0 and 2 have a deviation of 1; of five groups it is the root of 5/4 larger."""
    factor = stats.t.ppf(0.95, 4) + stats.t.ppf(0.8, 4)
    assert _detectable(np.array([0.0, 2.0]), 5) == pytest.approx(factor * math.sqrt(1.25))
    assert _detectable(np.array([1.0, 1.0]), 5) is None
    assert _detectable(np.array([1.0, -1e15]), 5) is None
    assert detectable_factor(1) == pytest.approx(stats.t.ppf(0.95, 1) + stats.t.ppf(0.8, 1))
    assert detectable_factor(3) == pytest.approx(stats.t.ppf(0.95, 2) + stats.t.ppf(0.8, 2))
    assert (FEWEST_GROUPS, LEVEL, POWER, CONFIDENCE) == (10, 0.05, 0.8, 0.9)


def test_what_is_a_tolerance_away_is_as_good(monkeypatch: pytest.MonkeyPatch) -> None:
    """The groups differ by 1 and by 0.25: where the second is swapped, the mean is 0.25 lower."""
    monkeypatch.setattr(paired, "_SAME", 0.25)
    found = compare(_means((0, 1), (0, 0.25)), seed=1, effort=Effort(swaps=4, resamples=50))
    turned = compare(_means((1, 0), (0.25, 0)), seed=1, effort=Effort(swaps=4, resamples=50))
    assert (found.estimate, found.p_higher) == (0.625, 0.5)
    assert (turned.estimate, turned.p_lower) == (-0.625, 0.5)


def test_only_what_is_beyond_reach_is_not_reached() -> None:
    effort = Effort(swaps=4, resamples=50)
    both = compare(_means(*[(_BEYOND, _BEYOND)] * 2), seed=1, effort=effort)
    assert (both.baseline, both.candidate, both.estimate) == (_BEYOND, _BEYOND, 0)
    assert (both.low, both.high) == (0, 0)
    one = compare(_means(*[(0, _BEYOND)] * 2), seed=1, effort=effort)
    assert (one.estimate, one.low, one.high) == (_BEYOND,) * 3
    sides = np.array([_BEYOND, NEVER]), np.array([NEVER, _BEYOND])
    assert _difference(*sides, neither=0.0).tolist() == [NEVER - _BEYOND, _BEYOND - NEVER]
    assert _detectable(np.array([0.0, _BEYOND]), 5) is not None
    assert _detectable(np.array([0.0, 1.01 * _BEYOND]), 5) is None


def test_no_adjusted_p_is_more_than_one() -> None:
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([0.4, 0.9]) == [0.8, 0.9]
