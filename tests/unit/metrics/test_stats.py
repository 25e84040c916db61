"""Percentiles and their summaries against hand-worked values and the standard library."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest

from metrics.score import Evidence, Status
from metrics.stats import (
    distribution_score,
    minimum_n,
    minimum_n_for_bound,
    percentile,
    summarize_distribution,
)


@pytest.mark.parametrize(
    ("q", "expected"),
    [
        # Sorted: 10 20 30 40; h = 3 q / 100.
        (0, 10.0),
        (50, 25.0),  # h = 1.5: 20 + 0.5 * 10
        (90, 37.0),  # h = 2.7: 30 + 0.7 * 10
        (95, 38.5),  # h = 2.85: 30 + 0.85 * 10
        (100, 40.0),
    ],
)
def test_percentile_is_linear_between_order_statistics(q: float, expected: float) -> None:
    assert percentile([40.0, 10.0, 30.0, 20.0], q) == pytest.approx(expected)


def test_percentile_agrees_with_the_standard_library() -> None:
    values = list(np.random.default_rng(1).normal(size=137))
    cuts = statistics.quantiles(values, n=100, method="inclusive")
    for q in range(1, 100):
        assert percentile(values, q) == pytest.approx(cuts[q - 1])


def test_percentile_refuses_what_has_none() -> None:
    for values, q in (([], 50.0), ([1.0, math.inf], 50.0), ([1.0], 101.0)):
        with pytest.raises(ValueError, match=r"value|percentile"):
            percentile(values, q)


def test_minimum_n() -> None:
    assert [minimum_n(q) for q in (5, 10, 50, 90, 95, 99)] == [20, 10, 2, 10, 20, 100]


def test_minimum_n_for_bound_is_where_the_chance_of_no_bound_falls_below_2_5_percent() -> None:
    # 0.5^5 = 0.03125, 0.5^6 = 0.0156; 0.9^35 = 0.02503, 0.9^36 = 0.0225; 0.95^71 = 0.0262, 0.95^72 = 0.0249
    assert [minimum_n_for_bound(q) for q in (50, 90, 95, 5)] == [6, 36, 72, 72]


def turns(n: int, *, calls: int) -> dict[str, list[float]]:
    values = np.random.default_rng(n).lognormal(6.6, 0.4, size=n)
    return {f"c{call}": list(values[call::calls]) for call in range(calls)}


def test_summary_of_many_turns() -> None:
    values = turns(240, calls=12)
    summary = summarize_distribution(values, seed=1)
    everything = sorted(value for call in values.values() for value in call)
    assert (summary.n, summary.calls) == (240, 12)
    assert summary.value == summary.p50.value == pytest.approx(statistics.median(everything))
    assert summary.mean == pytest.approx(statistics.fmean(everything))
    assert (summary.minimum, summary.maximum) == (everything[0], everything[-1])
    # Drawn from a log-normal law of median exp(6.6) and sigma 0.4, whose percentiles are known exactly.
    truth = math.exp(6.6)
    for estimate, true in (
        (summary.p50, truth),
        (summary.p90, truth * math.exp(0.4 * 1.28155)),
        (summary.p95, truth * math.exp(0.4 * 1.64485)),
    ):
        low, high = estimate.interval.low, estimate.interval.high
        assert low is not None
        assert high is not None
        assert low < estimate.value < high
        assert low < true < high


@pytest.mark.parametrize(
    ("n", "p50", "p90", "p95"),
    [
        (1, (False, False), (False, False), (False, False)),
        (5, (False, False), (False, False), (False, False)),
        (6, (True, True), (False, False), (False, False)),
        (10, (True, True), (True, False), (False, False)),
        (19, (True, True), (True, False), (False, False)),
        (20, (True, True), (True, False), (True, False)),
        (36, (True, True), (True, True), (True, False)),
        (71, (True, True), (True, True), (True, False)),
        (72, (True, True), (True, True), (True, True)),
    ],
)
def test_ends_that_so_few_turns_cannot_bound_are_missing(
    n: int, p50: tuple[bool, bool], p90: tuple[bool, bool], p95: tuple[bool, bool]
) -> None:
    summary = summarize_distribution(turns(n, calls=min(n, 6)), resamples=100, seed=1)
    for estimate, known in ((summary.p50, p50), (summary.p90, p90), (summary.p95, p95)):
        interval = estimate.interval
        assert (interval.low is not None, interval.high is not None) == known
        assert ("unbounded" in interval.method) == (known != (True, True))


def test_score_carries_percentiles_interval_and_caveats() -> None:
    summary = summarize_distribution(turns(24, calls=3), seed=1)
    evidence = (Evidence(call_id="c0", start_s=1.0, value=900.0),)
    score = summary.to_score(metric="response_latency_ms", unit="ms", evidence=evidence, resolution=3.5)
    assert score.status is Status.MEASURED
    assert (score.value, score.p50, score.n) == (summary.value, summary.value, 24)
    assert (score.p90, score.p95) == (summary.p90.value, summary.p95.value)
    assert (score.ci_low, score.ci_high) == (summary.p50.interval.low, summary.p50.interval.high)
    assert (score.resolution, score.evidence) == (3.5, evidence)
    assert "only 3 calls" in score.reason
    assert "p95: unbounded above, for an upper bound needs 72 observations and has 24" in score.reason


def test_score_of_plenty_needs_no_caveat() -> None:
    assert summarize_distribution(turns(80, calls=8), seed=1).to_score(metric="m", unit="ms").reason == ""


def test_score_of_nothing_has_no_value() -> None:
    score = distribution_score(
        {"a": [], "b": []},
        metric="response_latency_ms",
        unit="ms",
        seed=1,
        reason_when_empty="the agent never answered",
    )
    assert (score.value, score.status, score.reason) == (
        None,
        Status.NOT_APPLICABLE,
        "the agent never answered",
    )
    with pytest.raises(ValueError, match="at least one"):
        summarize_distribution({"a": []}, seed=1)


def test_score_of_something_is_the_summary() -> None:
    values = turns(30, calls=6)
    score = distribution_score(values, metric="m", unit="ms", seed=7, reason_when_empty="none")
    assert score == summarize_distribution(values, seed=7).to_score(metric="m", unit="ms")
