"""Confidence intervals: bootstrap by call for anything measured per turn, Wilson for single proportions.

The turns of one call are alike (same line, same speaker, same load on the agent), so whole calls are
resampled, not single turns: Davison & Hinkley, *Bootstrap Methods and their Application* (1997), section 3.8.
Two things are done about few calls, for which a percentile bootstrap is too narrow:

- The ends are moved out as in Hesterberg, "What Teachers Should Know About the Bootstrap" (*The American
  Statistician* 69, 2015): the normal quantile becomes sqrt(k / (k - 1)) times Student's t quantile with
  k - 1 degrees of freedom, k being the number of calls.
- The resamples of k calls never leave the k values seen, and k values lie all on one side of a median with
  probability 2^(1 - k): below six calls 95 % is out of reach. There the interval is the wider of two, by
  call and by turn. It is still too narrow where calls differ much, and its ``method`` says so.

A bound that the data cannot give is None, never a number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtrit  # scipy.stats gives the same figures, a second later

Values = NDArray[np.float64]
Statistic = Callable[[Values], float]

DEFAULT_RESAMPLES = 2000

_DRAWN_AT_ONCE = 1_000_000
"""Observations of resamples that are held in memory together."""

BY_CALL = "bootstrap by call"
"""``Interval.method`` where nothing makes the interval doubtful."""


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A confidence interval.

    Attributes:
        low, high: Its ends, in the unit of the figure; None where the data do not bound it on that side.
        confidence: Nominal coverage, for instance 0.95.
        method: How it was found, in words for a report, with whatever makes it doubtful.
        n: Observations behind it.
        calls: Calls they came from; None where calls play no part.
    """

    low: float | None
    high: float | None
    confidence: float
    method: str
    n: int
    calls: int | None = None

    @property
    def bounded(self) -> bool:
        """True when both ends are known."""
        return self.low is not None and self.high is not None


def bootstrap_by_call(
    values_by_call: Mapping[str, Sequence[float]],
    statistic: Statistic,
    *,
    confidence: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int,
) -> Interval:
    """Interval of ``statistic`` over all observations, by resampling whole calls.

    Args:
        values_by_call: Observations of each call, by call id. Calls without observations are left out.
        statistic: From all observations of a resample (1-D float64) to one figure.
        confidence: Nominal coverage.
        resamples: Bootstrap resamples.
        seed: Same seed and data, same interval; the order of the calls does not matter.

    Returns:
        With two calls or more, resampled by call. With one call its turns are resampled instead, which
        says nothing about how calls differ: ``method`` says so. With one observation, or none, both
        ends are None.

    Raises:
        ValueError: A value that is not finite, or settings out of range.
    """
    if not any(len(values) for values in values_by_call.values()):
        return _open(confidence, 0, 0, "no interval: no observations")
    [interval] = bootstrap_all_by_call(
        values_by_call,
        lambda drawn: np.array([statistic(drawn)]),
        confidence=confidence,
        resamples=resamples,
        seed=seed,
    )
    return interval


def bootstrap_mean_by_call(
    values_by_call: Mapping[str, Sequence[float]],
    *,
    confidence: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int,
) -> Interval:
    """:func:`bootstrap_by_call` of the mean: the same resamples, all at once and many times as fast.

    Raises:
        ValueError: As there.
    """
    resampling = _Resampling(confidence=confidence, resamples=resamples, seed=seed)
    units = [
        finite_values(values_by_call[call]) for call in sorted(values_by_call) if len(values_by_call[call])
    ]
    calls, n = len(units), sum(len(unit) for unit in units)
    if n < 2:
        return _open(confidence, n, calls, "no interval: " + ("one observation" if n else "no observations"))
    turns = list(np.concatenate(units)[:, None])
    low, high = resampling.ends(units, turns, None).ravel()
    return _interval(low, high, confidence, n, calls)


def bootstrap_all_by_call(
    values_by_call: Mapping[str, Sequence[float]],
    statistics: Callable[[Values], Values],
    *,
    confidence: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int,
    by_row: bool = False,
) -> list[Interval]:
    """:func:`bootstrap_by_call` for several figures of the same resamples: one interval for each.

    Args:
        statistics: From all observations of a resample to a 1-D array of figures.
        by_row: ``statistics`` also takes many resamples of one size, a row each, and gives a row for each.

    Raises:
        ValueError: As there, or no observations at all.
    """
    resampling = _Resampling(confidence=confidence, resamples=resamples, seed=seed, by_row=by_row)
    units = [
        finite_values(values_by_call[call]) for call in sorted(values_by_call) if len(values_by_call[call])
    ]
    calls = len(units)
    n = sum(len(unit) for unit in units)
    if n == 0:
        raise ValueError("no observations to resample")
    everything = np.concatenate(units)
    if n == 1:
        return [_open(confidence, n, calls, "no interval: one observation") for _ in statistics(everything)]
    turns = list(everything[:, None])
    ends = resampling.ends(units, turns, statistics)
    return [_interval(low, high, confidence, n, calls) for low, high in ends.T]


