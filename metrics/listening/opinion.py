"""The mean of ratings, and how sure it is where raters and clips are both drawn from many.

A model of two random effects: rating = mean + rater + clip + rest. An interval that takes ratings as
independent shrinks with every clip that the same few people rate; this one does not. Variances are found by
sums of squares (Henderson's method 1, *Biometrics* 9, 1953, which allows for missing ratings; an estimate
below 0 counts as 0), degrees of freedom by Satterthwaite (*Biometrics Bulletin* 2, 1946).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from metrics.intervals import Interval

METHOD = "two-way random effects (raters, clips), Satterthwaite"


@dataclass(frozen=True, kw_only=True)
class Rating:
    """What one person said of one clip."""

    rater: str
    clip: str
    value: float


@dataclass(frozen=True, kw_only=True)
class Opinion:
    """The mean over ratings.

    Attributes:
        interval: Of the mean over all raters and clips that might have been drawn; its ends are None, and its
            method says why, where the ratings give none.
        raters_sd, clips_sd, rest_sd: How far raters, clips, and the rest spread; None without an interval.
    """

    mean: float
    n: int
    raters: int
    clips: int
    interval: Interval
    raters_sd: float | None = None
    clips_sd: float | None = None
    rest_sd: float | None = None


def mean_opinion(
    ratings: Sequence[Rating], *, scale: tuple[float, float] = (1.0, 5.0), confidence: float = 0.95
) -> Opinion:
    """The mean of ratings with its interval, whose ends are kept within the scale.

    Raises:
        ValueError: No ratings, one outside the scale, or two by one rater of one clip.
    """
    if not ratings:
        raise ValueError("no ratings")
    values = np.array([one.value for one in ratings])
    if not np.all((values >= scale[0]) & (values <= scale[1])):
        raise ValueError(f"a rating lies outside {scale[0]:g} to {scale[1]:g}")
    if len({(one.rater, one.clip) for one in ratings}) < len(ratings):
        raise ValueError("two ratings of one clip by one rater")
    rater = np.unique([one.rater for one in ratings], return_inverse=True)[1]
    clip = np.unique([one.clip for one in ratings], return_inverse=True)[1]
    by_rater, by_clip = np.bincount(rater), np.bincount(clip)
    n, raters, clips = len(values), len(by_rater), len(by_clip)
    mean = float(values.mean())

    def without(why: str) -> Opinion:
        none = Interval(low=None, high=None, confidence=confidence, method=f"no interval: {why}", n=n)
        return Opinion(mean=mean, n=n, raters=raters, clips=clips, interval=none)

    if raters < 2:
        return without("one rater")
    if clips < 2:
        return without("one clip")
    if values.min() == values.max():
        return without("all ratings are alike")
    rest_df = n - raters - clips + 1
    if rest_df < 1:
        return without("too few clips that several people rated")

    centred = values - mean  # the sums of squares are the same, and nothing large is subtracted
    of_raters = float((np.bincount(rater, centred) ** 2 / by_rater).sum())
    of_clips = float((np.bincount(clip, centred) ** 2 / by_clip).sum())
    crowding_r = float((by_rater.astype(float) ** 2).sum()) / n
    crowding_c = float((by_clip.astype(float) ** 2).sum()) / n
    # Expected sums of squares, less that of the mean, in the three variances.
    expected = np.array(
        [
            [n - crowding_r, raters - crowding_c, raters - 1.0],
            [clips - crowding_r, n - crowding_c, clips - 1.0],
            [n - crowding_r, n - crowding_c, n - 1.0],
        ]
    )
    total = float(centred @ centred)
    # It can be solved: the determinant is (n - raters) (n - clips) (n + 1 - crowding_r - crowding_c). The
    # last factor, times n, counts the ordered pairs of ratings that share neither rater nor clip; with two
    # raters and two clips there always are some.
    r_var, c_var, rest_var = np.maximum(0.0, np.linalg.solve(expected, [of_raters, of_clips, total]))
    rest = rest_var / n
    by_raters, by_clips = r_var * crowding_r / n + rest, c_var * crowding_c / n + rest
    variance = by_raters + by_clips - rest
    if variance <= 0.0:
        return without("the ratings do not spread")
    df = variance**2 / (by_raters**2 / (raters - 1) + by_clips**2 / (clips - 1) + rest**2 / rest_df)
    half = float(stdtrit(max(1.0, df), 0.5 + confidence / 2.0)) * math.sqrt(variance)
    return Opinion(
        mean=mean,
        n=n,
        raters=raters,
        clips=clips,
        interval=Interval(
            low=max(scale[0], mean - half),
            high=min(scale[1], mean + half),
            confidence=confidence,
            method=METHOD,
            n=n,
        ),
        raters_sd=math.sqrt(r_var),
        clips_sd=math.sqrt(c_var),
        rest_sd=math.sqrt(rest_var),
    )
