"""What a summary passes on, and when there are too few: every count from both sides."""

from __future__ import annotations

import numpy as np
import pytest

from metrics.intervals import Interval, bootstrap_by_call
from metrics.score import Evidence
from metrics.stats import Distribution, Estimate, distribution_score, minimum_n, summarize_distribution

SIX_CALLS = {f"c{call}": [100.0 * call + turn for turn in range(12)] for call in range(6)}


def test_a_call_without_turns_is_not_counted() -> None:
    found = summarize_distribution({"a": [1.0, 2.0], "b": [], "c": [3.0]}, resamples=10, seed=1)
    assert (found.n, found.calls, found.mean, found.minimum, found.maximum) == (3, 2, 2.0, 1.0, 3.0)


def test_settings_reach_the_interval() -> None:
    narrow = summarize_distribution(SIX_CALLS, confidence=0.5, seed=1).p50.interval
    wide = summarize_distribution(SIX_CALLS, confidence=0.95, seed=1).p50.interval
    assert (narrow.confidence, wide.confidence) == (0.5, 0.95)
    assert None not in (narrow.low, narrow.high, wide.low, wide.high)
    assert wide.low < narrow.low < narrow.high < wide.high  # type: ignore[operator]
    # A single resample has no width.
    once = summarize_distribution(SIX_CALLS, resamples=1, seed=1).p50.interval
    assert once.low == once.high


def test_intervals_are_those_of_the_bootstrap_also_where_each_call_has_one_turn() -> None:
    """These are resampled all at once, a row each."""
    values = {f"c{call:03}": [float(value)] for call, value in enumerate([5, 1, 9, 2, 8, 4, 7, 3, 6, 0] * 8)}
    found = summarize_distribution(values, resamples=200, seed=3)
    for estimate, q in ((found.p50, 50), (found.p90, 90), (found.p95, 95)):
        alone = bootstrap_by_call(values, lambda drawn, q=q: np.percentile(drawn, q), resamples=200, seed=3)  # type: ignore[misc]
        assert estimate.interval == alone


def test_a_figure_is_made_of_whatever_there_is() -> None:
    evidence = (Evidence(call_id="b", value=2.0),)
    score = distribution_score(
        {"a": [], "b": [2.0]},
        metric="m",
        unit="ms",
        seed=1,
        reason_when_empty="none",
        evidence=evidence,
        resolution=3.5,
        version="7",
    )
    assert (score.value, score.evidence, score.resolution, score.version) == (2.0, evidence, 3.5, "7")
    nothing = distribution_score({}, metric="m", unit="s", seed=1, reason_when_empty="none", version="7")
    assert (nothing.metric, nothing.unit, nothing.reason, nothing.version) == ("m", "s", "none", "7")


def test_a_percentile_between_two_whole_numbers_of_observations_needs_the_larger() -> None:
    """1 / 0.3 is 3.3; and 1 / 0.0002 is 5000, though a computer's 100 - 99.98 is a little less than 0.02."""
    assert (minimum_n(70), minimum_n(30)) == (4, 4)
    assert (minimum_n(99.9), minimum_n(99.98), minimum_n(99.998)) == (1000, 5000, 50_000)


def _reason(n: int, q50: str = "bootstrap by call") -> str:
    """What a distribution of so many observations says, whose p95 has no upper end."""

    def estimate(method: str, high: float | None) -> Estimate:
        interval = Interval(low=1.0, high=high, confidence=0.95, method=method, n=n, calls=9)
        return Estimate(value=2.0, interval=interval)

    found = Distribution(
        n=n,
        calls=9,
        mean=2.0,
        minimum=1.0,
        maximum=3.0,
        p50=estimate(q50, 3.0),
        p90=estimate("bootstrap by call", 3.0),
        p95=estimate("", None),
    )
    return found.to_score(metric="m", unit="ms", version="3").reason


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (19, "p95: unbounded, for an interval needs 20 observations and has 19"),
        (20, "p95: unbounded above, for an upper bound needs 72 observations and has 20"),
        (71, "p95: unbounded above, for an upper bound needs 72 observations and has 71"),
    ],
)
def test_what_is_lacking_is_said_with_the_count_that_is_needed(n: int, said: str) -> None:
    assert _reason(n) == said
    assert _reason(n, "as I like it") == f"interval of the median: as I like it; {said}"


@pytest.mark.parametrize(
    ("n", "methods"),
    [
        (
            5,
            (
                "unbounded, for an interval needs 6 observations and has 5",
                "unbounded, for an interval needs 10 observations and has 5",
                "unbounded, for an interval needs 20 observations and has 5",
            ),
        ),
        (
            35,
            (
                "bootstrap by call",
                "bootstrap by call; unbounded above, for an upper bound needs 36 observations and has 35",
                "bootstrap by call; unbounded above, for an upper bound needs 72 observations and has 35",
            ),
        ),
        (72, ("bootstrap by call",) * 3),
    ],
)
def test_an_interval_says_how_it_was_found_and_what_it_lacks(n: int, methods: tuple[str, ...]) -> None:
    values: dict[str, list[float]] = {f"c{call}": [] for call in range(min(n, 7))}
    for turn in range(n):
        values[f"c{turn % len(values)}"].append(float(turn))
    found = summarize_distribution(values, resamples=20, seed=1)
    got = tuple(one.interval.method for one in (found.p50, found.p90, found.p95))
    assert got == methods


def test_with_less_confidence_fewer_observations_bound_a_percentile() -> None:
    """0.9 ^ 14 is 0.229 and 0.9 ^ 13 is 0.254: with a confidence of 0.5 fourteen bound p90."""
    values = {f"c{call}": [float(call), 20.0 - call] for call in range(7)}
    found = summarize_distribution(values, confidence=0.5, resamples=50, seed=1)
    assert found.p90.interval.bounded
    assert found.p90.interval.method == "bootstrap by call"


def test_a_score_has_the_version_that_it_is_given() -> None:
    found = summarize_distribution(SIX_CALLS, resamples=10, seed=1)
    assert found.to_score(metric="m", unit="ms", version="3").version == "3"
