"""Censored percentiles by hand and in no time: the edges of a percentile, and what is made of resamples."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from metrics import survival
from metrics.intervals import DEFAULT_RESAMPLES, Interval
from metrics.survival import CensoredPercentile, Curve, Waited, kaplan_meier, summarize_censored

NEVER = Waited(time=math.inf, came=False)


def _given_up(time: float) -> Waited:
    return Waited(time=time, came=False)


# --- one curve


def test_the_ends_of_a_percentile() -> None:
    curve = kaplan_meier([Waited(time=1.0), Waited(time=2.0)])
    assert [curve.percentile(q) for q in (0.0, 0.5, 50.0, 50.5, 100.0)] == [1, 1, 1, 2, 2]
    for q in (-0.5, 100.5, math.nan):
        with pytest.raises(ValueError, match="between 0 and 100"):
            curve.percentile(q)


def test_a_billionth_is_rounding() -> None:
    for over, expected in ((0.99e-9, 1.0), (1.02e-9, 2.0)):
        assert Curve(times=(1.0, 2.0), beyond=(0.5 + over, 0.1), known_to=2.0).percentile(50) == expected


def test_ties_in_any_order() -> None:
    """Three at 1, of which one was given up; two at 2; one given up at 3: 4/6 beyond 1, then 2/3 · 1/3."""
    times = [_given_up(1), Waited(time=2), Waited(time=1), _given_up(3), Waited(time=2), Waited(time=1)]
    for observed in (times, times[::-1]):
        curve = kaplan_meier(observed)
        assert curve.times == (1, 2)
        assert curve.beyond == pytest.approx((4 / 6, 4 / 6 / 3))
        assert curve.known_to == 3
    alone = kaplan_meier([_given_up(4.0)])
    assert (alone.times, alone.beyond, alone.known_to) == ((), (), 4.0)
    assert kaplan_meier([NEVER, Waited(time=-2.0)]) == Curve(times=(-2.0,), beyond=(0.5,), known_to=-2.0)


def test_an_observation_came_unless_it_is_said_not_to_have() -> None:
    assert Waited(time=1.0) == Waited(time=1.0, came=True)
    assert NEVER.time == math.inf
    for time, came in ((math.nan, True), (math.nan, False), (math.inf, True), (-math.inf, False)):
        with pytest.raises(ValueError, match="finite number"):
            Waited(time=time, came=came)


# --- over calls

CALLS = {
    "b": [Waited(time=4.0), _given_up(2.0), Waited(time=1.0)],
    "a": [NEVER, Waited(time=2.0), Waited(time=2.0)],
    "c": [_given_up(9.0), Waited(time=7.0)],
}
N = 8


class _Bootstrap:
    """Stands for the resampling: keeps what it was asked, and gives these ends for every percentile."""

    def __init__(self, low: float | None, high: float | None, n: int = 1000) -> None:
        self._interval = Interval(low=low, high=high, confidence=0.95, method="by hand", n=n)
        self.places: dict[str, list[float]] = {}
        self.options: dict[str, Any] = {}

    def __call__(
        self,
        values: Mapping[str, Sequence[float]],
        statistics: Callable[[Any], Any],
        **options: Any,
    ) -> list[Interval]:
        self.places = {call: list(places) for call, places in values.items()}
        self.statistics, self.options = statistics, options
        return [self._interval] * 3


def _summarized(
    patch: pytest.MonkeyPatch, low: float | None, high: float | None, *, n: int = 1000, **options: Any
) -> tuple[survival.CensoredDistribution, _Bootstrap]:
    bootstrap = _Bootstrap(low, high, n)
    patch.setattr(survival, "bootstrap_all_by_call", bootstrap)
    return summarize_censored(CALLS, seed=3, **options), bootstrap


def test_a_resample_s_percentiles_are_those_of_its_observations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each place stands for an observation; drawn again and again they give that curve's percentiles."""
    _, bootstrap = _summarized(monkeypatch, 1.0, 2.0)
    at = {
        place: one
        for call, places in bootstrap.places.items()
        for place, one in zip(places, CALLS[call], strict=True)
    }
    assert sorted(at) == list(range(N))
    random = np.random.default_rng(1)
    for _ in range(60):
        drawn = random.integers(0, N, random.integers(1, 12)).astype(float)
        curve = kaplan_meier([at[place] for place in drawn])
        expected = [curve.percentile(q) for q in (50.0, 90.0, 95.0)]
        found = bootstrap.statistics(drawn).tolist()
        assert found == [survival._NEVER if one is None else one for one in expected]
    rows = random.integers(0, N, (60, 5)).astype(float)
    by_row = bootstrap.statistics(rows)
    assert by_row.tolist() == [bootstrap.statistics(drawn).tolist() for drawn in rows]


