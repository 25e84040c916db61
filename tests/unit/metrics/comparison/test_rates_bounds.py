"""Rates of pairs by hand, and their power by going through every table there can be."""

from __future__ import annotations

import math

import pytest
from scipy import stats

from metrics.comparison import rates
from metrics.comparison.rate_bounds import exact_ends
from metrics.comparison.rates import (
    Pairs,
    compare_rates,
    detectable_change,
    newcombe_of_two,
    pairs_needed,
)


def _pairs(both: int, baseline_only: int, candidate_only: int, neither: int) -> Pairs:
    return Pairs(both=both, baseline_only=baseline_only, candidate_only=candidate_only, neither=neither)


def test_mcnemar_by_hand() -> None:
    """Three of four discordant pairs: (4 + 1) of 16; all of four: 1 of 16; one of one is no finding."""
    found = compare_rates(_pairs(5, 3, 1, 2))
    assert (found.p_lower, found.p_higher) == pytest.approx((5 / 16, 15 / 16))
    assert (found.baseline, found.candidate, found.estimate) == pytest.approx((8 / 11, 6 / 11, -2 / 11))
    assert (found.groups, found.method) == (11, "McNemar's exact test and exact interval of 11 pairs")
    assert (found.low, found.high) == exact_ends(11, 3, 1)
    assert found.detectable == detectable_change(11, 8 / 11)
    found = compare_rates(_pairs(0, 0, 4, 0))
    assert (found.p_lower, found.p_higher) == (1.0, pytest.approx(1 / 16))
    found = compare_rates(_pairs(0, 1, 0, 0))
    assert (found.p_lower, found.p_higher) == (0.5, 1.0)
    with pytest.raises(ValueError, match="no pairs"):
        compare_rates(_pairs(0, 0, 0, 0))


def _wilson(successes: int, n: int, z: float) -> tuple[float, float]:
    share = successes / n
    middle = (share + z * z / 2 / n) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / 4 / n / n)
    return middle - half, middle + half


def test_newcombes_interval_of_two_shares_by_hand() -> None:
    """18 and 24 of 30, at 90 %."""
    z = float(stats.norm.ppf(0.95))
    (low1, high1), (low2, high2) = _wilson(18, 30, z), _wilson(24, 30, z)
    down = math.hypot(0.8 - low2, high1 - 0.6)
    up = math.hypot(high2 - 0.8, 0.6 - low1)
    assert newcombe_of_two(0.6, 0.8, 30) == pytest.approx((0.2 - down, 0.2 + up), abs=1e-9)


def _power(n: int, rate: float, change: float) -> float:
    """How often a change is found: every count of pairs lost and won, with its chance, and whether the exact
    test finds it."""
    lost, won = rate * (1 - rate + change), (rate - change) * (1 - rate)
    found = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            if b and stats.binom.sf(b - 1, b + c, 0.5) <= 0.05:
                tables = math.comb(n, b) * math.comb(n - b, c)
                found += tables * lost**b * won**c * (1 - lost - won) ** (n - b - c)
    return found


@pytest.mark.parametrize(("n", "rate"), [(12, 0.9), (20, 0.7)])
def test_what_is_detectable_is_found_in_four_of_five_and_less_is_not(n: int, rate: float) -> None:
    change = detectable_change(n, rate)
    assert change is not None
    assert _power(n, rate, change) == pytest.approx(0.8, abs=1e-6)
    # A rise is the fall of what fails.
    rise = detectable_change(n, 1 - rate, worse=False)
    assert rise == pytest.approx(change, abs=1e-7)


def test_a_rate_is_never_nearer_to_its_end_than_half_a_pair() -> None:
    """One failure in 40 is what 20 pairs without one are taken for."""
    assert detectable_change(20, 1.0) == detectable_change(20, 0.975) != detectable_change(20, 0.9745)
    near = [detectable_change(20, rate, worse=False) for rate in (0.0, 0.025, 0.0255)]
    assert near[0] == near[1] != near[2]
    assert detectable_change(20, 0.0, worse=False) == detectable_change(20, 0.025, worse=False)
    # A rate of 0 cannot fall far enough, nor one of 1 rise.
    assert detectable_change(20, 0.0) is None
    assert detectable_change(20, 1.0, worse=False) is None


@pytest.mark.parametrize(
    ("change", "baseline", "worse"),
    [
        (0.15, 0.9, True),
        (0.4, 0.9, True),
        (0.8, 0.95, True),
        (0.3, 0.5, False),
        (0.3, 0.6, False),
        (-0.4, 0.9, True),
        (0.2, 0.2, True),  # all there is: up to thirty pairs find no change at all
    ],
)
def test_the_pairs_needed_are_the_fewest_that_find_a_change(
    change: float, baseline: float, worse: bool
) -> None:
    needed = pairs_needed(change, baseline, worse=worse)
    assert needed is not None
    enough, fewer = (detectable_change(n, baseline, worse=worse) for n in (needed, needed - 1))
    assert enough is not None
    assert enough <= abs(change)
    assert fewer is None or fewer > abs(change)


def test_no_change_and_one_too_small_need_more_pairs_than_anybody_places() -> None:
    assert pairs_needed(0.0, 0.9) is None
    assert pairs_needed(0.004, 0.5) is None
    # 2560 pairs are still looked at, and some 2600 are not found.
    assert pairs_needed(0.035, 0.5) is None
    assert 1280 < (pairs_needed(0.04, 0.5) or 0) <= 2560


def test_where_lower_is_better_a_rise_is_what_could_have_been_seen() -> None:
    """Three of thirty, and five."""
    found = compare_rates(_pairs(2, 1, 3, 24), lower_is_better=True)
    assert found.detectable is not None
    assert found.detectable == detectable_change(30, 0.1, worse=False)
    assert compare_rates(_pairs(2, 1, 3, 24)).detectable is None


def test_a_rate_rises_to_one_at_most() -> None:
    """Of five pairs all have to be won: from 30 % to all happens in 17 of 100."""
    assert detectable_change(5, 0.3, worse=False) is None


def test_a_power_that_is_just_met_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the largest change there is, and by half of it, which is tried first."""
    for change in (0.9, 0.45):
        monkeypatch.setattr(rates, "POWER", rates._power(12, 0.9, change, True))
        assert detectable_change.__wrapped__(12, 0.9) == change


@pytest.mark.parametrize("n", [15, 40])
def test_so_many_pairs_as_just_find_a_change_are_enough(n: int) -> None:
    change = detectable_change(n, 0.9)
    assert change is not None
    needed = pairs_needed(change, 0.9)
    assert needed is not None
    assert needed <= n