def bootstrap_ratio_by_call(
    counts_by_call: Mapping[str, Sequence[tuple[float, float]]],
    *,
    confidence: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int,
) -> Interval:
    """Interval of a ratio of sums, such as errors over reference words, by resampling whole calls.

    Args:
        counts_by_call: (numerator, denominator) of each utterance, by call id; both at least 0.
        confidence, resamples, seed: As in :func:`bootstrap_by_call`.

    Returns:
        As :func:`bootstrap_by_call`. Where every numerator is 0 all resamples are 0 and would claim
        certainty; the interval then is Wilson's for 0 of the summed denominator.

    Raises:
        ValueError: A count that is negative or not finite, or settings out of range.
    """
    resampling = _Resampling(confidence=confidence, resamples=resamples, seed=seed, by_row=True)
    units = [
        np.asarray(counts_by_call[call], dtype=np.float64)
        for call in sorted(counts_by_call)
        if len(counts_by_call[call])
    ]
    if any(not np.all(np.isfinite(unit)) or np.any(unit < 0) for unit in units):
        raise ValueError("counts must be finite and not negative")
    calls = len(units)
    n = sum(len(unit) for unit in units)
    total = float(sum(unit[:, 1].sum() for unit in units))
    if total == 0:
        return _open(confidence, n, calls, "no interval: the denominator is 0")
    if all(not unit[:, 0].any() for unit in units):
        wilson_zero = wilson(0, math.floor(total), confidence=confidence)
        return Interval(
            low=0.0,
            high=wilson_zero.high,
            confidence=confidence,
            method=f"Wilson score for 0 of {math.floor(total)}, as though independent",
            n=n,
            calls=calls,
        )
    if n < 2:
        return _open(confidence, n, calls, "no interval: one utterance")
    sums = [unit.sum(axis=0, keepdims=True) for unit in units]
    utterances = np.concatenate(units)[:, None, :]
    low, high = resampling.ends(sums, list(utterances), _ratio_of_sums).ravel()
    return _interval(low, high, confidence, n, calls)


