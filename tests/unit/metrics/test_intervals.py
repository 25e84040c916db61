"""Intervals against published values, an independent bootstrap, and their coverage in simulation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import bootstrap, norm, t

from metrics.intervals import (
    BY_CALL,
    bootstrap_all_by_call,
    bootstrap_by_call,
    bootstrap_mean_by_call,
    bootstrap_ratio_by_call,
    wilson,
)


def median(values: np.ndarray) -> float:
    return float(np.median(values))


def mean(values: np.ndarray) -> float:
    return float(np.mean(values))


def simulated_calls(
    rng: np.random.Generator, *, calls: int, turns: int, shared: float
) -> dict[str, list[float]]:
    """Standard normal turns, of whose variance the part ``shared`` is common to the turns of a call."""
    common = rng.normal(size=calls) * math.sqrt(shared)
    own = rng.normal(size=(calls, turns)) * math.sqrt(1.0 - shared)
    return {f"call{index}": list(common[index] + own[index]) for index in range(calls)}


def expanded_confidence(calls: int) -> float:
    """The plain percentile level that Hesterberg's expansion of 95 % comes to."""
    return 1.0 - 2.0 * float(norm.sf(math.sqrt(calls / (calls - 1)) * t.ppf(0.975, calls - 1)))


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17
        # (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        # By hand, z = 1.95996: z^2 = 3.84146; centre (0.5 + 3.84146/20) / (1 + 3.84146/10) = 0.5;
        # half width 1.95996 / 1.384146 * sqrt(0.025 + 0.0096036) = 1.41601 * 0.1860205 = 0.263407.
        (5, 10, 0.236593, 0.763407),
    ],
)
def test_wilson_gives_the_published_values(successes: int, n: int, low: float, high: float) -> None:
    interval = wilson(successes, n)
    assert interval.low == pytest.approx(low, abs=5e-5)
    assert interval.high == pytest.approx(high, abs=5e-5)
    assert (interval.n, interval.calls) == (n, None)


