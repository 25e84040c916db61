"""The ready ways of pooling; the statistics themselves are tested where they are made."""

from __future__ import annotations

import math

import pytest

from harness.analysis.measures.base import MetricEntry, ScoredCall
from harness.analysis.measures.pooling import (
    censored_distribution,
    distribution,
    error_rate,
    mean,
    missing,
    observations,
    per_minute,
    proportion,
    weighted_mean,
)
from harness.analysis.measures.units import MS, PER_MINUTE, RATIO
from harness.records.scores import CallScores, WordCounts
from metrics.intervals import bootstrap_mean_by_call, bootstrap_ratio_by_call
from metrics.score import Evidence, Score, Status, not_measured
from metrics.stats import summarize_distribution
from metrics.survival import Waited, summarize_censored

LATENCY = MetricEntry(name="toy_ms", label="Toy", unit=MS, better="lower", definition="A toy.")
RATE = MetricEntry(name="toy_rate", label="Toy", unit=RATIO, better="lower", definition="A toy.")
EVENTS = MetricEntry(name="toys", label="Toy", unit=PER_MINUTE, better="lower", definition="A toy.")


def _call(call_id: str, *values: float, n: int | None = None) -> ScoredCall:
    score = Score(
        metric="toy_ms",
        unit="ms",
        value=values[0],
        status=Status.MEASURED,
        n=len(values) if n is None else n,
        evidence=tuple(Evidence(call_id=call_id, value=value) for value in values),
    )
    return ScoredCall(scores=CallScores(call_id=call_id, scores=[score]))


def test_observations_are_the_evidence_of_the_calls_that_have_a_value() -> None:
    none = ScoredCall(scores=CallScores(call_id="c", scores=[not_measured("toy_ms", "ms", "silence")]))
    other = ScoredCall(scores=CallScores(call_id="d", scores=[not_measured("wer", "ratio", "silence")]))
    by_call = observations("toy_ms", [_call("a", 1.0, 3.0), _call("b", 8.0), none, other])
    assert by_call == {"a": [1.0, 3.0], "b": [8.0]}
    assert mean(LATENCY, by_call).value == 4.0


def test_evidence_of_a_part_is_not_taken_for_all() -> None:
    with pytest.raises(ValueError, match="toy_ms of a: 2 of 30 observations are kept"):
        observations("toy_ms", [_call("a", 1.0, 3.0, n=30)])


def test_every_way_gives_the_entry_s_name_and_unit() -> None:
    counts = WordCounts(substitutions=1, deletions=0, insertions=0, reference=4)
    made = [
        distribution(LATENCY, {"a": [100.0, 300.0]}, resolution=5.0, version="7"),
        mean(LATENCY, {"a": [100.0, 300.0]}, version="7"),
        error_rate(RATE, {"a": counts}, version="7"),
        proportion(RATE, 1, 4, version="7"),
    ]
    assert [(one.metric, one.unit, one.n) for one in made] == [
        ("toy_ms", "ms", 2),
        ("toy_ms", "ms", 2),
        ("toy_rate", "ratio", 4),
        ("toy_rate", "ratio", 4),
    ]
    assert [one.value for one in made] == [200.0, 200.0, 0.25, 0.25]
    assert {one.version for one in made} == {"7"}
    assert (made[0].resolution, made[1].resolution) == (5.0, None)


def test_few_observations_are_told_with_their_p95() -> None:
    few = distribution(LATENCY, {"a": [float(n) for n in range(19)]}, notes=["one left out"])
    assert few.reason == "one left out; p95 of 19 observations is close to the largest of them"
    assert distribution(LATENCY, {"a": [float(n) for n in range(20)]}).reason == ""


def test_what_is_missing_has_its_reasons_or_the_entry_s() -> None:
    assert missing(LATENCY).reason == "not measured: no call brought anything to measure"
    told = missing(LATENCY, ["silence", "2 left out"], status=Status.INDETERMINATE)
    assert (told.reason, told.status) == ("not measured: silence; 2 left out", Status.INDETERMINATE)


def test_observations_are_of_the_metric_that_was_asked_for() -> None:
    other = Score(
        metric="other_ms",
        unit="ms",
        value=5.0,
        status=Status.MEASURED,
        n=1,
        evidence=(Evidence(call_id="a", value=5.0),),
    )
    call = _call("a", 1.0, 3.0)
    call.scores.scores.append(other)
    assert observations("toy_ms", [call]) == {"a": [1.0, 3.0]}
    assert observations("other_ms", [call]) == {"a": [5.0]}


def test_evidence_without_a_value_is_no_observation() -> None:
    call = _call("a", 1.0, 3.0)
    [score] = call.scores.scores
    call.scores.scores[0] = score.model_copy(
        update={"evidence": (*score.evidence, Evidence(call_id="a", text="only words"))}
    )
    assert observations("toy_ms", [call]) == {"a": [1.0, 3.0]}


