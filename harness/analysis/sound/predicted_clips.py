"""The predictors (DNSMOS, PLCMOS) on the stretches of a voice that NISQA rates, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.analysis.sound.nisqa_clips import Samples, cut
from metrics.spans import Span
from metrics.synthesis.nisqa_domain import domain_warnings
from metrics.synthesis.prediction import Prediction

if TYPE_CHECKING:
    from metrics.synthesis.predictors import Predictors


@dataclass(frozen=True, kw_only=True)
class PredictedClip:
    """What the predictors say of one stretch, and what speaks against believing it."""

    span: Span
    prediction: Prediction
    warnings: tuple[str, ...] = ()


def predict_clips(
    audio: Samples, sample_rate_hz: int, spans: Sequence[Span], *, predictors: Predictors
) -> list[PredictedClip]:
    """Rates each span that the predictors do not refuse (too short, too long, silent)."""
    return [
        PredictedClip(
            span=span,
            prediction=predictors.predict(clip, sample_rate_hz),
            warnings=tuple(str(one) for one in domain_warnings(clip, sample_rate_hz)),
        )
        for span in spans
        if not predictors.refusal(clip := cut(audio, sample_rate_hz, span), sample_rate_hz)
    ]
