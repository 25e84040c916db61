"""Intervals against the plainest way of making them: one resample after the other, each by hand.

Quick, and exact to the last digit: the draws are the same, everything else is written anew here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from scipy.stats import norm, t

from metrics import intervals
from metrics.intervals import (
    Interval,
    bootstrap_all_by_call,
    bootstrap_by_call,
    bootstrap_mean_by_call,
    bootstrap_ratio_by_call,
    finite_values,
    wilson,
)

EIGHT = {
    f"c{call}": [float((call * 37 + turn * 11) % 23) for turn in range(call % 4 + 1)] for call in range(8)
}
"""Eight calls of one to four turns."""
FEW = {f"c{call}": [float((call * 37 + turn * 11) % 23) for turn in range(call + 2)] for call in range(4)}
"""Four calls: fewer than an interval of 95 % by call needs."""
ONE = {"a": [5.0, 1.0, 4.0, 2.0, 3.0, 9.0]}


def _ends(
    units: Sequence[np.ndarray],
    figure: Callable[[np.ndarray], float],
    *,
    seed: int,
    resamples: int,
    confidence: float,
) -> tuple[float, float]:
    rng = np.random.default_rng(seed)
    k = len(units)
    figures = []
    for _ in range(resamples):
        drawn = rng.integers(0, k, size=k)
        figures.append(figure(np.concatenate([units[one] for one in drawn])))
    quantile = math.sqrt(k / (k - 1)) * t.ppf(0.5 + confidence / 2, k - 1)
    tail = norm.cdf(-quantile)
    low, high = np.nanquantile(figures, [tail, 1 - tail])
    return float(low), float(high)


def _plain(
    values: dict[str, list[float]],
    figure: Callable[[np.ndarray], float],
    *,
    seed: int = 3,
    resamples: int = 50,
    confidence: float = 0.95,
) -> tuple[float, float]:
    settings = {"seed": seed, "resamples": resamples, "confidence": confidence}
    calls = [np.array(values[call]) for call in sorted(values) if values[call]]
    turns = [np.array([value]) for unit in calls for value in unit]
    by_turn = _ends(turns, figure, **settings)  # type: ignore[arg-type]
    if len(calls) == 1:
        return by_turn
    by_call = _ends(calls, figure, **settings)  # type: ignore[arg-type]
    if 2.0 ** (1 - len(calls)) <= 1 - confidence:
        return by_call
    return min(by_call[0], by_turn[0]), max(by_call[1], by_turn[1])


def _mean(values: np.ndarray) -> float:
    return float(np.mean(values))


@pytest.mark.parametrize("values", [EIGHT, FEW, ONE, {"b": [], **EIGHT}, {"z": [1.0, 8.0], "a": [2.0, 5.0]}])
@pytest.mark.parametrize(("confidence", "seed", "resamples"), [(0.95, 3, 50), (0.5, 4, 20), (0.9, 4, 1)])
def test_an_interval_is_that_of_its_resamples(
    values: dict[str, list[float]], confidence: float, seed: int, resamples: int
) -> None:
    settings = {"confidence": confidence, "seed": seed, "resamples": resamples}
    for figure in (_mean, lambda drawn: float(np.median(drawn))):
        low, high = _plain(values, figure, **settings)  # type: ignore[arg-type]
        found = bootstrap_by_call(values, figure, **settings)  # type: ignore[arg-type]
        assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))
        assert found.confidence == confidence
        assert found.n == sum(len(turns) for turns in values.values())
        assert found.calls == sum(bool(turns) for turns in values.values())
    low, high = _plain(values, _mean, **settings)  # type: ignore[arg-type]
    quick = bootstrap_mean_by_call(values, **settings)  # type: ignore[arg-type]
    assert (quick.low, quick.high) == (pytest.approx(low), pytest.approx(high))
    assert (quick.n, quick.calls, quick.confidence) == (found.n, found.calls, confidence)
    both = bootstrap_all_by_call(
        values,
        lambda drawn: np.array([np.mean(drawn), np.max(drawn)]),
        **settings,  # type: ignore[arg-type]
    )
    assert both[0].low == pytest.approx(low)
    highest = _plain(values, lambda drawn: float(np.max(drawn)), **settings)  # type: ignore[arg-type]
    assert (both[1].low, both[1].high) == highest
    assert both[1].n == found.n


def test_of_few_calls_that_are_unlike_each_other_the_calls_decide() -> None:
    """Of two calls a quarter of the resamples are twice the same one; of twelve turns next to none are all
    of one call."""
    unlike = {"a": [0.0] * 6, "b": [10.0] * 6}
    found = bootstrap_mean_by_call(unlike, seed=3)
    assert (found.low, found.high) == (0.0, 10.0)


def test_settings_that_are_not_given_are_95_percent_and_2000_resamples() -> None:
    expected = _plain(EIGHT, _mean, resamples=2000)
    assert intervals.DEFAULT_RESAMPLES == 2000
    counts = {call: [(value, 20.0) for value in turns] for call, turns in EIGHT.items()}
    for found in (
        bootstrap_by_call(EIGHT, _mean, seed=3),
        bootstrap_mean_by_call(EIGHT, seed=3),
        bootstrap_all_by_call(EIGHT, lambda drawn: np.array([np.mean(drawn)]), seed=3)[0],
    ):
        assert (found.low, found.high) == (pytest.approx(expected[0]), pytest.approx(expected[1]))
        assert found.confidence == 0.95
    ratio = bootstrap_ratio_by_call(counts, seed=3)
    assert ratio.confidence == 0.95
    assert ratio.high == bootstrap_ratio_by_call(counts, seed=3, resamples=2000, confidence=0.95).high
    assert wilson(1, 4).confidence == 0.95


def test_resamples_by_row_are_the_same_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """In blocks: of 5 units 50 resamples are 250 draws, here at most 15 at a time."""
    values = {f"c{n}": [float(value)] for n, value in enumerate([3, 1, 4, 1, 5])}
    expected = _plain(values, _mean)
    for at_once in (1_000_000, 15, 1):
        monkeypatch.setattr(intervals, "_DRAWN_AT_ONCE", at_once)
        [found] = bootstrap_all_by_call(
            values, lambda drawn: np.mean(drawn, axis=-1)[..., None], resamples=50, seed=3, by_row=True
        )
        assert (found.low, found.high) == (pytest.approx(expected[0]), pytest.approx(expected[1]))
        quick = bootstrap_mean_by_call(values, resamples=50, seed=3)
        assert (quick.low, quick.high) == (pytest.approx(expected[0]), pytest.approx(expected[1]))


def test_statistics_by_row_are_given_rows_and_others_are_not() -> None:
    shapes: set[tuple[int, ...]] = set()

    def seen(drawn: np.ndarray) -> np.ndarray:
        shapes.add(drawn.shape)
        return np.asarray(np.mean(drawn, axis=-1)[..., None])

    singles = {"a": [1.0], "b": [2.0], "c": [4.0], "d": [4.0], "e": [4.0], "f": [3.0]}
    bootstrap_all_by_call(singles, seen, resamples=7, seed=1, by_row=True)
    assert shapes == {(7, 6)}
    shapes.clear()
    bootstrap_all_by_call(singles, seen, resamples=7, seed=1)
    assert shapes == {(6,)}


def test_resamples_by_row_of_calls_with_several_turns_are_the_same_resamples() -> None:
    """To the last bit, whatever their sizes: those of one size come together."""
    for values in (EIGHT, FEW, ONE):
        [slow] = bootstrap_all_by_call(
            values, lambda drawn: np.mean(drawn, axis=-1)[..., None], resamples=50, seed=3
        )
        [found] = bootstrap_all_by_call(
            values, lambda drawn: np.mean(drawn, axis=-1)[..., None], resamples=50, seed=3, by_row=True
        )
        assert [found.low, found.high] == pytest.approx([slow.low, slow.high])
        percentiles = [
            bootstrap_all_by_call(
                values,
                lambda drawn: np.percentile(drawn, (50.0, 90.0), axis=-1).T,
                resamples=200,
                seed=3,
                by_row=by_row,
            )
            for by_row in (True, False)
        ]
        assert percentiles[0] == percentiles[1]


def test_rows_are_of_one_size_and_as_many_as_memory_is_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four calls of two to five turns are twenty observations at the most: of forty, two resamples."""
    shapes: list[tuple[int, ...]] = []

    def seen(drawn: np.ndarray) -> np.ndarray:
        shapes.append(drawn.shape)
        return np.asarray(np.mean(drawn, axis=-1)[..., None])

    bootstrap_all_by_call(FEW, seen, confidence=0.5, resamples=50, seed=3, by_row=True)
    lengths = [length for _, length in shapes]
    assert lengths == sorted(set(lengths))
    assert min(lengths) >= 8
    assert max(lengths) <= 20
    assert sum(rows for rows, _ in shapes) == 50
    for at_once, most in ((41, 2), (39, 1), (1, 1)):
        monkeypatch.setattr(intervals, "_DRAWN_AT_ONCE", at_once)
        shapes.clear()
        bootstrap_all_by_call(FEW, seen, confidence=0.5, resamples=50, seed=3, by_row=True)
        assert max(rows for rows, _ in shapes) <= most
        assert sum(rows for rows, _ in shapes) == 50


