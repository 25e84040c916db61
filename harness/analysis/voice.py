"""What of a voice is rated by NISQA and the predictors, and the rating as files hold it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from harness.analysis.instruments import Instruments
from harness.analysis.sound.nisqa_clips import RatedClip, rated_clip
from harness.analysis.sound.predicted_clips import PredictedClip
from harness.records.scores import ClipQuality
from metrics.spans import Span
from metrics.speech import Talk
from metrics.synthesis.nisqa_domain import domain_warnings

Samples = NDArray[np.float32]

LONGEST_CLIP_S = 20.0
"""Longer talk is rated in parts that begin and end in pauses: the models were trained on single sentences,
and refuse a clip beyond 52 s."""


def stretches(talks: Sequence[Talk]) -> list[Span]:
    """What of a call is to be rated: each stretch of the agent's speech, long ones in parts."""
    return [part for talk in talks for part in _parts(talk)]


def rate_clip(
    audio: Samples, sample_rate_hz: int, *, instruments: Instruments
) -> tuple[list[RatedClip] | None, str]:
    """Rates a clip as it is: whole, and at its own sampling rate, as the official tool does.

    Returns:
        The rating in a list of one; or None, and why there is none.
    """
    naturalness, quality = instruments.naturalness, instruments.quality
    if naturalness is None or quality is None:
        return None, instruments.why_no_nisqa
    if why := naturalness.refusal(audio, sample_rate_hz) or quality.refusal(audio, sample_rate_hz):
        return None, why
    span = Span(start_s=0.0, end_s=len(audio) / sample_rate_hz)
    [natural] = naturalness.predict([(audio, sample_rate_hz)])
    [rated] = quality.predict([(audio, sample_rate_hz)])
    return [rated_clip(span, natural, rated, domain_warnings(audio, sample_rate_hz))], ""


def predict_clip(
    audio: Samples, sample_rate_hz: int, *, instruments: Instruments
) -> tuple[list[PredictedClip] | None, str]:
    """As :func:`rate_clip`, by DNSMOS and PLCMOS."""
    predictors = instruments.predictors
    if predictors is None:
        return None, instruments.why_no_predictors
    if why := predictors.refusal(audio, sample_rate_hz):
        return None, why
    span = Span(start_s=0.0, end_s=len(audio) / sample_rate_hz)
    return [
        PredictedClip(
            span=span,
            prediction=predictors.predict(audio, sample_rate_hz),
            warnings=tuple(str(one) for one in domain_warnings(audio, sample_rate_hz)),
        )
    ], ""


def clip_quality(clip: RatedClip) -> ClipQuality:
    """A rating as it stands in ``scores.json``."""
    return ClipQuality(
        start_s=clip.span.start_s,
        end_s=clip.span.end_s,
        naturalness=clip.naturalness.naturalness,
        mos=clip.quality.mos,
        noisiness=clip.quality.noisiness,
        discontinuity=clip.quality.discontinuity,
        coloration=clip.quality.coloration,
        loudness=clip.quality.loudness,
        warnings=clip.warnings,
    )


def _parts(talk: Talk) -> Iterator[Span]:
    """The talk whole, or in parts of at most :data:`LONGEST_CLIP_S` where its pauses allow that."""
    start_s = talk.clusters[0].start_s
    end_s = start_s
    for cluster in talk.clusters:
        if cluster.end_s - start_s > LONGEST_CLIP_S and end_s > start_s:
            yield Span(start_s=start_s, end_s=end_s)
            start_s = cluster.start_s
        end_s = cluster.end_s
    yield Span(start_s=start_s, end_s=end_s)
