"""Exact ends of paired rates: by hand, and their misses added up over every table there can be."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaln

from metrics.comparison.rate_bounds import exact_ends


@pytest.mark.parametrize("n", [1, 12, 30])
def test_where_no_pair_differs_the_ends_are_by_hand(n: int) -> None:
    """No loss in n pairs is seen in 5 of 100 at a loss of 1 - 0.05^(1/n)."""
    low, high = exact_ends(n, 0, 0)
    assert (low, high) == pytest.approx((-(1 - 0.05 ** (1 / n)), 1 - 0.05 ** (1 / n)), abs=2e-4)


@pytest.mark.parametrize("n", [9, 16])
def test_an_end_misses_in_five_of_a_hundred_at_the_most(n: int) -> None:
    """Whatever the shares of pairs lost and won are: plain score intervals miss in more than 6 at some."""
    tables = [(lost, won) for lost in range(n + 1) for won in range(n + 1 - lost)]
    lows = np.array([exact_ends(n, *table)[0] for table in tables])
    lost, won = np.array(tables).T
    same = n - lost - won
    ways = gammaln(n + 1) - gammaln(lost + 1) - gammaln(won + 1) - gammaln(same + 1)
    worst = 0.0
    shares = np.linspace(0.005, 0.985, 50)
    for one in shares:
        for other in shares[shares < 0.995 - one]:
            logs = ways + lost * np.log(one) + won * np.log(other) + same * np.log(1 - one - other)
            worst = max(worst, float(np.exp(logs)[lows > other - one + 1e-5].sum()))
    assert 0.04 < worst <= 0.0501


def test_more_pairs_tell_more_and_swapped_sides_tell_the_opposite() -> None:
    narrow, wide = exact_ends(300, 20, 40), exact_ends(30, 2, 4)
    assert wide[0] < narrow[0] < 20 / 300 < narrow[1] < wide[1]
    assert exact_ends(30, 4, 2) == (-wide[1], -wide[0])
    assert exact_ends(10, 10, 0)[0] == pytest.approx(-1.0, abs=1e-5)


def test_with_many_pairs_the_ends_are_those_of_the_normal_distribution() -> None:
    n, lost, won = 1500, 150, 210
    estimate = (won - lost) / n
    error = float(np.sqrt((lost + won) / n - estimate**2) / np.sqrt(n))
    reach = float(stats.norm.ppf(0.95)) * error
    assert exact_ends(n, lost, won) == pytest.approx((estimate - reach, estimate + reach), abs=0.05 * reach)


@pytest.mark.parametrize("table", [(0, 0, 0), (3, 2, 2), (3, -1, 1)])
def test_what_is_no_table_is_refused(table: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="cannot differ"):
        exact_ends(*table)
