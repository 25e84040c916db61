"""Percentiles of censored times: by hand, by the textbook, and against scipy's own estimate."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from metrics.survival import Curve, Waited, kaplan_meier, summarize_censored

# Remission times in weeks under 6-mercaptopurine (Freireich et al., Blood 21, 1963), the textbooks' example;
# + is censored. Survival as printed in Cox & Oakes, Analysis of Survival Data (1984), table 4.2.
REMISSION = "6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+"
PRINTED = {6: 0.857, 7: 0.807, 10: 0.753, 13: 0.690, 16: 0.627, 22: 0.538, 23: 0.448}


def waited(text: str) -> list[Waited]:
    return [Waited(time=float(one.rstrip("+")), came=not one.endswith("+")) for one in text.split()]


def test_the_textbook_s_example() -> None:
    curve = kaplan_meier(waited(REMISSION))
    assert dict(zip(curve.times, curve.beyond, strict=True)) == pytest.approx(PRINTED, abs=0.0005)
    assert curve.percentile(50) == 23
    assert curve.percentile(90) is None
    assert curve.known_to == 35


@pytest.mark.parametrize("seed", range(20))
def test_the_curve_is_scipys(seed: int) -> None:
    """Ties among times, and of seen and censored ones, included."""
    random = np.random.default_rng(seed)
    times = random.integers(-3, 15, 40).astype(float)
    came = random.random(40) < 0.6
    came[0] = True
    theirs = stats.ecdf(stats.CensoredData(uncensored=times[came], right=times[~came])).sf
    ours = kaplan_meier([Waited(time=t, came=bool(c)) for t, c in zip(times, came, strict=True)])
    assert ours.beyond == pytest.approx([float(theirs.evaluate(t)) for t in ours.times])
    assert set(ours.times) == set(times[came])
    for q in (10, 50, 90, 95):
        below = [
            t for t, p in zip(theirs.quantiles, theirs.probabilities, strict=True) if p <= 1 - q / 100 + 1e-9
        ]
        assert ours.percentile(q) == (min(below) if below else None)


def test_thirty_of_a_hundred_that_never_came_by_hand() -> None:
    """70 came at 1, 2 .. 70; 30 were waited for until 80. All were waited for while anything came, so the
    share beyond k is (100 - k) / 100: the median is 50, and 70 % is all that is ever reached."""
    curve = kaplan_meier([*(Waited(time=k) for k in range(1, 71)), *[Waited(time=80, came=False)] * 30])
    assert curve.percentile(50) == 50
    assert curve.percentile(70) == 70
    assert curve.percentile(71) is None
    assert curve.percentile(90) is None
    assert curve.known_to == 80


def test_what_was_waited_for_a_little_counts_a_little() -> None:
    """Five: 1 came, one given up at 2, 3 came, one given up at 4, 5 came. 4/5, then 4/5 · 2/3, then 0."""
    curve = kaplan_meier(waited("1 2+ 3 4+ 5"))
    assert curve.times == (1, 3, 5)
    assert curve.beyond == pytest.approx((0.8, 0.8 * 2 / 3, 0.0))
    assert (curve.percentile(20), curve.percentile(45), curve.percentile(47)) == (1, 3, 5)


def test_what_is_censored_when_something_comes_was_still_waited_for() -> None:
    """At 2 there were two: one came and one was given up, so half is beyond 2 and not nothing."""
    assert kaplan_meier(waited("1 2 2+")).beyond == pytest.approx((2 / 3, 1 / 3))


def test_never_is_beyond_every_time() -> None:
    """An agent that hangs up after a moment is never taken for one that would have answered like the rest."""
    came = [Waited(time=k) for k in (1.0, 2.0, 3.0)]
    given_up = kaplan_meier([*came, Waited(time=0.1, came=False)])
    never = kaplan_meier([*came, Waited(time=math.inf, came=False)])
    assert given_up.percentile(90) == 3
    assert never.percentile(90) is None
    assert never.known_to == 3
    assert kaplan_meier([Waited(time=math.inf, came=False)]) == Curve(times=(), beyond=(), known_to=0.0)


def test_a_share_of_exactly_half_is_the_median_whatever_the_rounding() -> None:
    for n in range(2, 300, 2):
        assert kaplan_meier([Waited(time=k) for k in range(1, n + 1)]).percentile(50) == n / 2


def test_negative_times_are_times() -> None:
    assert kaplan_meier(waited("-2 -1 3+ 4")).percentile(50) == -1


def test_observations_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        kaplan_meier([])
    for time, came in ((math.nan, False), (math.inf, True), (-math.inf, False)):
        with pytest.raises(ValueError, match="finite number"):
            Waited(time=time, came=came)
    with pytest.raises(ValueError, match="between 0 and 100"):
        kaplan_meier(waited("1")).percentile(101)


# ---- over calls


def calls(answered: int, silent: int, *, of: int = 20) -> dict[str, list[Waited]]:
    """``of`` calls, each with so many turns; its answers come at 100, 200 .. plus the call's number."""
    return {
        f"c{call:02}": [
            *(Waited(time=100.0 * turn + call) for turn in range(1, answered + 1)),
            *[Waited(time=8000.0, came=False)] * silent,
        ]
        for call in range(of)
    }


