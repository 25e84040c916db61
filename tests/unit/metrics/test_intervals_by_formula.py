"""Intervals that have a formula: of a proportion, and of a rate of which nothing was counted."""

from __future__ import annotations

import math

import pytest

from metrics.intervals import Interval, none_in, wilson

# --- Wilson: z = 1.959964 at 95 %, 1.281552 at 80 %


@pytest.mark.parametrize(
    ("successes", "n", "confidence", "low", "high"),
    [
        # z^2 / n = 0.96036: (0.25 + 0.48018 -+ 1.959964 sqrt(0.046875 + 0.060023)) / 1.96036
        (1, 4, 0.95, 0.045587, 0.699358),
        # z^2 = 1.642375: (0.5 + 0.2052969 -+ 1.281552 sqrt(0.0625 + 0.0256621)) / 1.4105938
        (2, 4, 0.80, 0.230241, 0.769759),
        (0, 4, 0.95, 0.0, 0.489891),
        (4, 4, 0.95, 0.510109, 1.0),
    ],
)
def test_wilson_by_hand(successes: int, n: int, confidence: float, low: float, high: float) -> None:
    found = wilson(successes, n, confidence=confidence)
    assert (found.low, found.high) == (pytest.approx(low, abs=2e-6), pytest.approx(high, abs=2e-6))
    assert (found.method, found.n, found.calls, found.confidence) == ("Wilson score", n, None, confidence)


def test_wilson_s_ends_at_none_and_at_all_are_0_and_1_to_the_last_digit() -> None:
    for n in range(1, 60):
        assert wilson(0, n).low == 0.0
        assert wilson(n, n).high == 1.0


def test_wilson_of_nothing() -> None:
    none = Interval(low=None, high=None, confidence=0.9, method="no interval: no trials", n=0)
    assert wilson(0, 0, confidence=0.9) == none
    for successes, n in ((-1, 4), (5, 4)):
        with pytest.raises(ValueError, match=rf"successes \({successes}\) must lie between 0 and n \({n}\)"):
            wilson(successes, n)


# --- none of them


@pytest.mark.parametrize(
    ("exposure", "confidence", "high"),
    # Garwood's upper end is half the quantile of chi-squared at two degrees of freedom, -ln(0.025) = 3.68888
    # and -ln(0.05) = 2.99573, over the exposure.
    [(2.0, 0.95, 1.84444), (0.5, 0.95, 7.37776), (2.0, 0.9, 1.49787)],
)
def test_of_none_the_rate_lies_between_0_and_what_poisson_s_distribution_allows(
    exposure: float, confidence: float, high: float
) -> None:
    found = none_in(exposure, n=7, confidence=confidence)
    assert found.low == 0.0
    assert found.high == pytest.approx(high, abs=1e-5)
    assert (found.confidence, found.n) == (confidence, 7)
    assert found.method == f"exact Poisson for none in {exposure:.2g}, as though independent"


def test_an_interval_of_none_is_one_of_95_percent() -> None:
    found = none_in(1.0, n=1)
    assert found.confidence == 0.95
    assert found.high == pytest.approx(3.68888, abs=1e-5)


@pytest.mark.parametrize("exposure", [0.0, -1.0, math.nan])
def test_of_no_exposure_there_is_no_rate(exposure: float) -> None:
    with pytest.raises(ValueError, match="must be above 0"):
        none_in(exposure, n=1)


def test_an_interval_of_none_has_a_confidence_that_is_one() -> None:
    with pytest.raises(ValueError, match="confidence"):
        none_in(1.0, n=1, confidence=1.0)
