"""How much a figure differs between a run with a defect and the clean one, with a paired interval.

Both sides answer the same things, so each observation is taken out of both at once. The interval is the
jackknife's (Tukey 1958; Efron and Tibshirani, *An Introduction to the Bootstrap*, 1993, chapter 11) with
Student's t, of the figure as the measure itself pools it. Percentiles, for which a jackknife does not hold,
are compared by the mean of the differences of single times instead, pair by pair.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from harness.analysis.measures.base import Measure, ScoredCall
from harness.selfcheck.selftest.units import Key, keys_of, part_of, without
from metrics.score import Score, Status

CONFIDENCE = 0.95
MOST_GROUPS = 40
"""Where there are more observations, several are taken out at a time: as good, and it ends."""
FEWEST = 5
_SAME = 1e-12
_TIMES = {
    "response_latency_ms": ("turns", "latency_ms"),
    "response_latency_answered_ms": ("turns", "latency_ms"),
    "content_latency_ms": ("turns", "content_latency_ms"),
    "interruption_delay_ms": ("interruptions", "delay_ms"),
    "interruption_delay_stopped_ms": ("interruptions", "delay_ms"),
}
"""Percentiles: where the single times stand."""


@dataclass(frozen=True, kw_only=True)
class Effect:
    """Defect minus clean, in the metric's own unit.

    Attributes:
        low, high: 95 % interval.
        p: Two-sided.
        n: Observations, paired.
        clean, planted: The figure of each side as reports give it.
    """

    estimate: float
    low: float
    high: float
    p: float
    n: int
    clean: float
    planted: float

    @property
    def leaves_out_zero(self) -> bool:
        return self.low > _SAME or self.high < -_SAME


def effect_of(measure: Measure, clean: Sequence[ScoredCall], defective: Sequence[ScoredCall]) -> Effect | str:
    """The effect, or in words why there is none."""
    sides = [measure.pool(clean), measure.pool(defective)]
    for told, score in zip(("clean", "with the defect"), sides, strict=True):
        if score.status is not Status.MEASURED or score.value is None:
            return f"not measured {told}: {score.reason}"
    values = [float(score.value) for score in sides if score.value is not None]
    if measure.entry.name in _TIMES:
        differences = _paired_times(measure.entry.name, clean, defective)
        if len(differences) < FEWEST:
            return f"only {len(differences)} pairs"
        return _by_t(float(np.mean(differences)), np.asarray(differences), len(differences), values)
    part = part_of(measure, clean)
    keys = [
        key
        for key in dict.fromkeys([*keys_of(part, clean), *keys_of(part, defective)])
        if _counts(measure, clean, key, sides[0]) or _counts(measure, defective, key, sides[1])
    ]
    if len(keys) < FEWEST:
        return f"only {len(keys)} observations"
    pseudo = _pseudo_values(measure, clean, defective, keys, values[1] - values[0])
    if isinstance(pseudo, str):
        return pseudo
    return _by_t(values[1] - values[0], pseudo, len(keys), values)


def _counts(measure: Measure, calls: Sequence[ScoredCall], key: Key, whole: Score) -> bool:
    """Whether an observation is one of this figure: of a suite's items some are another figure's."""
    part = part_of(measure, calls)
    return not part.field or measure.pool(without(part, calls, {key})).n != whole.n


def _pseudo_values(
    measure: Measure,
    clean: Sequence[ScoredCall],
    defective: Sequence[ScoredCall],
    keys: Sequence[Key],
    whole: float,
) -> np.ndarray[tuple[int], np.dtype[np.float64]] | str:
    part = part_of(measure, clean)
    groups = min(len(keys), MOST_GROUPS)
    found = []
    for group in range(groups):
        out = set(keys[group::groups])
        left = [measure.pool(without(part, side, out)) for side in (clean, defective)]
        if any(score.value is None for score in left):
            return "it hangs on single observations: without some of them there is no figure"
        less = float(left[1].value or 0.0) - float(left[0].value or 0.0)
        found.append(groups * whole - (groups - 1) * less)
    return np.asarray(found)


def _by_t(
    estimate: float, sample: np.ndarray[tuple[int], np.dtype[np.float64]], n: int, values: Sequence[float]
) -> Effect:
    """By the spread of a sample of independent values of it; where nothing varies, the p of a sign test."""
    size = len(sample)
    error = float(np.std(sample, ddof=1)) / math.sqrt(size)
    if error <= _SAME * max(1.0, abs(estimate)):
        p = 1.0 if abs(estimate) <= _SAME else 2.0 ** (1 - size)
        half = 0.0
    else:
        p = 2.0 * float(stdtr(size - 1, -abs(estimate) / error))
        half = float(stdtrit(size - 1, 0.5 + CONFIDENCE / 2)) * error
    return Effect(
        estimate=estimate,
        low=estimate - half,
        high=estimate + half,
        p=p,
        n=n,
        clean=values[0],
        planted=values[1],
    )


def _paired_times(metric: str, clean: Sequence[ScoredCall], defective: Sequence[ScoredCall]) -> list[float]:
    sides = [_times(metric, calls) for calls in (clean, defective)]
    return [sides[1][key] - sides[0][key] for key in sides[0] if key in sides[1]]


def _times(metric: str, calls: Sequence[ScoredCall]) -> dict[Key, float]:
    field, attribute = _TIMES[metric]
    return {
        (call.scores.call_id, str(entry.index)): float(time)
        for call in calls
        for entry in getattr(call.scores, field)
        if (time := getattr(entry, attribute)) is not None
    }