def test_percentiles_that_are_not_reached_have_a_bound_and_no_value() -> None:
    found = summarize_censored(calls(7, 3), seed=1)
    assert (found.n, found.censored) == (200, 60)
    # 100 of 200 have come when the twentieth call's fifth answer has.
    assert found.p50.value == 519
    assert found.p50.not_before is None
    assert (found.p90.value, found.p90.not_before) == (None, 8000)
    assert (found.p90.interval.low, found.p90.interval.high) == (8000, None)


def test_the_interval_holds_the_value_and_is_the_same_in_any_order() -> None:
    by_call = calls(7, 3)
    found = summarize_censored(by_call, seed=1)
    low, high = found.p50.interval.low, found.p50.interval.high
    assert low is not None
    assert high is not None
    assert 500 <= low <= 519 <= high <= 601
    backwards = {call: list(reversed(by_call[call])) for call in reversed(by_call)}
    assert summarize_censored(backwards, seed=1) == found


def test_less_confidence_is_a_narrower_interval() -> None:
    usual = summarize_censored(calls(7, 3), seed=1).p50.interval
    narrow = summarize_censored(calls(7, 3), confidence=0.5, seed=1).p50.interval
    assert usual.confidence == 0.95
    assert narrow.confidence == 0.5
    assert usual.low is not None
    assert narrow.low is not None
    assert narrow.high is not None
    assert usual.high is not None
    assert usual.low < narrow.low <= 519 <= narrow.high <= usual.high


def test_an_end_of_the_interval_may_not_be_reached_either() -> None:
    """Nearly half of the calls are silent throughout: half of the resamples never get to the median."""
    by_call = calls(1, 0, of=21) | {f"s{k:02}": [Waited(time=900.0, came=False)] for k in range(20)}
    found = summarize_censored(by_call, seed=1)
    assert found.p50.value == 120
    assert found.p50.interval.low is not None
    assert found.p50.interval.low < 120
    assert found.p50.interval.high is None


def test_few_observations_bound_nothing() -> None:
    found = summarize_censored({"a": waited("1 2 3+"), "b": waited("4")}, seed=1)
    assert (found.p50.interval.low, found.p50.interval.high) == (None, None)
    assert "needs 6 observations" in found.p50.interval.method


def test_without_anything_censored_the_interval_covers_as_often_as_it_says() -> None:
    """The true median, 0.693 of an exponential cut off at 1.5, is held by 95 % of the intervals or so."""
    held, runs = 0, 120
    for run in range(runs):
        random = np.random.default_rng(run)
        by_call = {
            str(call): [Waited(time=min(t, 1.5), came=t < 1.5) for t in random.exponential(1.0, 4).tolist()]
            for call in range(15)
        }
        interval = summarize_censored(by_call, resamples=300, seed=run).p50.interval
        low = -math.inf if interval.low is None else interval.low
        high = math.inf if interval.high is None else interval.high
        held += low <= math.log(2) <= high
    assert held / runs >= 0.9