@pytest.mark.parametrize(
    ("at_once", "rows"), [(1_000_000, [50]), (15, [3] * 16 + [2]), (14, [2] * 25), (1, [1] * 50)]
)
def test_as_many_resamples_are_drawn_at_once_as_memory_is_for(
    at_once: int, rows: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of five units; never fewer than one resample."""
    monkeypatch.setattr(intervals, "_DRAWN_AT_ONCE", at_once)
    shapes: list[tuple[int, ...]] = []

    def seen(drawn: np.ndarray) -> np.ndarray:
        shapes.append(drawn.shape)
        return np.asarray(np.mean(drawn, axis=-1)[..., None])

    values = {f"c{n}": [float(n)] for n in range(5)}
    bootstrap_all_by_call(values, seen, confidence=0.5, resamples=50, seed=3, by_row=True)
    assert shapes == [(row, 5) for row in rows]


@pytest.mark.parametrize(("count", "rows"), [(500_000, 2), (9901, 100)])
def test_a_million_units_are_drawn_at_once(count: int, rows: int) -> None:
    """101 times 9901 is one more."""
    resampling = intervals._Resampling(confidence=0.5, resamples=200, seed=1)
    drawn = next(resampling._drawn(np.random.default_rng(1), count))
    assert drawn.shape == (rows, count)


# --- ratios: errors over words


def _ratio(counts: dict[str, list[tuple[float, float]]], **settings: float) -> tuple[float, float]:
    """Calls are drawn as their sums; single utterances where calls are few."""

    def figure(rows: np.ndarray) -> float:
        errors, words = rows.reshape(-1, 2).sum(axis=0)
        return float(errors / words) if words > 0 else math.nan

    sums = [np.sum(counts[call], axis=0) for call in sorted(counts) if counts[call]]
    single = [np.array(one) for call in sorted(counts) for one in counts[call]]
    given = {"seed": 3, "resamples": 50, "confidence": 0.95, **settings}
    by_turn = _ends(single, figure, **given)  # type: ignore[arg-type]
    if len(sums) == 1:
        return by_turn
    by_call = _ends(sums, figure, **given)  # type: ignore[arg-type]
    if 2.0 ** (1 - len(sums)) <= 1 - given["confidence"]:
        return by_call
    return min(by_call[0], by_turn[0]), max(by_call[1], by_turn[1])


MANY = {f"c{n}": [(float((n * 5 + k) % 4), float(n % 3 * 2 + k)) for k in range(n % 3 + 1)] for n in range(7)}
THREE = {"a": [(1.0, 4.0), (2.0, 5.0)], "b": [(0.0, 6.0)], "c": [(3.0, 3.0), (0.0, 2.0)]}
ONE_WORD = {"a": [(1.0, 1.0)], "b": [(0.0, 0.0)], "c": [(2.0, 0.0)]}
"""Of which a resample holds one word, or none and so no figure."""
ALONE = {"a": [(1.0, 4.0), (0.0, 5.0), (2.0, 3.0)]}


@pytest.mark.parametrize("counts", [MANY, THREE, ALONE, ONE_WORD, {**MANY, "empty": []}])
@pytest.mark.parametrize(("confidence", "seed"), [(0.95, 3), (0.6, 8)])
def test_a_ratio_s_interval_is_that_of_its_resamples(
    counts: dict[str, list[tuple[float, float]]], confidence: float, seed: int
) -> None:
    low, high = _ratio(counts, confidence=confidence, seed=seed)
    found = bootstrap_ratio_by_call(counts, confidence=confidence, resamples=50, seed=seed)
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))
    assert (found.n, found.calls) == (
        sum(len(one) for one in counts.values()),
        sum(bool(one) for one in counts.values()),
    )
    assert found.confidence == confidence


def test_a_ratio_without_errors_has_wilson_s_interval() -> None:
    """Of 0 of 9: 3.8415 / (9 + 3.8415) is 0.2991."""
    found = bootstrap_ratio_by_call({"a": [(0.0, 4.0)], "b": [(0.0, 5.5), (0.0, 0.0)]}, seed=1)
    assert found == Interval(
        low=0.0,
        high=found.high,
        confidence=0.95,
        method="Wilson score for 0 of 9, as though independent",
        n=3,
        calls=2,
    )
    assert found.high == pytest.approx(0.2991, abs=1e-4)
    wider = bootstrap_ratio_by_call({"a": [(0.0, 9.0)]}, seed=1, confidence=0.99)
    assert wider.high == wilson(0, 9, confidence=0.99).high


@pytest.mark.parametrize(
    ("counts", "method", "n", "calls"),
    [
        ({}, "no interval: the denominator is 0", 0, 0),
        ({"a": [(0.0, 0.0)], "b": [(2.0, 0.0)]}, "no interval: the denominator is 0", 2, 2),
        ({"a": [(1.0, 4.0)]}, "no interval: one utterance", 1, 1),
    ],
)
def test_a_ratio_that_bounds_nothing_says_why(
    counts: dict[str, list[tuple[float, float]]], method: str, n: int, calls: int
) -> None:
    found = bootstrap_ratio_by_call(counts, seed=1, confidence=0.9)
    assert found == Interval(low=None, high=None, confidence=0.9, method=method, n=n, calls=calls)


@pytest.mark.parametrize("bad", [(-1.0, 4.0), (1.0, -4.0), (math.inf, 4.0), (1.0, math.nan)])
def test_counts_are_finite_and_not_negative(bad: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="finite and not negative"):
        bootstrap_ratio_by_call({"a": [(1.0, 4.0)], "b": [bad]}, seed=1)


def test_counts_are_summed_in_64_bits() -> None:
    """A third is another one in 32."""
    counts = {f"c{n}": [(np.float32(1), np.float32(3))] for n in range(6)}
    found = bootstrap_ratio_by_call(counts, resamples=5, seed=1)  # type: ignore[arg-type]
    assert (found.low, found.high) == (1 / 3, 1 / 3)


def test_two_utterances_bound_a_ratio() -> None:
    for counts in ({"a": [(1.0, 4.0), (1.0, 2.0)]}, {"a": [(1.0, 4.0)], "b": [(1.0, 2.0)]}):
        found = bootstrap_ratio_by_call(counts, seed=1)
        assert (found.low, found.high, found.n) == (0.25, 0.5, 2)


# --- what an interval says of itself


@pytest.mark.parametrize(
    ("calls", "method"),
    [
        (1, "bootstrap by turn: one call only, so nothing is known of how calls differ"),
        (2, "bootstrap by call and by turn, the wider; only 2 calls, so perhaps still too narrow"),
        (5, "bootstrap by call and by turn, the wider; only 5 calls, so perhaps still too narrow"),
        (6, "bootstrap by call"),
    ],
)
def test_few_calls_are_told(calls: int, method: str) -> None:
    """2 ^ -4 is more than 5 %, 2 ^ -5 is not."""
    values = {f"c{n}": [float(n), float(n + 3)] for n in range(calls)}
    assert bootstrap_by_call(values, _mean, resamples=5, seed=1).method == method
    assert bootstrap_mean_by_call(values, resamples=5, seed=1).method == method


def test_exactly_as_many_calls_as_are_needed_are_enough() -> None:
    """Two values lie on one side of a median with probability 1/2: enough for 50 %."""
    values = {"a": [1.0, 2.0], "b": [3.0, 5.0]}
    assert bootstrap_by_call(values, _mean, confidence=0.5, resamples=5, seed=1).method == "bootstrap by call"


def test_one_call_less_is_one_too_few() -> None:
    """A half is more than what is beyond 51 %: its resamples lie on one side of a median half of the time."""
    values = {"a": [1.0, 2.0], "b": [3.0, 5.0]}
    found = bootstrap_by_call(values, _mean, confidence=0.51, resamples=5, seed=1)
    assert "only 2 calls" in found.method


@pytest.mark.parametrize(
    ("values", "n", "calls", "method"),
    [
        ({}, 0, 0, "no interval: no observations"),
        ({"a": []}, 0, 0, "no interval: no observations"),
        ({"a": [1.0], "b": []}, 1, 1, "no interval: one observation"),
    ],
)
def test_nothing_and_a_single_observation_bound_nothing(
    values: dict[str, list[float]], n: int, calls: int, method: str
) -> None:
    expected = Interval(low=None, high=None, confidence=0.9, method=method, n=n, calls=calls)
    assert bootstrap_by_call(values, _mean, confidence=0.9, seed=1) == expected
    assert bootstrap_mean_by_call(values, confidence=0.9, seed=1) == expected
    if n:
        figures = bootstrap_all_by_call(values, lambda drawn: np.zeros(2), confidence=0.9, seed=1)
        assert figures == [expected, expected]
    else:
        with pytest.raises(ValueError, match="no observations to resample"):
            bootstrap_all_by_call(values, lambda drawn: np.zeros(2), seed=1)


def test_two_observations_bound_something() -> None:
    for values in ({"a": [1.0, 2.0]}, {"a": [1.0], "b": [2.0]}):
        found = bootstrap_by_call(values, _mean, seed=1)
        assert (found.low, found.high) == (1.0, 2.0)
        assert bootstrap_mean_by_call(values, seed=1) == found


@pytest.mark.parametrize(
    ("low", "high", "bounded"),
    [(1.0, 2.0, True), (None, 2.0, False), (1.0, None, False), (None, None, False)],
)
def test_bounded_is_on_both_sides(low: float | None, high: float | None, bounded: bool) -> None:
    assert Interval(low=low, high=high, confidence=0.95, method="", n=1).bounded == bounded


@pytest.mark.parametrize("confidence", [0.0, 1.0, -0.1, 1.1])
def test_confidence_lies_between_0_and_1(confidence: float) -> None:
    for make in (
        lambda: bootstrap_by_call(EIGHT, _mean, confidence=confidence, seed=1),
        lambda: bootstrap_mean_by_call(EIGHT, confidence=confidence, seed=1),
        lambda: bootstrap_ratio_by_call(MANY, confidence=confidence, seed=1),
        lambda: wilson(1, 4, confidence=confidence),
    ):
        with pytest.raises(ValueError, match="confidence lies between 0 and 1"):
            make()


def test_there_is_at_least_one_resample() -> None:
    with pytest.raises(ValueError, match="at least one resample, not 0"):
        bootstrap_by_call(EIGHT, _mean, resamples=0, seed=1)


@pytest.mark.parametrize("values", [[], [[1.0, 2.0]], [1.0, math.nan], [math.inf]])
def test_values_are_a_row_of_finite_numbers(values: list[float]) -> None:
    with pytest.raises(ValueError, match=r"at least one value|must be finite"):
        finite_values(values)


def test_values_are_float64() -> None:
    assert finite_values([1, 2]).dtype == np.float64
    assert finite_values(np.ones(3, np.float32)).dtype == np.float64  # type: ignore[arg-type]
