"""How the agent's voice sounds over a call: NISQA's values of its speech spans, as scores.

Every span counts the same, however long: a span is one utterance, the unit that the models were trained on
and that a person would rate. Nothing is clamped or left out here; spans that the model refused never get
this far, and spans out of its domain (short, narrowband) are in the mean and named in the score's reason.
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
VERSION = "1"
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
        The mean over the spans, each weighted equally; n = spans; p50 the median. No interval: spans of a
        call are not independent, so it is left to the bootstrap over calls. Not applicable without spans.

    Raises:
        TypeError: A result of the other model.
        ValueError: ``warnings`` of another number of spans.
    """
    values = []
    for evidence, result in predictions:
        if not isinstance(result, NaturalnessResult):
            raise TypeError(f"{type(result).__name__} is not of the naturalness model")
        values.append((evidence, result.naturalness))
    return [_score(NATURALNESS_METRIC, values, _qualifier(warnings, len(values)), reason)]


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
    qualifier = _qualifier(warnings, len(predictions))
    return [
        _score(
            metric,
            [(evidence, getattr(result, metric.removeprefix("nisqa_"))) for evidence, result in predictions],
            qualifier,
            reason,
        )
        for metric in QUALITY_METRICS
    ]


def _score(metric: str, values: Sequence[tuple[Evidence, float]], qualifier: str, reason: str) -> Score:
    if not values:
        return not_measured(metric, UNIT, reason, version=VERSION)
    numbers = np.array([value for _, value in values])
    lowest = sorted(values, key=lambda pair: pair[1])[:MAX_EVIDENCE]
    return Score(
        metric=metric,
        unit=UNIT,
        value=float(numbers.mean()),
        status=Status.MEASURED,
        reason=qualifier,
        n=len(values),
        p50=float(np.median(numbers)),
        evidence=tuple(evidence.model_copy(update={"value": value}) for evidence, value in lowest),
        version=VERSION,
    )


def _qualifier(warnings: Sequence[Sequence[str]], spans: int) -> str:
    """For instance ``out of the model's domain: 2 of 5 spans under 1 s of speech``; or nothing."""
    if warnings and len(warnings) != spans:
        raise ValueError(f"{len(warnings)} lists of warnings for {spans} spans")
    counts = Counter(warning for found in warnings for warning in set(found))
    if not counts:
        return ""
    named = "; ".join(f"{count} of {spans} spans {warning}" for warning, count in sorted(counts.items()))
    return f"out of the model's domain: {named}"