def test_wilson_is_symmetric_and_never_leaves_0_to_1() -> None:
    for n in (1, 2, 7, 1000):
        for successes in {0, 1, n // 2, n}:
            interval, mirrored = wilson(successes, n), wilson(n - successes, n)
            assert interval.low is not None
            assert interval.high is not None
            assert mirrored.low == pytest.approx(1.0 - interval.high, abs=1e-12)
            assert 0.0 <= interval.low <= successes / n <= interval.high <= 1.0


def test_wilson_without_trials_knows_nothing_and_refuses_impossible_counts() -> None:
    empty = wilson(0, 0)
    assert (empty.low, empty.high, empty.bounded) == (None, None, False)
    for successes, n in ((-1, 3), (4, 3)):
        with pytest.raises(ValueError, match="between 0 and n"):
            wilson(successes, n)


def test_bootstrap_agrees_with_scipy_when_each_call_has_one_turn() -> None:
    values = np.random.default_rng(3).lognormal(6.5, 0.5, size=40)
    ours = bootstrap_by_call(
        {f"c{i}": [value] for i, value in enumerate(values)}, mean, resamples=4000, seed=1
    )
    theirs = bootstrap(
        (values,),
        np.mean,
        n_resamples=4000,
        confidence_level=expanded_confidence(40),
        method="percentile",
        rng=np.random.default_rng(2),
    ).confidence_interval
    spread = theirs.high - theirs.low
    assert ours.low == pytest.approx(theirs.low, abs=0.06 * spread)
    assert ours.high == pytest.approx(theirs.high, abs=0.06 * spread)
    assert ours.method == BY_CALL


def test_bootstrap_agrees_with_scipy_resampling_whole_calls() -> None:
    calls = simulated_calls(np.random.default_rng(5), calls=12, turns=7, shared=0.6)
    rows = [np.array(values) for values in calls.values()]

    def mean_of_calls(indexes: np.ndarray) -> float:
        return float(np.concatenate([rows[int(index)] for index in indexes]).mean())

    theirs = bootstrap(
        (np.arange(12),),
        mean_of_calls,
        n_resamples=3000,
        confidence_level=expanded_confidence(12),
        method="percentile",
        vectorized=False,
        rng=np.random.default_rng(8),
    ).confidence_interval
    ours = bootstrap_by_call(calls, mean, resamples=3000, seed=9)
    spread = theirs.high - theirs.low
    assert ours.low == pytest.approx(theirs.low, abs=0.06 * spread)
    assert ours.high == pytest.approx(theirs.high, abs=0.06 * spread)


def coverage(*, calls: int, turns: int, shared: float, trials: int, split: bool = False) -> float:
    """Share of simulated runs whose interval of the median holds the true median, 0."""
    rng = np.random.default_rng(11)
    held = 0
    for trial in range(trials):
        run: Mapping[str, Sequence[float]] = simulated_calls(rng, calls=calls, turns=turns, shared=shared)
        if split:
            run = {f"{call}/{i}": [value] for call, values in run.items() for i, value in enumerate(values)}
        interval = bootstrap_by_call(run, median, resamples=200, seed=trial)
        assert interval.low is not None
        assert interval.high is not None
        held += interval.low <= 0.0 <= interval.high
    return held / trials


def test_coverage_is_nominal_by_call_and_far_below_when_turns_pass_for_independent() -> None:
    # 150 runs: the standard error of a coverage of 0.95 is 0.018.
    by_call = coverage(calls=10, turns=6, shared=0.5, trials=150)
    by_turn = coverage(calls=10, turns=6, shared=0.5, trials=150, split=True)
    assert 0.90 <= by_call <= 0.99
    assert by_turn < 0.80


def test_three_calls_of_independent_turns_still_cover() -> None:
    """Three whole calls alone could cover 1 - 2^(1-3) = 75 % at best."""
    assert coverage(calls=3, turns=8, shared=0.0, trials=150) >= 0.90


def test_one_call_is_resampled_by_turn_and_says_so() -> None:
    values = list(np.random.default_rng(1).normal(size=30))
    interval = bootstrap_by_call({"only": values}, mean, seed=1)
    apart = bootstrap_by_call({f"{i:02}": [value] for i, value in enumerate(values)}, mean, seed=1)
    assert (interval.low, interval.high) == (apart.low, apart.high)
    assert "one call only" in interval.method
    assert (interval.n, interval.calls) == (30, 1)


def test_few_calls_are_named() -> None:
    values = simulated_calls(np.random.default_rng(1), calls=5, turns=4, shared=0.2)
    assert "only 5 calls" in bootstrap_by_call(values, mean, seed=1, resamples=50).method
    values["call5"] = [0.0]
    assert bootstrap_by_call(values, mean, seed=1, resamples=50).method == BY_CALL


def test_same_seed_same_interval_whatever_the_order_of_calls() -> None:
    calls = simulated_calls(np.random.default_rng(2), calls=9, turns=3, shared=0.2)
    backwards = dict(reversed(calls.items()))
    assert bootstrap_by_call(calls, mean, seed=4) == bootstrap_by_call(backwards, mean, seed=4)
    assert bootstrap_by_call(calls, mean, seed=4) != bootstrap_by_call(calls, mean, seed=5)


def test_calls_without_observations_change_nothing() -> None:
    calls = simulated_calls(np.random.default_rng(2), calls=9, turns=3, shared=0.2)
    assert bootstrap_by_call({**calls, "silent": []}, mean, seed=4) == bootstrap_by_call(calls, mean, seed=4)


@pytest.mark.parametrize("values", [{}, {"a": []}, {"a": [3.0]}])
def test_too_little_to_resample_has_no_interval(values: dict[str, list[float]]) -> None:
    interval = bootstrap_by_call(values, mean, seed=1)
    assert (interval.low, interval.high) == (None, None)
    assert "no interval" in interval.method


def test_several_figures_come_from_the_same_resamples() -> None:
    calls = simulated_calls(np.random.default_rng(2), calls=9, turns=3, shared=0.2)
    both = bootstrap_all_by_call(calls, lambda drawn: np.array([drawn.mean(), np.median(drawn)]), seed=6)
    assert both == [bootstrap_by_call(calls, mean, seed=6), bootstrap_by_call(calls, median, seed=6)]


@pytest.mark.parametrize(
    "sizes", [(), (1,), (4,), (2, 3), (1, 1, 1), (3, 1, 7, 2), (1,) * 40, (5, 0, 2, 9) * 6]
)
def test_the_interval_of_the_mean_is_that_of_the_bootstrap(
    sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(5)
    calls = {f"c{number}": list(rng.normal(size=size)) for number, size in enumerate(sizes)}
    slow = bootstrap_by_call(calls, lambda values: float(np.mean(values)), resamples=300, seed=11)
    for at_once in (1_000_000, 100):
        monkeypatch.setattr("metrics.intervals._DRAWN_AT_ONCE", at_once)
        fast = bootstrap_mean_by_call(calls, resamples=300, seed=11)
        assert (fast.low, fast.high) == pytest.approx((slow.low, slow.high), abs=1e-12)
        assert replace(fast, low=None, high=None) == replace(slow, low=None, high=None)


@pytest.mark.parametrize("sizes", [(4,), (2, 3), (1, 1, 1), (3, 1, 7, 2), (1,) * 40, (5, 2, 9) * 3])
def test_percentiles_of_many_resamples_at_once_are_those_of_one_after_the_other(
    sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(5)
    calls = {f"c{number}": list(rng.normal(size=size)) for number, size in enumerate(sizes)}

    def percentiles(drawn: np.ndarray) -> np.ndarray:
        return np.percentile(drawn, [50.0, 90.0, 95.0], axis=-1).T

    slow = bootstrap_all_by_call(calls, percentiles, resamples=300, seed=11)
    for at_once in (1_000_000, 100):
        monkeypatch.setattr("metrics.intervals._DRAWN_AT_ONCE", at_once)
        assert bootstrap_all_by_call(calls, percentiles, resamples=300, seed=11, by_row=True) == slow


def test_ratio_is_pooled_not_averaged() -> None:
    """One long clean utterance outweighs short bad ones: pooled 10 errors of 1000, mean of ratios 0.9."""
    calls = {f"c{i}": [(1.0, 1.0), (0.0, 99.0)] for i in range(10)}
    interval = bootstrap_ratio_by_call(calls, seed=1)
    assert interval.low == pytest.approx(0.01)
    assert interval.high == pytest.approx(0.01)


def test_ratio_agrees_with_scipy_resampling_whole_calls() -> None:
    rng = np.random.default_rng(21)
    calls = {
        f"c{i:02}": [(float(rng.poisson(1.5)), float(rng.integers(5, 20))) for _ in range(5)]
        for i in range(20)
    }
    sums = np.array([np.sum(pairs, axis=0) for pairs in calls.values()])
    theirs = bootstrap(
        (sums[:, 0], sums[:, 1]),
        lambda errors, words, axis: errors.sum(axis=axis) / words.sum(axis=axis),
        paired=True,
        n_resamples=4000,
        confidence_level=expanded_confidence(20),
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    ours = bootstrap_ratio_by_call(calls, resamples=4000, seed=2)
    spread = theirs.high - theirs.low
    assert ours.low == pytest.approx(theirs.low, abs=0.06 * spread)
    assert ours.high == pytest.approx(theirs.high, abs=0.06 * spread)
    assert (ours.n, ours.calls) == (100, 20)


def test_no_errors_at_all_do_not_claim_certainty() -> None:
    interval = bootstrap_ratio_by_call({"a": [(0, 12)], "b": [(0, 8)]}, seed=1)
    assert interval.low == 0.0
    # Wilson for 0 of 20: z^2 / (20 + z^2) = 3.84146 / 23.84146.
    assert interval.high == pytest.approx(0.161125, abs=1e-5)
    assert "0 of 20" in interval.method


@pytest.mark.parametrize("counts", [{}, {"a": [(0, 0)]}, {"a": [(2, 0)], "b": [(1, 0)]}, {"a": [(1, 4)]}])
def test_ratio_without_enough_has_no_interval(counts: dict[str, list[tuple[float, float]]]) -> None:
    interval = bootstrap_ratio_by_call(counts, seed=1)
    assert (interval.low, interval.high) == (None, None)


def test_resamples_of_empty_references_only_are_left_out() -> None:
    calls = {f"c{i}": [(1.0, 0.0)] for i in range(6)} | {"c6": [(1.0, 10.0)]}
    interval = bootstrap_ratio_by_call(calls, seed=1)
    assert interval.low is not None
    assert interval.high is not None
    assert 0.0 < interval.low < interval.high < math.inf


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        bootstrap_by_call({"a": [1.0, math.nan]}, mean, seed=1)
    with pytest.raises(ValueError, match="not negative"):
        bootstrap_ratio_by_call({"a": [(-1.0, 2.0)]}, seed=1)
    with pytest.raises(ValueError, match="confidence"):
        bootstrap_by_call({"a": [1.0, 2.0]}, mean, confidence=95, seed=1)
    with pytest.raises(ValueError, match="resample"):
        bootstrap_by_call({"a": [1.0, 2.0]}, mean, resamples=0, seed=1)
