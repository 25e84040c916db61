"""When a figure changed its level over many nights, told from the scatter between nights.

Every place with two nights on each side is tried as a step; the one that takes away most of the variance is
kept where chance would hardly do as well: the nights are shuffled, and the share of shuffles whose best step
takes away as much is p (a permutation test of the maximum, so the search itself is counted in). Then both
parts are looked at in the same way (binary segmentation; Vostrikova, *Soviet Mathematics Doklady* 24, 1981).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

Floats = NDArray[np.float64]

LEVEL = 0.02
SHUFFLES = 999
FEWEST_A_SIDE = 2
FEWEST_NIGHTS = 8
"""Below that even the clearest step can be chance: there are too few orders to shuffle into."""
MOST_NIGHTS = 400


@dataclass(frozen=True, kw_only=True)
class ChangePoint:
    """A step.

    Attributes:
        at: Position of the first night of the new level.
        before, after: Mean of the level before and of the one that follows, each up to the next step.
        p: How often chance alone does as well.
    """

    at: int
    before: float
    after: float
    p: float


def change_points(values: Sequence[float], *, seed: int = 0) -> list[ChangePoint]:
    """The steps of a series, in order of time; the last :data:`MOST_NIGHTS` nights are looked at.

    Raises:
        ValueError: A value that is not finite.
    """
    series = np.asarray(values, dtype=np.float64)
    if not np.all(np.isfinite(series)):
        raise ValueError("values must be finite: leave out the nights without one")
    offset = max(0, len(series) - MOST_NIGHTS)
    series = series[offset:]
    rng = np.random.default_rng(seed)
    found: list[tuple[int, float]] = []
    _search(series, 0, rng, found)
    found.sort()
    edges = [0, *(at for at, _ in found), len(series)]
    levels = [float(series[a:b].mean()) for a, b in pairwise(edges) if b > a]
    return [
        ChangePoint(at=at + offset, before=levels[n], after=levels[n + 1], p=p)
        for n, (at, p) in enumerate(found)
    ]


def scatter(values: Sequence[float], steps: Sequence[ChangePoint]) -> float | None:
    """Night-to-night standard deviation around the levels; None with too few nights."""
    series = np.asarray(values, dtype=np.float64)
    edges = [0, *(step.at for step in steps), len(series)]
    parts = [series[a:b] for a, b in pairwise(edges) if b > a]
    freedom = len(series) - len(parts)
    if freedom < 2:
        return None
    return math.sqrt(sum(float(((part - part.mean()) ** 2).sum()) for part in parts) / freedom)


def nights_needed(nights: int, *, step_in_sd: float, power: float = 0.9) -> int | None:
    """About how many nights of a new level it takes to find a step of so many standard deviations.

    Args:
        nights: Of the old level, before it.

    Returns:
        None: never, the old level is not known well enough.
    """
    threshold = _threshold(nights)
    wanted = (threshold + float(ndtri(power))) / step_in_sd
    for after in range(FEWEST_A_SIDE, 10 * MOST_NIGHTS):
        if math.sqrt(nights * after / (nights + after)) >= wanted:
            return after
    return None


def _threshold(nights: int) -> float:
    """About what the largest of the steps of a quiet series stays below, in standard errors: neighbouring
    places say much the same, so they count as about so many independent ones."""
    places = 4.0 * math.log(max(nights, 3))
    return float(-ndtri(LEVEL / 2 / places))


def _search(part: Floats, offset: int, rng: np.random.Generator, found: list[tuple[int, float]]) -> None:
    if len(part) < FEWEST_NIGHTS:
        return
    shares = _explained(part[None, :])[0]
    if not np.any(shares > 0):
        return
    best = int(shares.argmax())
    shuffled = rng.permuted(np.tile(part, (SHUFFLES, 1)), axis=1)
    as_good = int(np.sum(_explained(shuffled).max(axis=1) >= shares[best] - 1e-12))
    p = (as_good + 1) / (SHUFFLES + 1)
    if p > LEVEL:
        return
    at = best + FEWEST_A_SIDE
    found.append((offset + at, p))
    _search(part[:at], offset, rng, found)
    _search(part[at:], offset + at, rng, found)


def _explained(rows: Floats) -> Floats:
    """The share of the variance that a step takes away, for each place of a step (column) of each row."""
    n = rows.shape[1]
    total = ((rows - rows.mean(axis=1, keepdims=True)) ** 2).sum(axis=1, keepdims=True)
    sizes = np.arange(FEWEST_A_SIDE, n - FEWEST_A_SIDE + 1)
    sums = np.cumsum(rows, axis=1)[:, FEWEST_A_SIDE - 1 : n - FEWEST_A_SIDE]
    whole = rows.sum(axis=1, keepdims=True)
    between = (sums - whole * sizes / n) ** 2 * n / (sizes * (n - sizes))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total > 0, between / total, 0.0)