def test_all_observations_count_and_the_resampling_is_asked_as_one_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, bootstrap = _summarized(monkeypatch, 1.0, 2.0)
    assert (found.n, found.censored) == (N, 3)
    usual = {"confidence": 0.95, "resamples": DEFAULT_RESAMPLES, "seed": 3, "by_row": True}
    assert bootstrap.options == usual
    _, bootstrap = _summarized(monkeypatch, 1.0, 2.0, confidence=0.5, resamples=7)
    assert bootstrap.options == usual | {"confidence": 0.5, "resamples": 7}


def test_what_is_reached_has_a_value_and_what_is_not_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times 1, 2 and 2, 2+, 4, 7, 9+ and never: beyond them 7/8, 5/8, 15/32 and 5/16."""
    found, _ = _summarized(monkeypatch, 1.0, 3.0)
    interval = Interval(low=1.0, high=3.0, confidence=0.95, method="by hand", n=1000)
    assert found.p50 == CensoredPercentile(value=4.0, not_before=None, interval=interval)
    assert found.p90 == CensoredPercentile(value=None, not_before=9.0, interval=interval)
    assert found.p95 == found.p90


@pytest.mark.parametrize(
    ("low", "high", "kept"),
    [
        (1.0, 9.0, (1.0, 9.0)),
        (1.0, 9.5, (1.0, None)),
        # Nearly every resample is beyond what is known: so is the lower end.
        (9.5, 1e15, (9.0, None)),
        (None, 3.0, (None, 3.0)),
        (1.0, None, (1.0, None)),
    ],
)
def test_an_end_beyond_what_is_known_is_none(
    low: float | None,
    high: float | None,
    kept: tuple[float | None, float | None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    interval = _summarized(monkeypatch, low, high)[0].p90.interval
    assert (interval.low, interval.high) == kept


def test_ends_that_few_cannot_give_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 25 observations p50 has both, p90 its lower one, p95 its lower one; of 15 p95 has none."""
    found, _ = _summarized(monkeypatch, 1.0, 3.0, n=25)
    ends = [(one.interval.low, one.interval.high) for one in (found.p50, found.p90, found.p95)]
    assert ends == [(1.0, 3.0), (1.0, None), (1.0, None)]
    found, _ = _summarized(monkeypatch, 1.0, 3.0, n=15)
    assert found.p95.interval.low is None


def test_where_nothing_came_everything_is_beyond_what_was_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    bootstrap = _Bootstrap(1e15, 1e15)
    monkeypatch.setattr(survival, "bootstrap_all_by_call", bootstrap)
    found = summarize_censored({"a": [_given_up(5.0)], "b": [_given_up(6.0)]}, seed=1)
    assert (found.p50.value, found.p50.not_before) == (None, 6.0)
    assert (found.p50.interval.low, found.p50.interval.high) == (6.0, None)
    with pytest.raises(ValueError, match="at least one"):
        summarize_censored({}, seed=1)


def test_the_percentiles_are_the_median_p90_and_p95(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survival, "bootstrap_all_by_call", _Bootstrap(1.0, 2.0))
    found = summarize_censored({"a": [Waited(time=float(n)) for n in range(1, 101)]}, seed=1)
    assert (found.p50.value, found.p90.value, found.p95.value) == (50, 90, 95)


def test_calls_are_drawn_whole() -> None:
    """Real resamples of twelve calls: one value each, three times over, is no more than one value."""
    calls = {f"c{k:02}": [Waited(time=float(k))] * 3 for k in range(12)}
    found = summarize_censored(calls, resamples=200, seed=1)
    assert found.p50.value == 5.0
    low, high = found.p50.interval.low, found.p50.interval.high
    assert low is not None
    assert high is not None
    assert 1.0 <= low <= 3.0
    assert 8.0 <= high <= 10.0
    assert summarize_censored(dict(reversed(calls.items())), resamples=200, seed=1) == found
