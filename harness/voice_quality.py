"""How the agent's voice sounds in a call: NISQA on each stretch of its speech."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.instruments import Instruments
from harness.record import SAMPLE_RATE_HZ
from harness.scores import ClipQuality
from metrics.score import Evidence, Score
from metrics.spans import Span
from metrics.speech import Talk
from metrics.synthesis.naturalness import naturalness_scores, quality_scores
from metrics.synthesis.nisqa import NaturalnessResult, NisqaModel, NisqaResult, QualityResult
from metrics.synthesis.nisqa_domain import domain_warnings

Samples = NDArray[np.float32]

LONGEST_CLIP_S = 20.0
"""Longer talk is rated in parts that begin and end in pauses: the models were trained on single sentences,
and refuse a clip beyond 52 s."""
PADDING_S = 0.1
BATCH = 8


@dataclass(frozen=True, kw_only=True)
class VoiceRating:
    """Per clip and for the call."""

    clips: list[ClipQuality]
    scores: list[Score]


def rate_voice(
    agent_audio: Samples, talks: Sequence[Talk], *, call_id: str, instruments: Instruments
) -> VoiceRating:
    """Rates each stretch of the agent's speech with both NISQA models."""
    naturalness, quality = instruments.naturalness, instruments.quality
    if naturalness is None or quality is None:
        why = instruments.why_no_nisqa
        return VoiceRating(
            clips=[], scores=[*naturalness_scores([], reason=why), *quality_scores([], reason=why)]
        )
    spans = [part for talk in talks for part in _parts(talk)]
    clips = [_cut(agent_audio, span) for span in spans]
    kept = [
        (span, clip)
        for span, clip in zip(spans, clips, strict=True)
        if not naturalness.refusal(clip, SAMPLE_RATE_HZ) and not quality.refusal(clip, SAMPLE_RATE_HZ)
    ]
    warnings = [domain_warnings(clip, SAMPLE_RATE_HZ) for _, clip in kept]
    audio = [clip for _, clip in kept]
    natural = _predict(naturalness, audio)
    rated = _predict(quality, audio)
    evidence = [Evidence(call_id=call_id, start_s=span.start_s, end_s=span.end_s) for span, _ in kept]
    return VoiceRating(
        clips=[
            _clip(span, one, other, warning)
            for (span, _), one, other, warning in zip(kept, natural, rated, warnings, strict=True)
        ],
        scores=[
            *naturalness_scores(list(zip(evidence, natural, strict=True)), warnings=warnings),
            *quality_scores(list(zip(evidence, rated, strict=True)), warnings=warnings),
        ],
    )


def rate_clip(audio: Samples, sample_rate_hz: int, *, call_id: str, instruments: Instruments) -> VoiceRating:
    """Rates a clip as it is: whole, and at its own sampling rate, as the official tool does."""
    naturalness, quality = instruments.naturalness, instruments.quality
    why = instruments.why_no_nisqa
    if naturalness is not None and quality is not None:
        why = naturalness.refusal(audio, sample_rate_hz) or quality.refusal(audio, sample_rate_hz)
    if naturalness is None or quality is None or why:
        return VoiceRating(
            clips=[], scores=[*naturalness_scores([], reason=why), *quality_scores([], reason=why)]
        )
    span = Span(start_s=0.0, end_s=len(audio) / sample_rate_hz)
    warnings = domain_warnings(audio, sample_rate_hz)
    [natural] = naturalness.predict([(audio, sample_rate_hz)])
    [rated] = quality.predict([(audio, sample_rate_hz)])
    evidence = Evidence(call_id=call_id, start_s=span.start_s, end_s=span.end_s)
    return VoiceRating(
        clips=[_clip(span, natural, rated, warnings)],
        scores=[
            *naturalness_scores([(evidence, natural)], warnings=[warnings]),
            *quality_scores([(evidence, rated)], warnings=[warnings]),
        ],
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


def _cut(audio: Samples, span: Span) -> Samples:
    start = max(0, round((span.start_s - PADDING_S) * SAMPLE_RATE_HZ))
    return audio[start : round((span.end_s + PADDING_S) * SAMPLE_RATE_HZ)]


def _predict(model: NisqaModel, clips: Sequence[Samples]) -> list[NisqaResult]:
    results: list[NisqaResult] = []
    for start in range(0, len(clips), BATCH):
        results += model.predict([(clip, SAMPLE_RATE_HZ) for clip in clips[start : start + BATCH]])
    return results


def _clip(span: Span, natural: NisqaResult, rated: NisqaResult, warnings: Sequence[str]) -> ClipQuality:
    if not isinstance(natural, NaturalnessResult) or not isinstance(rated, QualityResult):
        raise TypeError("nisqa_tts.tar and nisqa.tar hold each other's model")
    return ClipQuality(
        start_s=span.start_s,
        end_s=span.end_s,
        naturalness=natural.naturalness,
        mos=rated.mos,
        noisiness=rated.noisiness,
        discontinuity=rated.discontinuity,
        coloration=rated.coloration,
        loudness=rated.loudness,
        warnings=tuple(warnings),
    )