def _by_call(calls: int, turns: int) -> dict[str, list[float]]:
    return {
        f"c{call}": [float(call * 7 % 11 + turn * 5 % 13) for turn in range(turns)] for call in range(calls)
    }


def test_a_distribution_has_its_percentiles_and_their_intervals() -> None:
    values = _by_call(8, 10)
    found = summarize_distribution(values, seed=20_260_101)
    score = distribution(LATENCY, values)
    assert (score.p50, score.p90, score.p95) == (found.p50.value, found.p90.value, found.p95.value)
    assert score.p50 != score.p90 != score.p95
    assert score.percentile_intervals == {
        "p50": (found.p50.interval.low, found.p50.interval.high),
        "p90": (found.p90.interval.low, found.p90.interval.high),
        "p95": (found.p95.interval.low, found.p95.interval.high),
    }
    assert (score.ci_low, score.ci_high) == score.percentile_intervals["p50"]
    assert score.ci_low is not None
    assert score.interval_method == "bootstrap by call"


def test_a_figure_has_the_ends_of_its_interval_and_how_they_were_found() -> None:
    """Wilson's of 1 of 4, at 95 %: 0.0456 to 0.6994."""
    score = proportion(RATE, 1, 4)
    assert score.ci_low == pytest.approx(0.0456, abs=1e-4)
    assert score.ci_high == pytest.approx(0.6994, abs=1e-4)
    assert score.interval_method == "Wilson score"
    few = distribution(LATENCY, {"a": [1.0, 2.0]})
    assert few.interval_method == "no interval: it needs 6 observations and has 2"


def _counts(errors: int) -> WordCounts:
    return WordCounts(substitutions=errors, deletions=0, insertions=0, reference=4)


def test_an_error_rate_of_one_call_has_no_interval_and_says_so() -> None:
    alone = error_rate(RATE, {"a": _counts(1)})
    assert (alone.ci_low, alone.ci_high) == (None, None)
    assert alone.interval_method == "no interval: one call only"
    # Where nothing was wrong there is one, and two calls have one, too.
    perfect = error_rate(RATE, {"a": _counts(0)})
    assert perfect.ci_high is not None
    assert perfect.interval_method.startswith("Wilson")
    both = error_rate(RATE, {"a": _counts(1), "b": _counts(2)})
    assert both.ci_high is not None
    assert both.interval_method.startswith("bootstrap by call")


# --- where some never came


def _waits(came: int, censored: int, calls: int = 4) -> dict[str, list[Waited]]:
    """So many that came after 1, 2, 3 ... s, and so many that had not after 100 s, dealt out to calls."""
    every = [Waited(time=float(n + 1), came=True) for n in range(came)]
    every += [Waited(time=100.0, came=False) for _ in range(censored)]
    return {f"c{call}": every[call::calls] for call in range(calls)}


def test_percentiles_that_are_not_reached_have_no_value_and_are_told() -> None:
    """20 of 25 came: p50 is known, p90 and p95 are not."""
    values = _waits(20, 5)
    found = summarize_censored(values, seed=20_260_101)
    score = censored_distribution(LATENCY, values, notes=["one left out"], resolution=5.0, version="7")
    assert (score.value, score.p50, score.p90, score.p95) == (found.p50.value, found.p50.value, None, None)
    assert score.value == pytest.approx(13.0, abs=0.5)
    assert score.not_reached == {"p90": found.p90.not_before, "p95": found.p95.not_before}
    assert score.percentile_intervals == {
        "p50": (found.p50.interval.low, found.p50.interval.high),
        "p90": (found.p90.interval.low, found.p90.interval.high),
        "p95": (found.p95.interval.low, found.p95.interval.high),
    }
    assert (score.ci_low, score.ci_high) == score.percentile_intervals["p50"]
    assert (score.n, score.resolution, score.version, score.status) == (25, 5.0, "7", Status.MEASURED)
    assert score.reason == "one left out; p90 and p95 not reached"


def test_a_median_that_is_not_reached_is_no_figure() -> None:
    score = censored_distribution(LATENCY, _waits(8, 12), notes=["one left out"], version="7")
    assert (score.status, score.value, score.p50, score.n) == (Status.INDETERMINATE, None, None, 20)
    assert (
        score.reason
        == "not measured: the median is not reached: 12 of 20 are not known to have come; one left out"
    )
    assert set(score.not_reached) == {"p50", "p90", "p95"}
    assert set(score.percentile_intervals) == {"p50", "p90", "p95"}
    assert score.version == "7"


def test_where_all_came_it_is_the_plain_distribution() -> None:
    values = _waits(20, 0)
    plain = {call: [one.time for one in waited] for call, waited in values.items()}
    settings = {"notes": ["one left out"], "resolution": 5.0, "version": "7"}
    assert censored_distribution(LATENCY, values, **settings) == distribution(  # type: ignore[arg-type]
        LATENCY,
        plain,
        **settings,  # type: ignore[arg-type]
    )


