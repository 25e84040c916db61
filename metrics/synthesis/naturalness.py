"""How the agent's voice sounds over a call: NISQA's values of its speech spans, as scores.

A span counts for as long as it lasts: a listener hears ten seconds ten times as long as one. Spans that are
out of the model's domain by its own warnings (under 1 s of speech, narrowband) are in no figure: what comes
out for them means little. They are counted in the score's reason, and where there are no others there is no
figure. Nothing is clamped; spans that the model refused never get this far.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from metrics.score import Evidence, Score, Status, not_measured
from metrics.synthesis.nisqa_result import NaturalnessResult, NisqaResult, QualityResult

NATURALNESS_METRIC = "nisqa_naturalness"
QUALITY_METRICS = (
    "nisqa_mos",
    "nisqa_noisiness",
    "nisqa_discontinuity",
    "nisqa_coloration",
    "nisqa_loudness",
)
UNIT = "mos"
VERSION = "2"
"""1 was the plain mean over all spans, those out of the domain included."""
MAX_EVIDENCE = 20
"""Spans kept with a score: the lowest values, which are the ones worth listening to."""


def naturalness_scores(
    predictions: Sequence[tuple[Evidence, NisqaResult]],
    *,
    warnings: Sequence[Sequence[str]] = (),
    reason: str = "no speech of the agent that the model can score",
) -> list[Score]:
    """``nisqa_naturalness`` of a call, in a list of one.

    Args:
        predictions: Where each span lies, and what the model gave for it.
        warnings: For each prediction, in order, its ``domain_warnings``; empty when they were not asked for.
        reason: Why there are no predictions, if there are none; becomes the score's reason.

    Returns:
        The mean over the valid spans, each weighted by its duration; n = valid spans; p50 their median. No
        interval: spans of a call are not independent, so it is left to the bootstrap over calls. Not
        applicable without spans, indeterminate where none is valid.

    Raises:
        TypeError: A result of the other model.
        ValueError: ``warnings`` of another number of spans, or a valid span without its times.
    """
    values = []
    for evidence, result in predictions:
        if not isinstance(result, NaturalnessResult):
            raise TypeError(f"{type(result).__name__} is not of the naturalness model")
        values.append((evidence, result.naturalness))
    return [_score(NATURALNESS_METRIC, values, _checked(warnings, len(values)), reason)]


def quality_scores(
    predictions: Sequence[tuple[Evidence, NisqaResult]],
    *,
    warnings: Sequence[Sequence[str]] = (),
    reason: str = "no speech of the agent that the model can score",
) -> list[Score]:
    """``nisqa_mos``, ``_noisiness``, ``_discontinuity``, ``_coloration`` and ``_loudness`` of a call.

    Arguments and values as for :func:`naturalness_scores`; five scores, in that order, measured or not.
    """
    for _, result in predictions:
        if not isinstance(result, QualityResult):
            raise TypeError(f"{type(result).__name__} is not of the quality model")
    found = _checked(warnings, len(predictions))
    return [
        _score(
            metric,
            [(evidence, getattr(result, metric.removeprefix("nisqa_"))) for evidence, result in predictions],
            found,
            reason,
        )
        for metric in QUALITY_METRICS
    ]


def weighted_mean(values: Sequence[float], durations_s: Sequence[float]) -> float:
    """The mean of values that each hold for some time.

    Raises:
        ValueError: Nothing, or no time at all.
    """
    total_s = sum(durations_s)
    if total_s <= 0:
        raise ValueError("a mean over time needs values that last for some time")
    return sum(value * s for value, s in zip(values, durations_s, strict=True)) / total_s


def left_out_note(warnings: Sequence[Sequence[str]]) -> str:
    """For instance ``3 of 5 spans left out, being out of the model's domain: 2 narrowband``; or nothing."""
    counts = Counter(warning for found in warnings for warning in set(found))
    if not counts:
        return ""
    named = ", ".join(f"{count} {warning}" for warning, count in sorted(counts.items()))
    invalid = sum(bool(found) for found in warnings)
    return f"{invalid} of {len(warnings)} spans left out, being out of the model's domain: {named}"


def _score(
    metric: str,
    values: Sequence[tuple[Evidence, float]],
    warnings: Sequence[Sequence[str]],
    reason: str,
) -> Score:
    if not values:
        return not_measured(metric, UNIT, reason, version=VERSION)
    told = left_out_note(warnings)
    valid = [one for one, found in zip(values, warnings, strict=True) if not found]
    if not valid:
        return not_measured(metric, UNIT, told, status=Status.INDETERMINATE, version=VERSION)
    lowest = sorted(valid, key=lambda pair: pair[1])[:MAX_EVIDENCE]
    numbers = [value for _, value in valid]
    return Score(
        metric=metric,
        unit=UNIT,
        value=weighted_mean(numbers, [_duration_s(evidence) for evidence, _ in valid]),
        status=Status.MEASURED,
        reason=told,
        n=len(valid),
        p50=float(np.median(numbers)),
        evidence=tuple(evidence.model_copy(update={"value": value}) for evidence, value in lowest),
        version=VERSION,
    )


def _duration_s(where: Evidence) -> float:
    if where.start_s is None or where.end_s is None:
        raise ValueError("a span is weighed by its duration: its start and its end are wanted")
    return where.end_s - where.start_s


def _checked(warnings: Sequence[Sequence[str]], spans: int) -> Sequence[Sequence[str]]:
    """The warnings of each span; none where they were not asked for."""
    if warnings and len(warnings) != spans:
        raise ValueError(f"{len(warnings)} lists of warnings for {spans} spans")
    return warnings or [()] * spans