def wilson(successes: int, n: int, *, confidence: float = 0.95) -> Interval:
    """Wilson's score interval of a proportion (*JASA* 22, 1927), for independent trials.

    Raises:
        ValueError: Not 0 <= successes <= n.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"successes ({successes}) must lie between 0 and n ({n})")
    _check_confidence(confidence)
    if n == 0:
        return _open(confidence, 0, None, "no interval: no trials")
    z = float(ndtri(0.5 + confidence / 2.0))
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # At 0 and n the exact ends are 0 and 1; rounding would miss them by 1e-17.
    return Interval(
        low=0.0 if successes == 0 else centre - half,
        high=1.0 if successes == n else centre + half,
        confidence=confidence,
        method="Wilson score",
        n=n,
    )


def none_in(exposure: float, *, n: int, confidence: float = 0.95) -> Interval:
    """Interval of a rate of which nothing was counted in ``exposure`` (minutes, say): the exact one of
    Poisson's distribution (Garwood, *Biometrika* 28, 1936), for independent events.

    Args:
        n: Observations that make up the exposure.

    Raises:
        ValueError: ``exposure`` is not above 0.
    """
    if not exposure > 0:
        raise ValueError(f"exposure ({exposure}) must be above 0")
    _check_confidence(confidence)
    return Interval(
        low=0.0,
        high=-math.log((1 - confidence) / 2) / exposure,
        confidence=confidence,
        method=f"exact Poisson for none in {exposure:.2g}, as though independent",
        n=n,
    )


@dataclass(frozen=True, kw_only=True)
class _Resampling:
    """How a bootstrap draws: settings that were checked once."""

    confidence: float
    resamples: int
    seed: int
    by_row: bool = False

    def __post_init__(self) -> None:
        _check_confidence(self.confidence)
        if self.resamples < 1:
            raise ValueError(f"at least one resample, not {self.resamples}")

    def ends(
        self, calls: list[Values], turns: list[Values], statistics: Callable[[Values], Values] | None
    ) -> Values:
        """Lower and upper ends, shape (2, figures), of what ``statistics`` makes of a resample.

        Args:
            calls, turns: The observations, cut into whole calls and into single turns.
            statistics: From the joined units of a resample to one or more figures; None: the mean.
        """
        if len(calls) == 1:
            return self._ends_of(turns, statistics)
        by_call = self._ends_of(calls, statistics)
        if not _too_few_calls(len(calls), self.confidence):
            return by_call
        by_turn = self._ends_of(turns, statistics)
        return np.stack([np.fmin(by_call[0], by_turn[0]), np.fmax(by_call[1], by_turn[1])])

    def _ends_of(self, units: list[Values], statistics: Callable[[Values], Values] | None) -> Values:
        count = len(units)
        figures = self._means(units) if statistics is None else self._figures(units, statistics)
        quantile = math.sqrt(count / (count - 1)) * float(stdtrit(count - 1, 0.5 + self.confidence / 2.0))
        tail = float(ndtr(-quantile))
        # A resample can have no figure (a ratio over empty references): it is no observation of one.
        return np.asarray(np.nanquantile(figures, [tail, 1.0 - tail], axis=0))

    def _figures(self, units: list[Values], statistics: Callable[[Values], Values]) -> Values:
        rng = np.random.default_rng(self.seed)
        if self.by_row:
            return self._figures_by_row(units, statistics, rng)
        count = len(units)
        together = np.concatenate(units) if all(len(unit) == 1 for unit in units) else None
        figures = []
        for _ in range(self.resamples):
            drawn = rng.integers(0, count, size=count)
            joined = together[drawn] if together is not None else np.concatenate([units[i] for i in drawn])
            figures.append(statistics(joined))
        return np.stack(figures)

    def _figures_by_row(
        self, units: list[Values], statistics: Callable[[Values], Values], rng: np.random.Generator
    ) -> Values:
        """As ``_figures``, with resamples of one size taken together."""
        together = np.concatenate(units)
        sizes = np.array([len(unit) for unit in units])
        starts = np.cumsum(sizes) - sizes
        found = []
        for drawn in self._drawn(rng, len(units), largest=int(sizes.max())):
            lengths = sizes[drawn].sum(axis=1)
            order = np.argsort(lengths, kind="stable")
            _, begins = np.unique(lengths[order], return_index=True)
            of_one_size = np.split(drawn[order], begins[1:])
            rows = [statistics(together[_places(starts[some], sizes[some])]) for some in of_one_size]
            figures = np.concatenate(rows)
            figures[order] = figures.copy()
            found.append(figures)
        return np.concatenate(found)

    def _means(self, units: list[Values]) -> Values:
        """As ``_figures`` of the mean: a resample's mean needs only the sums and sizes of its units."""
        rng = np.random.default_rng(self.seed)
        count = len(units)
        sums = np.array([unit.sum() for unit in units])
        sizes = np.array([len(unit) for unit in units])
        means = [sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1) for drawn in self._drawn(rng, count)]
        return np.concatenate(means)[:, None]

    def _drawn(
        self, rng: np.random.Generator, count: int, *, largest: int = 1
    ) -> Iterator[NDArray[np.int64]]:
        """The same draws as one resample after the other, many at once: a resample a row.

        Args:
            largest: Observations of the largest unit, where those of all resamples are held together.
        """
        at_once = max(1, _DRAWN_AT_ONCE // (count * largest))
        for done in range(0, self.resamples, at_once):
            yield rng.integers(0, count, size=(min(at_once, self.resamples - done), count))


def _places(starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where the observations of drawn units lie, a row for each resample; as many in each."""
    flat = sizes.ravel()
    before = np.cumsum(flat) - flat
    places = np.arange(flat.sum()) + np.repeat(starts.ravel() - before, flat)
    return np.asarray(places.reshape(len(sizes), -1), dtype=np.int64)


def _ratio_of_sums(counts: Values) -> Values:
    """Of (numerator, denominator) in the last dimension but one; a figure for each of those before it."""
    sums = counts.sum(axis=-2)
    numerator, denominator = sums[..., :1], sums[..., 1:]
    none = np.full_like(numerator, np.nan)
    return np.asarray(np.divide(numerator, denominator, out=none, where=denominator > 0))


def _interval(low: float, high: float, confidence: float, n: int, calls: int) -> Interval:
    if calls == 1:
        method = "bootstrap by turn: one call only, so nothing is known of how calls differ"
    elif _too_few_calls(calls, confidence):
        method = f"bootstrap by call and by turn, the wider; only {calls} calls, so perhaps still too narrow"
    else:
        method = BY_CALL
    return Interval(low=float(low), high=float(high), confidence=confidence, method=method, n=n, calls=calls)


def _too_few_calls(calls: int, confidence: float) -> bool:
    return 2.0 ** (1 - calls) > 1.0 - confidence


def finite_values(values: Sequence[float] | Values) -> Values:
    """The values as a 1-D float64 array.

    Raises:
        ValueError: None at all, or one that is not finite.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or array.size == 0:
        raise ValueError("a statistic needs at least one value")
    if not np.all(np.isfinite(array)):
        raise ValueError("values must be finite: leave out what was not measured, and count it")
    return array


def _open(confidence: float, n: int, calls: int | None, method: str) -> Interval:
    return Interval(low=None, high=None, confidence=confidence, method=method, n=n, calls=calls)


def _check_confidence(confidence: float) -> None:
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence lies between 0 and 1, not at {confidence}")
