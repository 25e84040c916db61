"""The mean opinion: against a balanced analysis of variance by hand, and on panels whose truth is planted."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from metrics.listening.opinion import Opinion, Rating, mean_opinion


def ratings_of(table: list[list[float | None]]) -> list[Rating]:
    return [
        Rating(rater=f"r{row}", clip=f"c{column}", value=value)
        for row, values in enumerate(table)
        for column, value in enumerate(values)
        if value is not None
    ]


def panel(seed: int, *, mean: float = 3.6, raters: int = 16, clips: int = 8) -> list[Rating]:
    """Raters biased by 0.5, clips apart by 0.4, rest 0.6, rounded to five steps."""
    draw = np.random.default_rng(seed)
    latent = (
        mean
        + draw.normal(0, 0.5, (raters, 1))
        + draw.normal(0, 0.4, (1, clips))
        + draw.normal(0, 0.6, (raters, clips))
    )
    return ratings_of(np.clip(np.rint(latent), 1, 5).tolist())


def planted_mean(mean: float) -> float:
    """What many raters would say of many clips: the latent mean, rounded and clipped."""
    spread = math.sqrt(0.5**2 + 0.4**2 + 0.6**2)
    edges = np.array([1.5, 2.5, 3.5, 4.5])
    return 1.0 + float((1.0 - stats.norm.cdf((edges - mean) / spread)).sum())


def test_a_full_table_is_the_analysis_of_variance_done_by_hand() -> None:
    table = [[4.0, 3.0, 5.0], [2.0, 3.0, 4.0]]
    # Means: rows 4 and 3, columns 3, 3 and 4.5, all 3.5. SSA = 3 (0.25 + 0.25) = 1.5;
    # SSB = 2 (0.25 + 0.25 + 1) = 3; total 5.5, rest 1. MSA 1.5 (1), MSB 1.5 (2), MSE 0.5 (2).
    found = mean_opinion(ratings_of(table))  # type: ignore[arg-type]
    assert found.mean == pytest.approx(3.5)
    assert found.raters_sd == pytest.approx(math.sqrt((1.5 - 0.5) / 3))
    assert found.clips_sd == pytest.approx(math.sqrt((1.5 - 0.5) / 2))
    assert found.rest_sd == pytest.approx(math.sqrt(0.5))
    df = 2.5**2 / (1.5**2 / 1 + 1.5**2 / 2 + 0.5**2 / 2)
    half = stats.t.ppf(0.975, df) * math.sqrt(2.5 / 6)
    assert found.interval.low == pytest.approx(max(1.0, 3.5 - half))
    assert found.interval.high == pytest.approx(min(5.0, 3.5 + half))


def test_the_planted_mean_lies_in_the_interval() -> None:
    truth = planted_mean(3.6)
    held = 0
    for seed in range(1000):
        interval = mean_opinion(panel(seed)).interval
        assert interval.low is not None
        assert interval.high is not None
        held += interval.low <= truth <= interval.high
    assert held >= 0.93 * 1000


def test_many_clips_of_few_raters_do_not_narrow_it() -> None:
    def width(clips: int) -> float:
        found = [mean_opinion(panel(seed, raters=5, clips=clips)).interval for seed in range(40)]
        return float(np.mean([(one.high or 0) - (one.low or 0) for one in found]))

    # Taken as independent, sixteen times the clips would be a quarter of the width.
    assert width(160) > 0.6 * width(10)


def test_missing_ratings_keep_the_planted_mean_inside() -> None:
    truth, held = planted_mean(3.6), 0
    for seed in range(200):
        kept = np.random.default_rng(seed + 10_000).random(16 * 8) > 0.3
        ratings = [one for one, keep in zip(panel(seed), kept, strict=True) if keep]
        interval = mean_opinion(ratings).interval
        held += (interval.low or 0) <= truth <= (interval.high or 0)
    assert held >= 0.92 * 200


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ([[4.0, 3.0]], "one rater"),
        ([[4.0], [3.0]], "one clip"),
        ([[4.0, 4.0], [4.0, 4.0]], "alike"),
        ([[4.0, None], [None, 3.0]], "too few"),
    ],
)
def test_what_gives_no_interval_says_why(table: list[list[float | None]], why: str) -> None:
    found = mean_opinion(ratings_of(table))
    assert not found.interval.bounded
    assert why in found.interval.method
    assert isinstance(found, Opinion)
    assert found.raters_sd is None


@pytest.mark.parametrize("value", [0.0, 6.0, math.nan])
def test_a_rating_outside_the_scale_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="outside 1 to 5"):
        mean_opinion([Rating(rater="a", clip="b", value=value)])


def test_two_ratings_of_one_clip_by_one_rater_are_refused() -> None:
    twice = [Rating(rater="a", clip="b", value=value) for value in (3, 4)]
    with pytest.raises(ValueError, match="two ratings"):
        mean_opinion(twice)
