"""The mean opinion's numbers: small tables worked out by hand, with ends that no scale hides."""

from __future__ import annotations

import math

import pytest
from scipy import stats

from metrics.intervals import Interval
from metrics.listening.opinion import METHOD, Opinion, Rating, mean_opinion

WIDE = (-1000.0, 1000.0)
FULL = ((4.0, 3.0, 5.0), (2.0, 3.0, 4.0))
ONE_DEGREE = ((4.0, 2.0), (2.0, 3.0))

Table = tuple[tuple[float | None, ...], ...]


def _of(table: Table, *, scale: tuple[float, float] = WIDE, confidence: float = 0.95) -> Opinion:
    ratings = [
        Rating(rater=f"r{row}", clip=f"c{column}", value=value)
        for row, values in enumerate(table)
        for column, value in enumerate(values)
        if value is not None
    ]
    return mean_opinion(ratings, scale=scale, confidence=confidence)


def _ends(found: Opinion) -> tuple[float, float]:
    assert found.interval.low is not None
    assert found.interval.high is not None
    return found.interval.low, found.interval.high


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_ends_of_a_full_table(confidence: float) -> None:
    """Mean squares: raters 1.5 (1 degree of freedom), clips 1.5 (2), rest 0.5 (2); variance 2.5 / 6."""
    df = 2.5**2 / (1.5**2 / 1 + 1.5**2 / 2 + 0.5**2 / 2)
    half = float(stats.t.ppf(0.5 + confidence / 2, df)) * math.sqrt(2.5 / 6)
    assert _ends(_of(FULL, confidence=confidence)) == pytest.approx((3.5 - half, 3.5 + half))


def test_a_table_with_gaps_by_hand() -> None:
    """Three raters of 3, 3 and 1 clips; clips with 2, 3 and 2 ratings; seven in all, their mean 22 / 7.

    Sums of squares: raters 88/21, clips 90/7, all 118/7. Crowding 19/7 and 17/7, hence
    30/7 a + 4/7 b + 2 e = 88/21, 2/7 a + 32/7 b + 2 e = 90/7, 30/7 a + 32/7 b + 6 e = 118/7,
    and so 4 (a + e) = 28/7, 4 (b + e) = 266/21: a = 1/3, b = 5/2, e = 2/3.
    """
    found = _of(((1.0, 3.0, 5.0), (1.0, 4.0, 3.0), (None, 5.0, None)))
    assert (found.n, found.raters, found.clips) == (7, 3, 3)
    assert found.mean == pytest.approx(22 / 7)
    assert (found.raters_sd, found.clips_sd, found.rest_sd) == pytest.approx(
        (math.sqrt(1 / 3), math.sqrt(5 / 2), math.sqrt(2 / 3))
    )
    # Of the mean: a 19/49 + e/7 for the raters, b 17/49 + e/7 for the clips; e/7 is in both.
    raters, clips, rest = 11 / 49, 283 / 294, 2 / 21
    variance = raters + clips - rest
    assert variance == pytest.approx(321 / 294)
    df = variance**2 / (raters**2 / 2 + clips**2 / 2 + rest**2 / 2)
    half = float(stats.t.ppf(0.975, df)) * math.sqrt(variance)
    assert _ends(found) == pytest.approx((22 / 7 - half, 22 / 7 + half))


def test_an_estimate_below_nothing_counts_as_none_and_one_degree_of_freedom_is_the_least() -> None:
    """Mean squares: raters 0.25, clips 0.25, rest 2.25, so that both spreads would be (0.25 - 2.25) / 2.

    The mean's variance is 2.25 / 4 in each of the three parts: a third of a degree of freedom. At one,
    97.5 % lie below 12.7062 (the table of t). There is one degree of freedom of the rest, which is enough.
    """
    found = _of(ONE_DEGREE)
    assert (found.raters_sd, found.clips_sd, found.rest_sd) == pytest.approx((0.0, 0.0, 1.5))
    assert _ends(found) == pytest.approx((2.75 - 12.7062 * 0.75, 2.75 + 12.7062 * 0.75), rel=1e-5)


def test_every_field_of_an_opinion() -> None:
    found = _of(FULL, confidence=0.9)
    assert (found.mean, found.n, found.raters, found.clips) == (3.5, 6, 2, 3)
    assert (found.interval.n, found.interval.confidence, found.interval.method) == (6, 0.9, METHOD)
    ratings = [Rating(rater=r, clip=c, value=v) for r, c, v in (("a", "x", 1.0), ("a", "y", 2.0))]
    assert mean_opinion(ratings).interval.confidence == 0.95


@pytest.mark.parametrize(
    ("table", "raters", "clips", "why"),
    [
        (((2.0,),), 1, 1, "one rater"),
        (((2.0, 5.0),), 1, 2, "one rater"),
        (((2.0,), (5.0,)), 2, 1, "one clip"),
        (((2.0, 2.0), (2.0, 2.0)), 2, 2, "all ratings are alike"),
        # Not one degree of freedom is left for the rest.
        (((2.0, 3.0), (4.0, None)), 2, 2, "too few clips that several people rated"),
    ],
)
def test_every_field_of_an_opinion_without_an_interval(
    table: Table, raters: int, clips: int, why: str
) -> None:
    values = [value for row in table for value in row if value is not None]
    assert _of(table, confidence=0.9) == Opinion(
        mean=sum(values) / len(values),
        n=len(values),
        raters=raters,
        clips=clips,
        interval=Interval(low=None, high=None, confidence=0.9, method=f"no interval: {why}", n=len(values)),
    )


def test_ratings_apart_by_less_than_can_be_squared_give_no_interval() -> None:
    found = _of(((0.0, 1e-200), (1e-200, 0.0)))
    assert found.interval.method == "no interval: the ratings do not spread"


@pytest.mark.parametrize(
    ("scale", "ends"),
    [
        ((2.0, 1000.0), (2.0, 2.75 + 9.52965)),
        ((-1000.0, 4.0), (2.75 - 9.52965, 4.0)),
        ((-6.78, 12.28), (2.75 - 9.52965, 2.75 + 9.52965)),
        ((-6.78, 12.27), (2.75 - 9.52965, 12.27)),
    ],
)
def test_each_end_is_kept_within_the_scale(scale: tuple[float, float], ends: tuple[float, float]) -> None:
    assert _ends(_of(ONE_DEGREE, scale=scale)) == pytest.approx(ends, abs=1e-4)


def test_the_scale_is_from_one_to_five_and_both_ends_belong_to_it() -> None:
    ratings = [Rating(rater=f"r{at // 2}", clip=f"c{at % 2}", value=v) for at, v in enumerate((1, 5, 5, 1))]
    assert _ends(mean_opinion(ratings)) == (1.0, 5.0)


@pytest.mark.parametrize("value", [1.99, 4.01])
def test_one_rating_outside_a_scale_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="outside 2 to 4"):
        _of(((2.0, 4.0), (3.0, value)), scale=(2.0, 4.0))


def test_one_rater_of_two_clips_and_two_raters_of_one_clip_are_no_repetition() -> None:
    assert _of(((2.0, 3.0), (4.0, None))).n == 3
    twice = [Rating(rater="a", clip=clip, value=3.0) for clip in ("x", "y", "y")]
    with pytest.raises(ValueError, match="two ratings"):
        mean_opinion(twice)


def test_no_ratings_are_refused() -> None:
    with pytest.raises(ValueError, match="no ratings"):
        mean_opinion([])
