"""NISQA on stretches of a voice: cut with a little quiet around them, rated by both models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from metrics.spans import Span
from metrics.synthesis.nisqa_domain import domain_warnings
from metrics.synthesis.nisqa_result import NaturalnessResult, NisqaResult, QualityResult

if TYPE_CHECKING:
    from metrics.synthesis.nisqa import NisqaModel

Samples = NDArray[np.float32]

PADDING_S = 0.1
BATCH = 8


@dataclass(frozen=True, kw_only=True)
class RatedClip:
    """What both models say of one stretch, and what speaks against believing it."""

    span: Span
    naturalness: NaturalnessResult
    quality: QualityResult
    warnings: tuple[str, ...] = ()


def rate_clips(
    audio: Samples,
    sample_rate_hz: int,
    spans: Sequence[Span],
    *,
    naturalness: NisqaModel,
    quality: NisqaModel,
) -> list[RatedClip]:
    """Rates each span that neither model refuses (too short, too long, silent).

    Raises:
        TypeError: One model stands in the other's place.
    """
    kept = [
        (span, clip)
        for span in spans
        if not naturalness.refusal(clip := cut(audio, sample_rate_hz, span), sample_rate_hz)
        and not quality.refusal(clip, sample_rate_hz)
    ]
    clips = [clip for _, clip in kept]
    return [
        rated_clip(span, natural, rated, domain_warnings(clip, sample_rate_hz))
        for (span, clip), natural, rated in zip(
            kept,
            _predict(naturalness, clips, sample_rate_hz),
            _predict(quality, clips, sample_rate_hz),
            strict=True,
        )
    ]


def rated_clip(span: Span, natural: NisqaResult, rated: NisqaResult, warnings: Sequence[str]) -> RatedClip:
    """Both models' results of one stretch.

    Raises:
        TypeError: One model stands in the other's place.
    """
    if not isinstance(natural, NaturalnessResult) or not isinstance(rated, QualityResult):
        raise TypeError("nisqa_tts.tar and nisqa.tar hold each other's model")
    return RatedClip(
        span=span, naturalness=natural, quality=rated, warnings=tuple(str(one) for one in warnings)
    )


def cut(audio: Samples, rate: int, span: Span) -> Samples:
    """The sound of a stretch, with :data:`PADDING_S` around it."""
    start = max(0, round((span.start_s - PADDING_S) * rate))
    return audio[start : round((span.end_s + PADDING_S) * rate)]


def _predict(model: NisqaModel, clips: Sequence[Samples], rate: int) -> list[NisqaResult]:
    results: list[NisqaResult] = []
    for start in range(0, len(clips), BATCH):
        results += model.predict([(clip, rate) for clip in clips[start : start + BATCH]])
    return results