def test_a_weighted_mean_by_hand() -> None:
    """(4 x 1 + 1 x 3 + 2 x 4) / 8; its interval is that of the ratio of both sums."""
    values = {"a": [(4.0, 1.0), (1.0, 3.0)], "b": [(2.0, 4.0)]}
    score = weighted_mean(LATENCY, values, notes=["so"], version="7")
    assert (score.value, score.n, score.reason, score.version) == (1.875, 3, "so", "7")
    ratio = bootstrap_ratio_by_call({"a": [(4.0, 1.0), (3.0, 3.0)], "b": [(8.0, 4.0)]}, seed=20_260_101)
    assert (score.ci_low, score.ci_high) == (ratio.low, ratio.high)


@pytest.mark.parametrize(("share", "low", "high"), [(0.0, 0.0, 0.5615), (1.0, 0.4385, 1.0)])
def test_a_share_that_is_the_same_everywhere_has_wilson_s_interval(
    share: float, low: float, high: float
) -> None:
    """Of 3 observations, at 95 %: up to 3.8415 / 6.8415, or from 3 / 6.8415, however long each lasted."""
    score = weighted_mean(RATE, {"a": [(share, 1.0), (share, 30.0)], "b": [(share, 4.0)]})
    assert (score.value, score.n, score.interval_method) == (share, 3, "Wilson score")
    assert score.ci_low == pytest.approx(low, abs=1e-4)
    assert score.ci_high == pytest.approx(high, abs=1e-4)


@pytest.mark.parametrize("second", [0.0, 0.5, 0.99])
def test_a_share_in_between_has_the_interval_of_the_ratio(second: float) -> None:
    score = weighted_mean(RATE, {"a": [(1.0, 2.0)], "b": [(second, 2.0)]})
    assert score.value == pytest.approx((1 + second) / 2)
    ratio = bootstrap_ratio_by_call({"a": [(2.0, 2.0)], "b": [(2 * second, 2.0)]}, seed=20_260_101)
    assert (score.ci_low, score.ci_high) == (ratio.low, ratio.high)
    assert score.interval_method == ratio.method != "Wilson score"


def test_1_of_something_else_than_a_share_is_no_proportion() -> None:
    """1 ms twice: the ratio's interval, and not Wilson's for 2 of 2."""
    score = weighted_mean(LATENCY, {"a": [(1.0, 2.0)], "b": [(1.0, 2.0)]})
    assert (score.value, score.ci_low, score.ci_high) == (1.0, 1.0, 1.0)
    assert score.interval_method.startswith("bootstrap by call")


def test_none_in_two_minutes_has_poisson_s_interval() -> None:
    """90 s and 30 s without any: up to -ln(0.025) / 2 = 3.688879 / 2 a minute."""
    score = per_minute(EVENTS, {"a": [(0.0, 90.0)], "b": [(0.0, 30.0)]}, notes=["so"], version="7")
    assert (score.metric, score.unit, score.value, score.n) == ("toys", "per_minute", 0.0, 2)
    assert score.ci_low == 0.0
    assert score.ci_high == pytest.approx(1.8444397, abs=1e-7)
    assert score.interval_method == "exact Poisson for none in 2, as though independent"
    assert (score.status, score.reason, score.version) == (Status.MEASURED, "so", "7")


def test_some_in_a_minute_are_the_weighted_mean() -> None:
    """2 a minute over 90 s and none over 30 s: 3 events in 2 minutes."""
    values = {"a": [(2.0, 90.0)], "b": [(0.0, 30.0)]}
    score = per_minute(EVENTS, values, notes=["so"], version="7")
    assert (score.value, score.n) == (1.5, 2)
    assert score == weighted_mean(EVENTS, values, notes=["so"], version="7")


def test_the_same_calls_always_have_the_same_interval() -> None:
    """By the one seed; with another, or none, that of these calls is another."""
    values = {f"c{call}": [math.sqrt(7 * call + turn) for turn in range(1, 4)] for call in range(9)}
    ends = {}
    for seed in (20_260_100, 20_260_101, 20_260_102):
        interval = bootstrap_mean_by_call(values, seed=seed)
        ends[seed] = (interval.low, interval.high)
    assert len(set(ends.values())) == 3
    score = mean(LATENCY, values, notes=["so", "and so"], version="7")
    assert (score.ci_low, score.ci_high) == ends[20_260_101]
    assert (score.interval_method, score.reason, score.n) == ("bootstrap by call", "so; and so", 27)


def test_an_error_rate_is_over_all_that_was_said_and_its_interval_by_call() -> None:
    """1 + 3 of 10 + 6 words."""
    counts = {
        "a": WordCounts(substitutions=1, deletions=0, insertions=0, reference=10),
        "b": WordCounts(substitutions=0, deletions=2, insertions=1, reference=6),
    }
    score = error_rate(RATE, counts, notes=["so"], version="7")
    assert (score.value, score.n, score.reason) == (0.25, 16, "so")
    ratio = bootstrap_ratio_by_call({"a": [(1, 10)], "b": [(3, 6)]}, seed=20_260_101)
    assert (score.ci_low, score.ci_high) == (ratio.low, ratio.high)
